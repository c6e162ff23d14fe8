"""export: forms become manifests again, and files of their own; copies for `new --from`."""

from .copying import copied as copied
from .files import put as put, texts as texts
from .to_manifest import (
    Manifest as Manifest,
    Packed as Packed,
    chosen as chosen,
    manifests as manifests,
)
