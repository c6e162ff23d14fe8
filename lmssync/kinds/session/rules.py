"""What must hold in one further session, beyond what holds in the first (O3)."""

from collections.abc import Iterator

from ...problems import Finding, warning_rule
from ..course import goes_live
from .spec import SessionSpec

SESSION_EMPTY = warning_rule(
    "session-empty",
    "A further session goes live without `sections`. Nothing shows that a new session gets the "
    "content of the first one, so learners may find it empty.",
    "Give it its own `sections`, or keep it a draft until a person has filled it.",
    source="O3",
    within="a session",
    wrong="status: published",
    right="status: draft",
)


def has_content(session: SessionSpec) -> Iterator[Finding]:
    if goes_live(vars(session)) and not session.sections:
        message = "the session has no `sections`: learners may find it empty"
        yield SESSION_EMPTY.at((), message)
