"""diff: compares what is desired, recorded and live, and says what differs.

It knows neither the order of work (see plan) nor how work is done (see apply). Fields that a
manifest leaves out are not managed and never differ.
"""

from .change import Change as Change, Difference as Difference
from .compare import changes as changes
from .fields import FieldChange as FieldChange, are_parts as are_parts, compare as compare
from .ignored import wanted as wanted
from .observe import View as View, kept as kept, observe as observe
from .observed import with_live as with_live
from .referrers import children as children
