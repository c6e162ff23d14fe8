"""plan: turns changes into planned changes for people and calls for the platform, as values.

It reads the state and sends nothing. Apply sends exactly what a plan shows.
"""

from .budget import budget as budget
from .contents import fields as fields
from .context import PlanContext as PlanContext
from .derived import refuse_underived as refuse_underived
from .document import digest as digest
from .document import printed as printed
from .file import restore as restore
from .file import save as save
from .lost import refuse_lost_state as refuse_lost_state
from .make import make as make
from .marker import mark_of_author as mark_of_author
from .marker import marks as marks
from .plan import Action as Action
from .plan import Adoption as Adoption
from .plan import Plan as Plan
from .plan import PlannedChange as PlannedChange
from .plan import Step as Step
from .plan import told as told
from .truth import Truth as Truth
from .truth import counts as counts
from .truth import truth as truth
