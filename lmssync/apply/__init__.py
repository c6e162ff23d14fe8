"""apply: performs the calls of a plan, journals each one, and recovers from interruptions.

It decides nothing: the plan says what to do, and the journal records the outcome. The order of
write down, send, write down, read back is kept only here.
"""

from .adopting import take_over as take_over
from .by_hand import done_by_hand as done_by_hand
from .by_person import adopt as adopt
from .by_person import done as done
from .by_person import not_created as not_created
from .edited import refuse_edited as refuse_edited
from .people import about_people as about_people
from .people import introduce as introduce
from .proving import flush as flush
from .proving import prove as prove
from .recover import recover as recover
from .result import Done as Done
from .result import Progress as Progress
from .result import Report as Report
from .run import run as run
from .session import Session as Session
from .stale import refuse_stale as refuse_stale
from .stop import Stop as Stop
from .stop import listening as listening
from .telling import Telling as Telling
from .telling import told as told
