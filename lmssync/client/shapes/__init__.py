"""shapes: what an answer of each route must hold, declared and checked where it comes in.

Tolerant of whatever else an answer holds, strict about what the package relies on. It knows
routes and answers; it knows nothing of connections.
"""

from .fit import Misfit as Misfit
from .fit import fit as fit
from .words import PageInfo as PageInfo
