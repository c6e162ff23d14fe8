"""Makes calls and waits small, so that few things need many calls."""

from collections.abc import Callable
from typing import Any

from lmssync.applying.apply import platform_work, session
from lmssync.kinds.course import course_changes
from lmssync.kinds.license_assignment import assignment_calls
from lmssync.platform.client import send_deadline as announced
from lmssync.vocabulary.routes import ROUTES
from tests.patience import PATIENCE


def small(attribute: Callable[[Any, str, Any], object], item: Callable[..., object]) -> None:
    """Sets all of them by `setattr` and `dict.__setitem__`, or by what can undo it."""
    attribute(assignment_calls, "USERS_PER_SUBLICENSE", 1)
    attribute(course_changes, "ENTRIES_PER_UPDATE", 3)
    attribute(platform_work, "LAG", 0.1)  # reads of the sandbox do not lag
    attribute(
        platform_work, "MARGIN", -PATIENCE - 0.8
    )  # nor does it work longer than 0.2 s on anything
    attribute(session, "MINUTE", 0.0)  # one read of a run is enough, the rest waits
    attribute(announced, "PROMPT_SHARED", announced.PROMPT)
    for route in ("course.create", "course.update", "criteria.update"):
        batch = ROUTES[route].batch
        assert batch
        item(ROUTES, route, ROUTES[route]._replace(batch=batch._replace(limit=3)))
