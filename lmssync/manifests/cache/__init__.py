"""cache: the result of each file, and of a whole validation, in the user's cache folder.

It imports next to nothing, since an author who asks again runs little more than this.
"""

from . import codec as codec, inventory as inventory
from .addresses import addresses as addresses
from .cache import (
    Cache as Cache,
    CachedFile as CachedFile,
    open_cache as open_cache,
)
from .codec import CacheEntry as CacheEntry, Encoded as Encoded, encode as encode
from .home import place as place
from .inventory import HeldFile as HeldFile, Inventory as Inventory, Portions as Portions
from .outcome import (
    Validation as Validation,
    identity as identity,
    recall as recall,
    remember as remember,
)
from .tables import (
    FAILURES as FAILURES,
    CacheChanged as CacheChanged,
    Row as Row,
    seal as seal,
    sound as sound,
)
