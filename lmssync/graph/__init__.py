"""graph: what refers to what in a catalog, and the order that follows from it.

It sees references and facts, and asks the kinds what they mean: which kinds there are is not
its business.
"""

from .inside import inside as inside
from .judge import judge as judge
from .order import levels as levels
