"""live: what the platform holds now, as far as it can be read.

It reads and binds; what a difference means is for diff, and nothing here can write.
"""

from .alike import alike as alike
from .as_recorded import AsRecorded as AsRecorded
from .binding import Binder as Binder, Nameless as Nameless, Unbound as Unbound, named as named
from .choose import able as able, chosen as chosen, readable as readable
from .evidence import Certainty as Certainty, evidence as evidence, shown as shown
from .fetch import ask as ask
from .fields import declared as declared, leaves as leaves, pattern as pattern
from .holders import (
    Holder as Holder,
    TooLong as TooLong,
    Unlisted as Unlisted,
    all_holders as all_holders,
    holders as holders,
)
from .looking import (
    Looker as Looker,
    LookupQuery as LookupQuery,
    LookupResult as LookupResult,
    is_noticed as is_noticed,
    parents_of as parents_of,
)
from .names import IdsByName as IdsByName, check_names as check_names, id_of_name as id_of_name
from .read import (
    LiveState as LiveState,
    compared as compared,
    read as read,
    shown_by as shown_by,
    shown_whole as shown_whole,
)
from .since import (
    EXACTNESS as EXACTNESS,
    NOTICED as NOTICED,
    Marks as Marks,
    moment as moment,
)
from .sought import Seen as Seen, seek as seek
