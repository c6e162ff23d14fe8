"""What a policy file may say: one document for each policy."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ...kinds.kind import Spec
from ...kinds.types import Shown, Title

ID = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
Group = dict[str, Any]
"""Conditions by the path of what they are about, and the groups `any`, `all` and `not`."""


class PolicyFile(Spec):
    """A rule of the house: what holds for some manifests, beside the rules of the platform."""

    policy: Annotated[
        str,
        Field(
            pattern=ID,
            max_length=60,
            json_schema_extra={"patternErrorMessage": "Write small words with hyphens between."},
        ),
        Shown(("published-has-meta",)),
    ]
    """Its id, the code of its problems: small words with hyphens between."""
    resource: str | list[str]
    """The kind of manifest that it looks at, or a list of kinds."""
    severity: Annotated[Literal["error", "warning"], Shown(("warning",))] = "error"
    """How a problem is taken; `rules:` of the project file may grade it otherwise."""
    when: Annotated[Group, Shown(({"status": "published"},))] = Field(default_factory=dict)
    """Which manifests it is about: all of this holds for them; every one when left out."""
    each: Annotated[str | list[str], Shown(("sections.lessons.topics",))] = ""
    """Path, or paths, to items of the manifest: `where` and `require` are about each of them."""
    where: Annotated[Group, Shown(({"type": "video"},))] = Field(default_factory=dict)
    """Which of the items it is about; goes with `each`."""
    require: Annotated[Group, Shown(({"metaDescription": {"present": True}},))]
    """What must hold: all of it."""
    message: Annotated[Title, Shown(("a published course has a description",))]
    """The rule in a sentence; what is wrong follows it."""
    hint: Annotated[Title, Shown(("see the handbook, chapter 3",))] = ""
    """What to do about it."""
