"""platform_import: what the platform has, listed, made into manifests, and recorded.

It reads the platform and sends no write.
"""

from .import_run import (
    ImportedItem as ImportedItem,
    ImportResult as ImportResult,
    import_from_platform as import_from_platform,
)
from .imported_manifests import UnwritablePart as UnwritablePart, write_new_part as write_new_part
from .platform_items import NamesById as NamesById
