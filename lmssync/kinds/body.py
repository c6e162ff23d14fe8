"""A body of prose: HTML, Markdown, or a file that holds one of them."""

from collections.abc import Iterator
from typing import Annotated, Any

from ..problems import Finding
from ..source import Path
from .kind import Spec
from .types import Html, Markdown, Shown, Title

BODY_FILE = "bodyFile"
WAYS = ("body", "markdown", BODY_FILE)
_WAYS = frozenset(WAYS)


class Body(Spec):
    """The three ways to write a body; at most one of them is used."""

    body: Annotated[Html | None, Shown(("<p>Close the guard first.</p>",))] = None
    """HTML, sent as it is."""
    markdown: Annotated[Markdown | None, Shown(("Close the **guard** first.",))] = None
    """CommonMark with tables, rendered to HTML."""
    bodyFile: Annotated[Title | None, Shown(("hello.md",))] = None
    """A `.md` or `.html` file, relative to the manifest and inside the catalog."""

    def ways(self) -> list[str]:
        """The ways that were used."""
        return [way for way in WAYS if way in self.model_fields_set]


def one_way(path: Path, holder: Body) -> Iterator[Finding]:
    """Says when a body is written twice."""
    if len(_WAYS & holder.model_fields_set) > 1:
        used = holder.ways()
        yield Finding(
            "one-body",
            (*path, used[1]),
            f"{' and '.join(f'`{way}`' for way in used)} are both given; a body takes only one",
            f"keep one of {', '.join(WAYS)}",
        )


def as_node(holder: dict[str, Any]) -> dict[str, Any]:
    """`holder` with its body under `body`, Markdown as a node; files were read before."""
    form = {key: value for key, value in holder.items() if key not in WAYS}
    if holder.get("markdown") is not None:
        form["body"] = {"$markdown": holder["markdown"]}
    elif "body" in holder:
        form["body"] = holder["body"]
    elif any(way in holder and holder[way] is None for way in WAYS):
        form["body"] = None  # null clears it, whichever way it was written before
    return form
