"""policies: a catalog's own rules, written without code in `policies/*.yaml`.

A file is read and checked once (`policy_reading`, `policy_compiler`), each policy becomes a tree of
conditions that travels to worker processes (`policy_conditions`), and judges one document after the
other.
"""

from .policy_documents import PolicyFile as PolicyFile
from .policy_operators import OPERATORS as OPERATORS, PATTERN as PATTERN
from .policy_reading import read_policies as read_policies
from .policy_subjects import PLAN as PLAN, SUBJECTS as SUBJECTS, Policy as Policy
