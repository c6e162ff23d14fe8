"""shapes: what an answer of each route must hold, declared and checked where it comes in.

It ignores anything else in an answer and is strict about what the package relies on. It knows
routes and answers; it knows nothing of connections.
"""

from .fit import Misfit as Misfit, fit_shape as fit_shape
from .words import PageInfo as PageInfo
