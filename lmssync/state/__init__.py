"""state: what was recorded, who may write it, and the journal of every call.

It knows no platform and compares nothing: see diff. Every write is on disk
when it returns.
"""

from .codes import Codes as Codes
from .moves import Names as Names, renamed as renamed, spelled as spelled
from .proofs import Counts as Counts, Proof as Proof
from .records import (
    JournaledCall as JournaledCall,
    OpenStep as OpenStep,
    Record as Record,
    Status as Status,
)
from .register import Known as Known
from .sqlite import Store as Store
from .store import (
    check_instance as check_instance,
    instance_of as instance_of,
    open_store as open_store,
)
