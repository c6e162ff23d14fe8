"""state: what was recorded, who may write it, and the journal of every call.

It knows no platform and compares nothing: see diff. Every write is on disk
when it returns.
"""

from .codes import Codes as Codes
from .moves import Names as Names
from .moves import renamed as renamed
from .moves import spelled as spelled
from .proofs import Counts as Counts
from .proofs import Proof as Proof
from .records import JournaledCall as JournaledCall
from .records import OpenStep as OpenStep
from .records import Record as Record
from .records import Status as Status
from .register import Known as Known
from .store import Store as Store
from .store import check_instance as check_instance
from .store import instance_of as instance_of
from .store import open_store as open_store
