"""What the replace flags of a license take away for good (spec 4)."""

from collections.abc import Iterator

from ...resource import Form
from ..kind import Effect, Loss

REPLACES = {
    "replaceCourseIds": "course",
    "replaceLearningPathIds": "learning path",
    "replaceCourseTagIds": "tag",
}
"""The flags, and the assignments that each takes away."""


def losses(before: Form, after: Form) -> Iterator[Loss]:
    """A replace flag ends what other licenses of the client have assigned (spec 4)."""
    for field, assigned in REPLACES.items():
        if after.get(field) and not before.get(field):
            yield Loss(
                f"`{field}: true` takes away every other {assigned} assignment of the client, "
                "those of its other licenses too, and they cannot be restored",
                Effect.ACCESS,
            )
