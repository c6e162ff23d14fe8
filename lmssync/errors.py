"""What can stop lmssync, other than a mistake in the catalog.

* LmssyncError
  * WrongUse             the command line, or the project file, asks for something impossible
  * InvalidCatalog       the catalog has problems
  * StateError           the state cannot be read or written
    * StateLocked        another run holds it
    * Fenced             another run has taken it over
    * NotHandedIn        what was done is recorded here, and not yet where the state is kept
  * PlatformError        something between us and the platform
    * Unreachable        no answer
      * ServerFailed     a failure of the server on one route
    * KeyRefused         the key is unknown, revoked, or may not do this
    * Refused            an error envelope
    * Unreadable         an answer, but not in a shape of the specification
    * BudgetSpent        the calls that a run may make are used up
    * Stopped            somebody stopped the run while it waited for the platform
  * CodeHostFailed       GitHub or GitLab gave no answer, or refused something
  * StalePlan            the state or the platform changed after the plan was made
  * Forbidden            a guard or a policy forbids what the plan would do

Errors never print and never exit: `cli.exits` alone turns them into words and a code.
"""

from collections.abc import Sequence
from pathlib import Path

from .problems import Problem


class LmssyncError(Exception):
    """Something expected that stops a run, with what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class WrongUse(LmssyncError):
    """The command makes no sense: options that contradict, a file that is not a plan."""


class InvalidCatalog(LmssyncError):
    """The catalog has problems; nothing was planned or sent."""

    def __init__(self, problems: Sequence[Problem], root: Path | None = None) -> None:
        super().__init__(f"the catalog has {len(problems)} problems")
        self.problems = list(problems)
        self.root = root
        """The folder of the files that the problems name; None where no line of them is shown."""


class StateError(LmssyncError):
    """The state cannot be read or written."""


class StateLocked(StateError):
    """Another run holds the state."""


class Fenced(StateError):
    """Another run has taken the state over; this one may write no more."""


class NotHandedIn(StateError):
    """What a run has done is recorded on this machine, and not yet where the state is kept."""


class PlatformError(LmssyncError):
    """Something between us and the platform."""


class Unreachable(PlatformError):
    """The platform gave no answer, or none but server failures."""


class ServerFailed(Unreachable):
    """The platform answered a request with a failure of its own; other routes may work."""


class KeyRefused(PlatformError):
    """The platform does not know the key, or the key may not do this."""


class Refused(PlatformError):
    """The platform answered with an error envelope."""

    def __init__(self, message: str, status: int, hint: str = "") -> None:
        super().__init__(message, hint)
        self.status = status


class Unreadable(PlatformError):
    """The platform answered in a shape that the specification does not have."""


class BudgetSpent(PlatformError):
    """The calls that a run may make are used up; nothing more was asked."""


class Stopped(PlatformError):
    """Somebody stopped the run while the platform made it wait; what was done is recorded."""


class CodeHostFailed(LmssyncError):
    """A code host gave no answer, or refused; what was to be shown there is shown elsewhere."""

    def __init__(self, message: str, hint: str = "", *, status: int = 0) -> None:
        super().__init__(message, hint)
        self.status = status


class StalePlan(LmssyncError):
    """The state or the platform changed after the plan was made."""


class Forbidden(LmssyncError):
    """A guard or a policy forbids what the plan would do; nothing was sent."""
