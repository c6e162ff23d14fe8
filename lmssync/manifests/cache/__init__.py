"""cache: the result of each file, and of a whole validation, in the user's cache folder.

It imports next to nothing, since an author who asks again runs little more than this.
"""

from . import codec as codec
from .cache import Cache as Cache
from .cache import Index as Index
from .cache import Known as Known
from .cache import open_cache as open_cache
from .codec import Encoded as Encoded
from .codec import Entry as Entry
from .codec import encode as encode
from .outcome import Outcome as Outcome
from .outcome import identity as identity
from .outcome import recall as recall
from .outcome import remember as remember
from .tables import FAILURES as FAILURES
from .tables import Row as Row
from .tables import Taken as Taken
from .tables import seal as seal
from .tables import sound as sound
