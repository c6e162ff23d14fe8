"""What the options of an assignment remove for good when somebody loses a license (spec 3)."""

from collections.abc import Iterator

from ...kind import Effect, PermanentLoss
from ...resource import Form


def assignment_losses(before: Form, after: Form) -> Iterator[PermanentLoss]:
    """Said when the word is new: from then on each person who leaves the list loses as much."""
    options = (form.get("enrollmentOptions") or {} for form in (before, after))
    was, now = (given.get("preserveProgress") for given in options)
    if now is False and was is not False:
        yield PermanentLoss(
            "`preserveProgress: false`: anyone who loses a license through this assignment, now or "
            "later, also loses progress, attempts and submissions, which cannot be restored",
            Effect.PROGRESS,
            later=True,
        )
