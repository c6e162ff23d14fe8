"""What a policy can look at: the manifests of a kind, or a plan."""

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import BaseModel

from ...kinds import BY_RESOURCE
from .plan_document import PlanDocument


class PolicySubject(NamedTuple):
    """Documents of one sort, and the fields that they have."""

    resource: str
    """Its word in `resource:`."""
    noun: str
    spec: type[BaseModel]
    short: Mapping[str, str] = {}
    """Fields that hold short forms, and the word of what each of these is."""


PLAN = "plan"
SUBJECTS: Mapping[str, PolicySubject] = {
    word: PolicySubject(
        word,
        kind.noun,
        kind.spec,
        {nested.field: nested.resource for nested in kind.authoring.nested},
    )
    for word, kind in BY_RESOURCE.items()
} | {PLAN: PolicySubject(PLAN, "plan", PlanDocument)}
"""By the word in the policy."""
