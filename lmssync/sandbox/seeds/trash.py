"""What a seed says was deleted by hand: each as it will be put back, with all that it held."""

from functools import partial
from typing import Any

from lmssync.vocabulary.enums import OpenType

from ..checks import Wrong, at, check_each, drop_nulls, quote_value, require_fields
from ..data.kinds import KINDS, fill_blanks
from ..documents import Doc
from .shape import TREE, checked_items

_BELOW = {"sections": "lessons", "lessons": "topics"}
_ANY_ID = "00000000-0000-4000-8000-000000000000"
_CHILDREN = ("sections", "lessons", "topics", "completionCriteria")


def kept_entry(entry: Doc, *, stamp: str) -> Doc:
    """An entry of `trash`. Raises Wrong."""
    name, doc = entry["list"], entry["doc"]
    if name not in (*_CHILDREN, *KINDS):
        raise Wrong(f"{quote_value(name)} is not a list that things are deleted from", "list")
    with at("doc"):
        if name in _CHILDREN:
            kept = _check_trash_child(name, doc, stamp=stamp)
        else:
            kept = fill_blanks(name, _check_trash_item(name, doc), stamp=stamp)
        require_fields(kept, ("id",))
    id_ = f"{name}/{kept['id']}".lower()
    return {"parentId": None, "index": 0, **entry, "doc": kept, "id": id_}


def _check_trash_item(name: str, doc: Doc) -> Doc:
    """The checked item of a list. Raises Wrong with the place in that list in its words."""
    try:
        return checked_items(name, [doc])[0]
    except Wrong as wrong:
        raise Wrong(str(wrong)) from None


def _check_trash_child(name: str, doc: Any, *, stamp: str) -> Doc:
    below, parent = _BELOW.get(name), str(TREE[name])
    held = doc.get(below) or [] if isinstance(doc, dict) else None
    if not isinstance(held, list):
        raise Wrong("it must be an object that has its children in lists")
    own = {field: value for field, value in doc.items() if field != below}
    checked = _check_trash_item(name, {parent: _ANY_ID, **own})
    kept = fill_part(name, {field: checked[field] for field in checked if field in own}, stamp)
    if below:
        with at(below):
            kept[below] = check_each(held, partial(_check_trash_child, below, stamp=stamp))
    return kept


def fill_part(name: str, item: Doc, stamp: str) -> Doc:
    """A section, lesson, topic or criterion with what reads rely on."""
    begun: dict[str, Doc] = {
        "lessons": {"openType": OpenType.STUDENTS_ONLY},
        "topics": {"updatedAt": stamp},
    }
    return {**begun.get(name, {}), **drop_nulls(item)}
