"""A body of prose: HTML, Markdown, or a file that holds one of them."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from ..kind import OneAtMost, Spec
from ..problems import Finding, Rule
from ..resource import Path
from .types import Html, Markdown, Shown, Title

ONE_BODY = Rule(
    "one-body",
    "A body is given in more than one way.",
    "Keep one of `body`, `markdown`, `bodyFile`.",
    within="a topic",
    wrong="body: <p>Hi.</p>\nmarkdown: Hi.",
    right="markdown: Hi.",
)

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
    """Says when a body is written twice."""
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
