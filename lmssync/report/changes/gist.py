"""What happens to a resource in a few words, for a list that is read in a minute."""

from collections.abc import Iterator

from ...kinds import is_structure
from ...planning.diff import FieldChange
from ...planning.plan import Action, Plan, PlannedChange, fields
from ...support.visible import escape_invisible
from .. import words
from . import outline
from .view import Entry, Item, Parts, Reordered, Rewritten, Value, Whole

_LONG = 64
"""Characters of a value that is shown in a list."""
_FEW = 3
"""Things that are named; the others are counted."""


def gist(plan: Plan, entry: Entry) -> list[str]:
    """`title: “A” → “B”`, `text of hello`, `2 more`: what is new, what differs or what remains."""
    if entry.planned.action is Action.CREATE:
        return _few([*_new(plan, entry.planned)])
    items = entry.items or [item for items in entry.drift for item in items]
    named = dict.fromkeys(filter(None, map(_brief, items)))
    return _few([*named]) or list(entry.reasons[:1])


def place(path: str) -> str:
    """`sections[start].lessons[one].topics[hello].body` as `hello.body`."""
    if path.endswith("]"):
        return path.rpartition("[")[2].removesuffix("]")
    before, _, field = path.rpartition("].")
    return f"{before.rpartition('[')[2]}.{field}" if before else path


def _few(phrases: list[str]) -> list[str]:
    shown = words.some(phrases, _FEW, full=False)
    left = len(phrases) - len(shown)
    return [*shown, f"{left:,} more"] if left else [*shown]


def spell_whole(item: Value) -> str:
    """The whole of a field that fits on a line."""
    return f"{place(item.path)}: {item.text}"


def _brief(item: Item) -> str:
    match item:
        case Value(path):
            line = spell_whole(item)
            return line if len(line) <= _LONG else place(path)
        case Reordered(path):
            return f"order of {place(path)}"
        case Rewritten(path) | Whole(path):
            return f"text of {place(path).removesuffix('.body')}"
        case Parts():
            return ""


def _new(plan: Plan, planned: PlannedChange) -> Iterator[str]:
    """How many parts it has; for what has none, its fields."""
    made = [field for field in fields(plan, planned) if field.after != planned.title]
    whole = [field for field in made if is_structure(field.after)]
    if whole:
        yield from (outline.counts(field.path, field.after) for field in whole)
        return
    for field in made:
        yield from _facts(field)


def _facts(field: FieldChange) -> Iterator[str]:
    for path, value in outline.leaves(field.path, field.after):
        line = escape_invisible(f"{path}: {outline.summary(value)}")
        yield line if len(line) <= _LONG else escape_invisible(path)
