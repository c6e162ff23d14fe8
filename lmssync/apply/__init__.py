"""apply: performs the calls of a plan, journals each one, and recovers from interruptions.

It decides nothing: the plan says what to do, and the journal records the outcome. The order of
write down, send, write down, read back is kept only here.
"""

from .adopting import UNCHECKED as UNCHECKED, take_over as take_over
from .awaited import AwaitedJob as AwaitedJob, awaited as awaited
from .by_hand import done_by_hand as done_by_hand
from .by_person import adopt as adopt, done as done, not_created as not_created
from .edited import refuse_edited as refuse_edited
from .ending import noted as noted, reported as reported
from .in_time import refuse_late as refuse_late
from .people import about_people as about_people, introduce as introduce
from .proving import prove as prove
from .receipt import telling_of_people as telling_of_people
from .recover import recover as recover
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
from .run import run as run
from .session import ApplySession as ApplySession
from .stale import refuse_stale as refuse_stale
from .stop import listening as listening
from .undecided import Undecided as Undecided, undecided as undecided
