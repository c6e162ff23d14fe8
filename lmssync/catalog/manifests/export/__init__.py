"""export: forms become manifests again, and files of their own; copies for `new --from`."""

from .edited_files import EditedFiles as EditedFiles, write_texts as write_texts
from .manifest_copy import copy_manifest as copy_manifest
from .manifest_edits import (
    Edit as Edit,
    Item as Item,
    ListEdit as ListEdit,
    NewItem as NewItem,
    edit_manifest as edit_manifest,
)
from .manifest_files import (
    Manifest as Manifest,
    Packed as Packed,
    as_written as as_written,
    choose_addresses as choose_addresses,
    is_long as is_long,
    make_manifests as make_manifests,
    manifest_texts as manifest_texts,
    put_beside as put_beside,
    write_manifests as write_manifests,
)
