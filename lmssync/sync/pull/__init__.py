"""pull: what people have changed on the platform is written into the manifests."""

from .arranging import ListSources as ListSources
from .files import PulledFiles as PulledFiles
from .lists import (
    ListChange as ListChange,
    nested_first as nested_first,
    split as split,
    wrap_part as wrap_part,
)
from .paths import Unpullable as Unpullable, steps as steps
from .rows import are_rows as are_rows
from .undoing import write_or_undo as write_or_undo
