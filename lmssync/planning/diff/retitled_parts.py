"""Finds parts of a course that look as if only their title, or their id and title, had changed.

A part without an id is called after its title, so under a new title it is a new part: a second
one, since nothing can be deleted, and without what learners did in the old one (O11). A part
under another id is a new part as well, also where the course has got another key in the same
commit. Only the author knows whether that is meant. This module compares only two forms.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...kinds import SAYS_LITTLE, is_structure, part_names
from ...resource import Address

Item = Mapping[str, Any]
_NAMES = frozenset({"id", "title"})
_HINTS = 5


class Retitled(NamedTuple):
    """A part that left, and the part that came in its place."""

    noun: str
    path: str
    """Path of the part that left: `start/welcome/hello`."""
    title: str
    """Title of the part that came."""
    sure: bool
    """True if only the title differs, or the id; else they only stand at the same place."""
    new_id: str = ""
    """The id that the author has given to the part that came; empty if it has none of its own."""

    @property
    def name(self) -> str:
        """The id of the part that left."""
        return self.path.rpartition("/")[2]


def describe_undecided_titles(address: Address, parts: Sequence[Retitled]) -> str:
    """What the author has to decide; empty unless one part is surely the one that left."""
    sure = [part for part in parts if part.sure]
    if not sure:
        return ""
    first, *others = sure
    paths = ", ".join(f"`{part.path}`" for part in others)
    more = f" Decide about {paths} as well." if others else ""
    noun = first.noun
    why = f"Without an id, a {noun} with a new title is a new {noun}"
    same = f"give it `id: {first.name}`"
    if first.new_id:
        why = f"A {noun} with another id is a new {noun}"
        now = f"{first.path.removesuffix(first.name)}{first.new_id}"
        same = f"write `moved: [{{from: {first.path}, to: {now}}}]`, or {same}"
    return (
        f"the {noun} `{first.path}` is gone, and “{first.title}” has come with the same content. "
        f"{why}: lmssync would create one more, and what learners did in the old one would be "
        f"lost. If it is the same, {same}; if not, `--allow {address}`.{more}"
    )


def title_hints(parts: Sequence[Retitled]) -> list[str]:
    """A hint for each part that may replace another; if there are very many, for the first ones."""
    lines = [
        f"the {part.noun} `{part.path}` is gone, and “{part.title}” is in its place: if it "
        f"is the same under a new title, give it `id: {part.name}`"
        for part in parts
        if not part.sure
    ]
    more = [f"and {len(lines) - _HINTS} more parts like it"] if len(lines) > _HINTS else []
    return lines[:_HINTS] + more


def find_retitled(before: Item, after: Item, path: str = "") -> Iterator[Retitled]:
    """Parts whose titles or ids seem to have changed, in a form or in the part at a path."""
    for field, old in before.items():
        if is_structure(old) and is_structure(after.get(field)):
            yield from _retitled_siblings(field, path, old, after[field])


def _retitled_siblings(
    field: str, path: str, old: Sequence[Item], new: Sequence[Item]
) -> Iterator[Retitled]:
    kept = {item["id"] for item in old} & {item["id"] for item in new}
    left, came = (list(find_unpaired(items, kept)) for items in (old, new))
    # Pairs that are sure come first, so that a mere likeness takes no part away from them.
    for sure in (True, False):
        for gone, part in _pair_siblings(left, came, sure=sure):
            left.remove(gone)
            came.remove(part)
            name = f"{path}{gone.item['id']}"
            title, new_id = str(part.item["title"]), "" if part.nameless else part.item["id"]
            yield Retitled(field.removesuffix("s"), name, title, sure, new_id)
    after = {item["id"]: item for item in new}
    for item in (one for one in old if one["id"] in kept):
        yield from find_retitled(item, after[item["id"]], f"{path}{item['id']}/")


class Unpaired(NamedTuple):
    """A part that exists only before or only after."""

    item: Item
    place: int
    """The number of parts before it that exist both before and after."""
    nameless: bool
    """True if its id is the one that a part without an id gets from its title."""


def find_unpaired(items: Sequence[Item], kept: Container[str]) -> Iterator[Unpaired]:
    """The siblings whose ids are not among `kept`."""
    place = 0
    for number, item in enumerate(items):
        if item["id"] in kept:
            place += 1
            continue
        # The id that it would get without one of its own: if it has just this one, nobody chose it.
        without = [*items[:number], {**item, "id": None}, *items[number + 1 :]]
        yield Unpaired(item, place, nameless=part_names(without)[number] == item["id"])


def _pair_siblings(
    left: Sequence[Unpaired], came: Sequence[Unpaired], *, sure: bool
) -> list[tuple[Unpaired, Unpaired]]:
    """The pairs that are surely the same, or those that may be; each part once, in order."""
    pairs: list[tuple[Unpaired, Unpaired]] = []
    for part in came:
        taken = [gone for gone, _ in pairs]
        others = (gone for gone in left if gone not in taken and _likeness_of(gone, part) is sure)
        if (mate := next(others, None)) is not None:
            pairs.append((mate, part))
    return pairs


def _likeness_of(old: Unpaired, new: Unpaired) -> bool | None:
    """True if they are surely the same, False if they may be, None if they are two parts."""
    if old.item.get("type") != new.item.get("type"):
        return None
    same = content_without_names(old.item) == content_without_names(new.item) or _same_inside(
        old.item, new.item
    )
    here = old.place == new.place
    if not new.nameless:  # the author has named it: another one is meant, unless it says as much
        if same and _says_much(new.item):
            return True
        # Whoever writes down the id of a part that had none may get it wrong.
        slip = same and old.nameless and old.item["title"] == new.item["title"]
        return False if slip else None
    if same and (here or _says_much(new.item)):
        return True
    return False if here else None


def content_without_names(item: Item, *, deep: bool = False) -> Item:
    """Everything but its id and title; of the parts below it only the ids or, if `deep`, everything
    but these as well."""
    return {
        field: [content_without_names(child, deep=True) if deep else child["id"] for child in value]
        if is_structure(value)
        else value
        for field, value in item.items()
        if field not in _NAMES
    }


def _same_inside(old: Item, new: Item) -> bool:
    """True if only titles differ, theirs and of parts below, and the pages say enough to tell."""
    pages = list(_list_pages(old))
    says_enough = pages != [old] and any(map(_says_much, pages))
    return says_enough and content_without_names(old, deep=True) == content_without_names(
        new, deep=True
    )


def _list_pages(item: Item) -> Iterator[Item]:
    """The parts in it that have no parts themselves."""
    children = [child for value in item.values() if is_structure(value) for child in value]
    if not children:
        yield item
    for child in children:
        yield from _list_pages(child)


def _says_much(item: Item) -> bool:
    return any(value for field, value in item.items() if field not in _NAMES | SAYS_LITTLE)
