"""cache: the result of each file, and of a whole validation, in the user's cache folder.

It imports next to nothing, since an author who asks again runs little more than this.
"""

from . import codec as codec, inventory as inventory
from .addresses import list_cached_addresses as list_cached_addresses
from .cache import (
    Cache as Cache,
    CachedFile as CachedFile,
    open_cache as open_cache,
)
from .codec import CacheEntry as CacheEntry, Encoded as Encoded, encode_entry as encode_entry
from .home import find_cache_file as find_cache_file
from .inventory import HeldFile as HeldFile, Inventory as Inventory, Portions as Portions
from .outcome import (
    Validation as Validation,
    program_identity as program_identity,
    recall_outcome as recall_outcome,
    remember_outcome as remember_outcome,
)
from .tables import (
    FAILURES as FAILURES,
    CacheChanged as CacheChanged,
    Row as Row,
    require_sound as require_sound,
    seal_values as seal_values,
)
