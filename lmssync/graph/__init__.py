"""graph: what refers to what in a catalog, and the order that follows from it.

It sees references and facts, and asks the kinds what they mean; it does not know the kinds itself.
"""

from .inside import inside as inside
from .judge import judge as judge
from .moves import identity as identity
from .order import levels as levels
