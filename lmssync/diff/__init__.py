"""diff: compares what is desired, recorded and live, and says what differs.

It knows neither the order of work (see plan) nor how work is done (see apply). Fields that a
manifest leaves out are not managed and never differ.
"""

from .change import Change as Change
from .change import Difference as Difference
from .change import Evidence as Evidence
from .compare import changes as changes
from .fields import FieldChange as FieldChange
from .fields import are_parts as are_parts
from .fields import compare as compare
from .ignored import wanted as wanted
from .look import Instance as Instance
from .look import drift_of as drift_of
from .look import look as look
from .look import one_by_one as one_by_one
from .observe import Observed as Observed
from .observe import View as View
from .observe import observe as observe
from .observed import with_live as with_live
from .paths import ABSENT as ABSENT
from .paths import overlap as overlap
from .paths import top as top
from .paths import value_at as value_at
from .proving import counted as counted
from .proving import proof as proof
from .referrers import children as children
from .three_way import Drift as Drift
from .three_way import Outcome as Outcome
from .three_way import as_recorded as as_recorded
from .three_way import merged as merged
