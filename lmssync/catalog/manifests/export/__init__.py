"""export: forms become manifests again, and files of their own; copies for `new --from`."""

from .bodies import is_long as is_long, put_beside as put_beside
from .copying import copy_manifest as copy_manifest
from .files import manifest_texts as manifest_texts, write_manifests as write_manifests
from .in_lists import Item as Item, ListEdit as ListEdit, NewItem as NewItem
from .in_place import Edit as Edit, edit_manifest as edit_manifest
from .to_manifest import (
    Manifest as Manifest,
    Packed as Packed,
    as_written as as_written,
    choose_addresses as choose_addresses,
    make_manifests as make_manifests,
)
