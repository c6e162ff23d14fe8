"""Resources written inside another: each becomes the document that it stands for.

A document without a usable key gets a made-up one, so that the rest of it can be checked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from zlib import crc32

from ....kind import Nested
from ....problems import Problem, Rule
from ....resource import KEY, KEY_MOST, Origin
from .. import validation_errors

_BEGINNING = "no-key-is-written-here-"
_STAND_IN = re.compile(rf"(?<![A-Za-z0-9]){_BEGINNING}\d+")


def seed_for(origin: Origin) -> int:
    """A number for a place, different for each place."""
    text = f"{origin.file}\0{origin.document}\0{origin.path}"
    return crc32(text.encode("utf-8", "surrogatepass"))


def generated_key(origin: Origin) -> str:
    return f"{_BEGINNING}{seed_for(origin)}"


def key_of(origin: Origin, data: Mapping[str, Any]) -> str:
    """The key of a document, or a made-up one if the document has no usable key."""
    key = data.get("key")
    fits = isinstance(key, str) and len(key) <= KEY_MOST and re.fullmatch(KEY, key)
    return str(key) if fits else generated_key(origin)


def is_generated(text: str) -> bool:
    """True for a key that is not in any file, and for a text that mentions one."""
    return _STAND_IN.search(text) is not None


def without_generated(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems as an author may read them: none mentions a key that is not in any file."""
    for problem in problems:
        address = problem.address
        if not is_generated(problem.message):
            invented = address and is_generated(address.key)
            yield problem._replace(address=None) if invented else problem


SHORT_FORM = Rule(
    "short-form",
    "Resources inside a course are not written as a list.",
    "Write one item per line, after `-`.",
    wrong="completionCriteria: all",
    right="completionCriteria:\n  - {id: all, type: coursePercentViewed, percent: 80}",
)
SHORT_FORM_FIELD = Rule(
    "short-form-field",
    "A short form repeats what its place already says: its course, its key or its kind.",
    "Delete the field, or write the item as a document of its own.",
    wrong="completionCriteria:\n  - {id: all, course: a, type: coursePercentViewed, percent: 80}",
    right="completionCriteria:\n  - {id: all, type: coursePercentViewed, percent: 80}",
)
SHORT_FORM_ID = Rule(
    "short-form-id",
    "A resource inside a course has no `id`.",
    "Add one: it is the last part of its address.",
    wrong="completionCriteria:\n  - {type: coursePercentViewed, percent: 80}",
    right="completionCriteria:\n  - {id: all, type: coursePercentViewed, percent: 80}",
)


class ExpandedItem(NamedTuple):
    """A short form made long."""

    origin: Origin
    data: dict[str, Any]
    sound: bool = True
    """True if nothing keeps it from a long form; else it has one as far as it can be read."""


def expand_short_forms(
    nested: Nested, outer: Origin, owner: Any, written: Any
) -> tuple[list[ExpandedItem], list[Problem]]:
    """The long form of each item of `written`, and what keeps other items from having one."""
    if written is None or not isinstance(owner, str):
        return [], []  # without the key of what they stand in, they have no names themselves
    top = outer._replace(path=(nested.field,))
    if not isinstance(written, list):
        message = f"`{nested.field}` is {validation_errors.kind_of(written)}; it must be a list"
        return [], [SHORT_FORM.problem(message, top.at(()), "")]
    items: list[ExpandedItem] = []
    problems: list[Problem] = []
    for position, item in enumerate(written):
        origin = top._replace(path=(nested.field, position))
        wrong = _not_short(nested, origin, item)
        if wrong:
            problems.append(wrong)
        if isinstance(item, dict):
            items.append(
                ExpandedItem(origin, _expand_item(nested, origin, owner, item), sound=wrong is None)
            )
    return items, problems


def _expand_item(
    nested: Nested, origin: Origin, owner: str, item: dict[str, Any]
) -> dict[str, Any]:
    """The document for an item; an item without a name gets a name of its own."""
    name = item.get("id")
    known = {"id": name if isinstance(name, str) else generated_key(origin)}
    implied = {"resource": nested.resource, "key": f"{owner}.{known['id']}", nested.owner: owner}
    return {**item, **known, **implied}


def _not_short(nested: Nested, origin: Origin, item: Any) -> Problem | None:
    """The problem of an item that is no short form; None if it is one."""
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        message = f"each of `{nested.field}` is a mapping with an `id`"
        hint = "add `id:`; it identifies the item when the others change"
        return SHORT_FORM_ID.problem(message, origin.at(()), hint)
    implied = [name for name in ("resource", "key", nested.owner) if name in item]
    if not implied:
        return None
    message = f"`{implied[0]}` is already set by the place of a short form"
    hint = "delete it, or write the item as a document of its own"
    return SHORT_FORM_FIELD.problem(message, origin.at((implied[0],)), hint)
