"""policies: a catalog's own rules, written without code in `policies/*.yaml`.

A file is read and checked once (`reading`, `compile`), each policy becomes a tree of conditions
that travels to worker processes (`condition`, `path`), and judges one document after the other.
"""

from .document import PolicyFile as PolicyFile
from .operators import OPERATORS as OPERATORS, PATTERN as PATTERN
from .policy import Policy as Policy
from .reading import read_policies as read_policies
from .subjects import PLAN as PLAN, SUBJECTS as SUBJECTS
