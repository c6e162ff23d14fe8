"""What a policy file may say: one document for each policy."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ....kind import Spec
from ....kinds import Shown, Title

ID = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
Group = dict[str, Any]
"""Conditions by the path of what they are about, and the groups `any`, `all` and `not`."""


class PolicyFile(Spec):
    """A rule of your own for some manifests, or for plans, in addition to those of the platform."""

    policy: Annotated[
        str,
        Field(pattern=ID, max_length=60),
        Shown(("published-has-meta",), message="Write lowercase words with hyphens between them."),
    ]
    """Its id, which problems show: lowercase words with hyphens between them."""
    resource: str | list[str]
    """The kind of manifest that it looks at, or a list of kinds; `plan` for what a plan would
    do."""
    severity: Annotated[Literal["error", "warning"], Shown(("warning",))] = "error"
    """Severity of its problems; `rules:` of the project file can change it."""
    when: Annotated[Group, Shown(({"status": "published"},))] = Field(default_factory=dict)
    """Which manifests it applies to: those that meet all of this; every one when left out."""
    each: Annotated[str | list[str], Shown(("sections.lessons.topics",))] = ""
    """Path, or paths, to items of the manifest: `where` and `require` apply to each of them."""
    where: Annotated[Group, Shown(({"type": "video"},))] = Field(default_factory=dict)
    """Which of the items it applies to; only with `each`."""
    require: Annotated[Group, Shown(({"metaDescription": {"present": True}},))]
    """Conditions that must all hold."""
    message: Annotated[Title, Shown(("a published course has a description",))]
    """The rule in a sentence; problems show it, followed by what is wrong."""
    hint: Annotated[Title, Shown(("see the handbook, chapter 3",))] = ""
    """What to do about it."""
