"""checking: a catalog read and judged, or recalled where nothing has changed.

It imports next to nothing before that is known: an author who asks again must not wait for what
others need.
"""

from . import baseline as baseline
from .baseline import Sorted as Sorted, sort_out as sort_out
from .catalog_validation import (
    load as load,
    load_anew as load_anew,
    readable as readable,
    validate as validate,
)
