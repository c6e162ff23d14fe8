"""state: what was recorded, who may write it, and the journal of every call.

It knows no platform and compares nothing: see diff. Every write is on disk
when it returns.
"""

from .codes import PeopleCodes as PeopleCodes, digest_of_key as digest_of_key
from .export import export_state as export_state
from .export_format import Export as Export
from .files import make_private as make_private
from .findings import DriftFinding as DriftFinding
from .history import Event as Event
from .list_rows import ListRow as ListRow, RowState as RowState
from .lock import lock_beside as lock_beside, now_utc as now_utc, read_user_name as read_user_name
from .moves import Names as Names, rename_in_form as rename_in_form, spell_moves as spell_moves
from .opening import sqlite_uri as sqlite_uri
from .people_key import make_key as make_key, read_key as read_key, write_key as write_key
from .proofs import Counts as Counts, Proof as Proof
from .reader import SharedState as SharedState
from .records import (
    CallStatus as CallStatus,
    JournaledCall as JournaledCall,
    OpenStep as OpenStep,
    Record as Record,
)
from .register import RegisterContent as RegisterContent
from .replacing import replace_state as replace_state
from .replaying import (
    PastStore as PastStore,
    Verified as Verified,
    state_at_moment as state_at_moment,
    verify_log as verify_log,
)
from .replica import put_aside as put_aside
from .restoring import read_export as read_export
from .sqlite import Store as Store
from .store import (
    check_instance as check_instance,
    file_beside as file_beside,
    instance_of as instance_of,
    keep_out_of_git as keep_out_of_git,
    move_state as move_state,
    open_store as open_store,
)
