"""What the options of an assignment take away for good once somebody loses a license (spec 3)."""

from collections.abc import Iterator

from ...resource import Form
from ..kind import Effect, Loss


def losses(before: Form, after: Form) -> Iterator[Loss]:
    """Said when the word is new: from then on each person who leaves the list loses as much."""
    if _deletes(after) and not _deletes(before):
        yield Loss(
            "`preserveProgress: false`: whoever loses a license by this assignment, now or later, "
            "loses progress, attempts and submissions too, and nothing can bring them back",
            Effect.PROGRESS,
        )


def _deletes(form: Form) -> bool:
    return (form.get("enrollmentOptions") or {}).get("preserveProgress") is False
