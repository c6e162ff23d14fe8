"""The fields that every manifest has, and those of every body of prose."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from ..kind import Data, OneAtMost, Spec
from ..problems import Finding, Rule
from ..resource import Form, Path
from .field_types import Html, Key, Markdown, Shown, Switch, Title
from .reference_fields import ReferenceField, reference_nodes

ONE_BODY = Rule(
    "one-body",
    "A body is given in more than one way.",
    "Keep one of `body`, `markdown`, `bodyFile`.",
    within="a topic",
    wrong="body: <p>Hi.</p>\nmarkdown: Hi.",
    right="markdown: Hi.",
)


OWN_FIELDS = frozenset({"resource", "key", "moved", "lifecycle"})
"""Fields that only concern lmssync and are never sent: no form contains them."""


class Moved(Spec):
    """An address that this resource had before, or a path that one of its parts had."""

    from_: Annotated[Title, Field(alias="from"), Shown(("course.safety",))]
    """The old address, such as `course.safety`; of a part its old path, with `to`."""
    to: Annotated[Title | None, Shown(("start/welcome",))] = None
    """Of a part the path that it has now: only its own id, which comes last, may differ."""


class Lifecycle(Spec):
    """How careful lmssync is with this resource."""

    protect: Annotated[Switch, Shown((True,))] = None
    """It changes only if the command names its address (`--allow course.safety-101`)."""
    ignore: Annotated[list[Title] | None, Shown((["ribbon"],))] = None
    """Fields that are set when it is created and left alone afterwards, such as `ribbon`."""


class Managed(Spec):
    """The fields of lmssync's own that every manifest has."""

    resource: str
    """Kind of resource."""
    key: Annotated[Key, Shown(("safety-101",))]
    """Identity in the catalog: a title may change, a key may not (see `moved`)."""
    moved: list[Moved] | None = None
    """Addresses that it had before: it is the same under a new key, nothing is created."""
    lifecycle: Lifecycle | None = None
    """How careful lmssync is with this resource."""


def with_nodes(table: Mapping[str, ReferenceField], data: Data) -> Form:
    """The form of a document, with nodes for the names in the fields of `table`.

    Fields that only concern lmssync are left out.
    """
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    return form | {
        field: reference_nodes(table[field], form[field]) for field in table if field in form
    }


BODY_FILE = "bodyFile"
WAYS = ("body", "markdown", BODY_FILE)
LANGUAGE = "language"
"""The field by which a language of a page is known among the others."""
ONE_WAY = OneAtMost(
    WAYS, f"A body is given in one way: keep one of {', '.join(f'`{way}`' for way in WAYS)}."
)


class BodyFields(Spec):
    """The three ways to write a body; at most one of them is used."""

    body: Annotated[Html | None, Shown(("<p>Close the guard first.</p>",))] = None
    """HTML, sent as it is."""
    markdown: Annotated[Markdown | None, Shown(("Close the **guard** first.",))] = None
    """CommonMark with tables, rendered to HTML."""
    bodyFile: Annotated[Title | None, Shown(("hello.md",))] = None
    """A `.md` or `.html` file, relative to the manifest and inside the catalog."""


def one_way(path: Path, holder: BodyFields) -> Iterator[Finding]:
    """Yields a finding for a body that is written in two ways."""
    if used := ONE_WAY.used_fields(holder):
        yield ONE_BODY.at(
            (*path, used[1]),
            f"{' and '.join(f'`{way}`' for way in used)} are both given; a body takes only one",
            f"keep one of {', '.join(WAYS)}",
        )


def as_node(holder: Mapping[str, Any]) -> dict[str, Any]:
    """`holder` with its body under `body`, Markdown as a node; files were read before."""
    form = {**holder}
    markdown, file = form.pop("markdown", None), form.pop(BODY_FILE, "")
    if markdown is not None:
        form["body"] = {"$markdown": markdown}
    elif "body" not in form and ("markdown" in holder or file is None):
        form["body"] = None  # null clears it, whichever way it was written before
    return form
