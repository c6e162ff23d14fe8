"""diff: compare what is desired, recorded and live, and say what differs.

It knows neither the order of work (see plan) nor how work is done (see apply). Fields that a
manifest leaves out are not managed and never differ.
"""

from .change import Change as Change
from .change import Difference as Difference
from .compare import changes as changes
from .compare import with_live as with_live
from .fields import FieldChange as FieldChange
from .ignored import wanted as wanted
