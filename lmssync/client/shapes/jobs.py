"""Background jobs, and answers that name them (spec 2.6, 3)."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ...vocabulary.enums import JobStatus
from .words import ABSENT, Shape, Text, Uuid


class Job(Shape):
    id: Uuid
    status: Annotated[JobStatus, Field(strict=False)]
    description: Text | None = None


class Named(Shape):
    """Something new of which only the id is said."""

    id: Uuid


class _Mentioned(Shape):
    id: Uuid | None = None


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [] if value is None else [value]


Queued = Annotated[list[_Mentioned], BeforeValidator(_listed)]
"""Jobs that go on: none, one or several; an answer may mention jobs without their ids (O15)."""


class Jobs(Shape):
    """What a call may leave to background jobs (O6, O15)."""

    backgroundJob: Queued = ABSENT
    backgroundJobs: Queued = ABSENT


class _Clone(Shape):
    APICloneClient: Named


class Cloned(Shape):
    """Of a clone, which is a job (spec 4, clone rule 3)."""

    data: _Clone


class _Assigned(Shape):
    jobId: Uuid
    unresolvedIdentifiers: list[Text]


class Assigned(Shape):
    """Of a bulk sublicense assignment, which is a job (spec 4, sublicense rule 6)."""

    data: _Assigned
