"""Finds parts of a course that go to another parent: to another lesson, or another section.

The platform cannot move a part (O11): a new one is made under the new parent, the old one is left
to be deleted by hand, and what learners did in it does not come along.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

from ...kinds import is_structure
from ...resource import Address, Form
from .retitled import Item, content_without_names

_NAMED = 5
"""How many moves are told one by one."""


class MovedPart(NamedTuple):
    """A part that is gone under one parent and new under another."""

    noun: str
    title: str
    was: str
    """Its path before: `start/welcome/hello`."""
    now: str

    def __str__(self) -> str:
        old, new = (path.rpartition("/")[0] for path in (self.was, self.now))
        return (
            f"“{self.title}” moves from `{old}` to `{new}`: the platform cannot move a "
            f"{self.noun}, so this makes a new one and leaves the old one to be deleted by "
            "hand; learners' progress in it is lost"
        )


class _Part(NamedTuple):
    level: str
    item: Item


def moved_parts(before: Form, after: Form, known: Set[str] = frozenset()) -> list[MovedPart]:
    """What goes to another parent, without what goes along in it.

    `known` are the paths of parts that only have another title; they stay where they are.
    """
    old, new = dict(_list_parts(before)), dict(_list_parts(after))
    gone = {
        path: part for path, part in old.items() if path not in new and not _is_within(path, known)
    }
    moved: dict[str, str] = {}
    for path, part in new.items():
        if path in old or _is_within(path, moved.keys()):
            continue
        left = {was: one for was, one in gone.items() if not _is_within(was, moved.values())}
        if was := _path_before(path, part, left):
            moved[path] = was
    return [
        MovedPart(new[now].level.removesuffix("s"), str(new[now].item["title"]), was, now)
        for now, was in moved.items()
    ]


def _list_parts(holder: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, _Part]]:
    """Every part by its path, those above before those below."""
    for level, items in holder.items():
        for item in items if is_structure(items) else ():
            path = f"{above}{item['id']}"
            yield path, _Part(level, item)
            yield from _list_parts(item, f"{path}/")


def _is_within(path: str, others: Iterable[str]) -> bool:
    """True for one of the others, and for what stands in one."""
    return any(path == other or path.startswith(f"{other}/") for other in others)


def _path_before(path: str, part: _Part, gone: Mapping[str, _Part]) -> str:
    """The path of the one part that it was: by its content, else by its id; empty if unclear."""
    parent = path.rpartition("/")[0]
    others = {
        was: one
        for was, one in gone.items()
        if one.level == part.level
        and one.item.get("type") == part.item.get("type")
        and was.rpartition("/")[0] != parent
    }
    for same in (_content_of, _id_of):
        alike = [was for was, one in others.items() if same(one.item) == same(part.item)]
        if alike:
            return alike[0] if len(alike) == 1 else ""
    return ""


def _id_of(item: Item) -> Any:
    return item["id"]


def _content_of(item: Item) -> Any:
    return item["title"], content_without_names(item)


def describe_undecided_moves(address: Address, moved: Iterable[MovedPart]) -> str:
    """What the author has to decide, where learners would lose progress; empty for no moves."""
    lines = move_hints(moved)
    return f"{'; '.join(lines)}. If that is meant: `--allow {address}`" if lines else ""


def move_hints(moved: Iterable[MovedPart]) -> list[str]:
    """What becomes of each; if there are very many, of the first ones."""
    lines = [str(one) for one in moved]
    more = [f"and {len(lines) - _NAMED} more parts move"] if len(lines) > _NAMED else []
    return lines[:_NAMED] + more
