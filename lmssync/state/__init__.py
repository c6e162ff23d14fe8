"""state: what was recorded, who may write it, and the journal of every call.

It knows no platform and compares nothing: see diff. Every write is on disk
when it returns.
"""

from typing import TYPE_CHECKING, Any

from .backends import make_state_key as make_state_key
from .id_columns import JoinedIds as JoinedIds
from .journal_history import Event as Event
from .leases import lock_beside as lock_beside, read_user_name as read_user_name
from .list_rows import ListRow as ListRow, RowState as RowState
from .log_entries import now_utc as now_utc
from .log_replay import (
    PastStore as PastStore,
    state_at_moment as state_at_moment,
    verify_log as verify_log,
)
from .other_states import OtherStates as OtherStates
from .people_codes import (
    PeopleCodes as PeopleCodes,
    RegisterContent as RegisterContent,
    digest_of_key as digest_of_key,
    make_key as make_key,
    read_key as read_key,
    write_key as write_key,
)
from .proofs import (
    Counts as Counts,
    DriftFinding as DriftFinding,
    Proof as Proof,
    ProofTotals as ProofTotals,
)
from .record_rows import (
    Names as Names,
    rename_in_form as rename_in_form,
    spell_moves as spell_moves,
)
from .release_records import (
    RELEASES as RELEASES,
    WHILE_RUNNING as WHILE_RUNNING,
    ReleaseProgress as ReleaseProgress,
    ReleaseRecord as ReleaseRecord,
    find_release_record as find_release_record,
    spell_releases as spell_releases,
)
from .state_files import make_private as make_private
from .state_opening import (
    check_instance as check_instance,
    file_beside as file_beside,
    instance_of as instance_of,
    keep_out_of_git as keep_out_of_git,
    move_state as move_state,
    open_note as open_note,
    open_store as open_store,
)
from .state_records import (
    CallStatus as CallStatus,
    JournaledCall as JournaledCall,
    KeptForm as KeptForm,
    OpenStep as OpenStep,
    PairKey as PairKey,
    Record as Record,
    UnpairedIds as UnpairedIds,
    keep_forms as keep_forms,
)
from .state_store import Store as Store
from .state_tables import sqlite_uri as sqlite_uri

if TYPE_CHECKING:
    from .exported_state import Export as Export, export_state as export_state
    from .imported_state import read_export as read_export, replace_state as replace_state


def __getattr__(name: str) -> Any:
    """What exports a state and reads one, loaded when it is asked for: its models take longer to
    load than a look at a state takes."""
    if name not in {"Export", "export_state", "read_export", "replace_state"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import exported_state, imported_state

    return getattr(imported_state, name, None) or getattr(exported_state, name)
