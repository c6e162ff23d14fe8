"""apply: performs the calls of a plan, journals each one, and recovers from interruptions.

It decides nothing: the plan says what to do, and the journal records the outcome. The order of
write down, send, write down, read back is kept only here.
"""

from .awaited import AwaitedJob as AwaitedJob, find_awaited_jobs as find_awaited_jobs
from .by_hand import done_by_hand as done_by_hand
from .by_person import (
    adopt_outcome as adopt_outcome,
    not_created as not_created,
    trust_done as trust_done,
)
from .edit_checks import (
    ensure_not_edited as ensure_not_edited,
    refuse_late as refuse_late,
    refuse_stale as refuse_stale,
)
from .people import about_people as about_people, introduce_people as introduce_people
from .proving import keep_planning_proofs as keep_planning_proofs
from .receipt import telling_of_people as telling_of_people
from .recover import recover_calls as recover_calls
from .result import (
    DONE as DONE,
    NO_TURN as NO_TURN,
    UNDONE as UNDONE,
    ApplyProgress as ApplyProgress,
    Done as Done,
    PersonLine as PersonLine,
    Recovered as Recovered,
    Report as Report,
    Spent as Spent,
)
from .run import (
    note_state_failure as note_state_failure,
    report_state_failure as report_state_failure,
    run_plan as run_plan,
)
from .session import ApplySession as ApplySession
from .stop import listening as listening
from .undecided import Undecided as Undecided, take_over as take_over, undecided as undecided
