"""cache: the result of each file, and of a whole validation, in the user's cache folder.

It imports next to nothing, since an author who asks again runs little more than this.
"""

from . import codec as codec
from .cache import Cache as Cache, Index as Index, Known as Known, open_cache as open_cache
from .codec import Encoded as Encoded, Entry as Entry, encode as encode
from .outcome import (
    Outcome as Outcome,
    identity as identity,
    recall as recall,
    remember as remember,
)
from .tables import FAILURES as FAILURES, Row as Row, Taken as Taken, seal as seal, sound as sound
