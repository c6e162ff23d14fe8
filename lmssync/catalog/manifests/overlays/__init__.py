"""overlays: what one environment changes, and the defaults of the project file."""

from .apply import (
    address_of as address_of,
    with_defaults as with_defaults,
    with_patches as with_patches,
)
from .merge import ID_KEYS as ID_KEYS, PATCH as PATCH
from .read import (
    find_homeless_patches as find_homeless_patches,
    find_stray_overlays as find_stray_overlays,
    read_overlays as read_overlays,
)
