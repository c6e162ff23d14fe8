"""apply: performs the calls of a plan, journals each one, and recovers from interruptions.

It decides nothing: the plan says what to do, and the journal records the outcome. The order of
write down, send, write down, read back is kept only here.
"""

from .edit_checks import (
    ensure_not_edited as ensure_not_edited,
    introduce_people as introduce_people,
    names_people as names_people,
    note_other_runs as note_other_runs,
    refuse_late as refuse_late,
    refuse_stale as refuse_stale,
)
from .manual_work import (
    compare_adopted as compare_adopted,
    confirm_manual_steps as confirm_manual_steps,
    take_over as take_over,
)
from .open_calls import (
    Undecided as Undecided,
    adopt_outcome as adopt_outcome,
    believe_done as believe_done,
    believe_not_created as believe_not_created,
    list_undecided as list_undecided,
    recover_calls as recover_calls,
)
from .platform_work import AwaitedJob as AwaitedJob, find_awaited_jobs as find_awaited_jobs
from .proof_recording import keep_planning_proofs as keep_planning_proofs
from .receipt import report_people as report_people
from .result import (
    DONE as DONE,
    NO_TURN as NO_TURN,
    UNDONE as UNDONE,
    ApplyOutcome as ApplyOutcome,
    ApplyProgress as ApplyProgress,
    PersonLine as PersonLine,
    Recovered as Recovered,
    Report as Report,
)
from .run import (
    note_state_failure as note_state_failure,
    record_release as record_release,
    report_state_failure as report_state_failure,
    run_plan as run_plan,
)
from .session import (
    ApplySession as ApplySession,
    ReadBackLimit as ReadBackLimit,
    catch_stop_signals as catch_stop_signals,
)
