"""What the options of an assignment remove for good when somebody loses a license (spec 3)."""

from collections.abc import Iterator

from ...kind import Effect, Loss
from ...resource import Form


def losses(before: Form, after: Form) -> Iterator[Loss]:
    """Said when the word is new: from then on each person who leaves the list loses as much."""
    if _deletes(after) and not _deletes(before):
        yield Loss(
            "`preserveProgress: false`: anyone who loses a license through this assignment, now or "
            "later, also loses progress, attempts and submissions, which cannot be restored",
            Effect.PROGRESS,
        )


def _deletes(form: Form) -> bool:
    return (form.get("enrollmentOptions") or {}).get("preserveProgress") is False
