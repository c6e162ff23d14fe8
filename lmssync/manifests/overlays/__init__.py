"""overlays: what one environment changes, and the defaults of the project file."""

from .apply import address_of as address_of
from .apply import with_defaults as with_defaults
from .apply import with_patches as with_patches
from .merge import ID_KEYS as ID_KEYS
from .merge import PATCH as PATCH
from .read import homeless as homeless
from .read import overlaid as overlaid
from .read import strays as strays
