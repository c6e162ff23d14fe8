"""`edit`: a change in the admin interface, which the rules of the routes do not limit.

`{"list", "id", "set": {...}}` changes fields, `{"list", "id", "delete": true}` deletes and
`"delete": "restore"` undoes that, `{"list", "add": {...}}` adds. It makes no event (O41);
`updatedAt` changes, as with any change (O24).
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .. import checks
from ..checks import Wrong, checked, entry_object, present, shown
from ..platform import World
from ..serving.exchange import Answer
from . import edit_content, edit_object, edit_tree
from .edit_object import EDITED

Doc = dict[str, Any]
Query = Mapping[str, list[str]]


class Hand(NamedTuple):
    """What a person can do with the things of a list; each raises Wrong."""

    set: Callable[[World, str, str, Doc], Doc]
    delete: Callable[[World, str, str], None]
    restore: Callable[[World, str, str], Doc]
    add: Callable[[World, str, Doc], Doc]


_CONTENT = Hand(edit_content.set_, edit_content.delete, edit_content.restore, edit_content.add)
_TREE = Hand(edit_tree.set_, edit_tree.delete, edit_tree.restore, edit_tree.add)
_OBJECT = Hand(edit_object.set_, edit_object.delete, edit_object.restore, edit_object.add)
HANDS: Mapping[str, Hand] = {
    **dict.fromkeys(("courseGroups", "courses"), _CONTENT),
    **dict.fromkeys(("sections", "lessons", "topics", "completionCriteria"), _TREE),
    **dict.fromkeys(EDITED, _OBJECT),
}
RESTORE = "restore"


def edit(world: World, body: Doc, _query: Query) -> Answer:
    """One edit; answers `{"list", "id", "doc"}`, where `doc` is null after a deletion."""
    rules = {"list": checks.one_of(HANDS), "id": checks.text, "set": _fields, "add": _fields}
    order = present(checked(body, {**rules, "delete": _deletion}, place="body"))
    checks.require(order, ("list",), place="body")
    verbs = [verb for verb in ("set", "delete", "add") if verb in order]
    if len(verbs) != 1:
        raise Wrong('body: it must hold one of "set", "delete" and "add"')
    if verbs != ["add"]:
        checks.require(order, ("id",), place="body")
    with world.store.change():
        doc = _done(world, order)
    return Answer({"list": order["list"], "id": doc["id"] if doc else order["id"], "doc": doc})


def show_trash(world: World, _body: Doc, _query: Query) -> Answer:
    """What was deleted by hand and can be restored; the lists that can be edited."""
    return Answer({"lists": list(HANDS), "trash": world.objects.all("trash")})


def _done(world: World, order: Doc) -> Doc | None:
    name, hand = order["list"], HANDS[order["list"]]
    if "add" in order:
        return hand.add(world, name, order["add"])
    if "set" in order:
        return hand.set(world, name, order["id"], order["set"])
    if order["delete"] == RESTORE:
        return hand.restore(world, name, order["id"])
    hand.delete(world, name, order["id"])
    return None


def _fields(value: Any) -> Doc:
    return entry_object(value, place="it")


def _deletion(value: Any) -> Any:
    if value is not True and value != RESTORE:
        raise Wrong(f'is {shown(value)}; it must be true or "{RESTORE}"')
    return value
