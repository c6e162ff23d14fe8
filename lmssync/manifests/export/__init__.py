"""export: forms become manifests again, and files of their own; copies for `new --from`."""

from .bodies import is_long as is_long, put_beside as put_beside
from .copying import copied as copied
from .files import put as put, texts as texts
from .in_lists import Item as Item, ListEdit as ListEdit, NewItem as NewItem
from .in_place import Edit as Edit, edited as edited
from .to_manifest import (
    Manifest as Manifest,
    Packed as Packed,
    as_written as as_written,
    chosen as chosen,
    manifests as manifests,
)
