"""export: forms become manifests again, and files of their own; copies for `new --from`."""

from .copying import copied as copied
from .files import put as put
from .files import texts as texts
from .in_place import Edit as Edit
from .in_place import edited as edited
from .to_manifest import Manifest as Manifest
from .to_manifest import Packed as Packed
from .to_manifest import as_written as as_written
from .to_manifest import chosen as chosen
from .to_manifest import manifests as manifests
