"""What a guard or a policy says of a plan, as a value."""

from collections.abc import Sequence
from typing import NamedTuple

from ..address import Address
from ..problems import Severity


class GuardVerdict(NamedTuple):
    """Something in a plan that a guard, or a policy of the catalog, stops or points out."""

    guard: str
    """Name of the guard, or id of the policy."""
    severity: Severity
    addresses: Sequence[Address]
    """What it is about; empty if it is about the plan as a whole."""
    message: str
    allow: str = ""
    """The options that let it pass, to be copied; empty if nothing does."""
    permitted: bool = False
    """Somebody has given these options."""
