"""graph: what refers to what in a catalog, and the order that follows from it.

It sees references only, never fields: which kinds there are is not its business.
"""

from .order import cycles as cycles
from .order import levels as levels
from .references import check as check
from .unique import unique as unique
