"""cache: the result of each file, and of a whole validation, in the user's cache folder.

It imports next to nothing, since an author who asks again runs little more than this.
"""

from .cache_file import (
    FAILURES as FAILURES,
    SEAL as SEAL,
    CacheChanged as CacheChanged,
    Row as Row,
    require_sound as require_sound,
    seal_values as seal_values,
)
from .entry_codec import (
    CacheEntry as CacheEntry,
    Encoded as Encoded,
    addresses_in as addresses_in,
    decode_resource as decode_resource,
    encode_entry as encode_entry,
    json_out as json_out,
    problems_in as problems_in,
    refused_in as refused_in,
)
from .file_inventory import (
    HeldFile as HeldFile,
    Inventory as Inventory,
    KnownResources as KnownResources,
    Portions as Portions,
    Validation as Validation,
    keep_inventory as keep_inventory,
    list_cached_addresses as list_cached_addresses,
    list_held_by_id as list_held_by_id,
    recall_known_resources as recall_known_resources,
    recall_outcome as recall_outcome,
    recall_relations as recall_relations,
    remember_outcome as remember_outcome,
    remember_relations as remember_relations,
    spell_cache_key as spell_cache_key,
)
from .result_cache import Cache as Cache, CachedFile as CachedFile, open_cache as open_cache
