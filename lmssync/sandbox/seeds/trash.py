"""What a seed says was deleted by hand: each as it will be put back, with all that it held."""

from typing import Any

from lmssync.vocabulary.enums import OpenType

from ..checks import shown
from ..data.kinds import KINDS, completed
from ..documents import Doc
from ..errors import SeedRefused
from .shape import TREE, checked_items

_BELOW = {"sections": "lessons", "lessons": "topics"}
_ANY_ID = "00000000-0000-4000-8000-000000000000"
_CHILDREN = ("sections", "lessons", "topics", "completionCriteria")


def kept_entry(entry: Doc, *, place: str, stamp: str) -> Doc:
    """An entry of `trash`. Raises SeedRefused."""
    name, doc = entry["list"], entry["doc"]
    if name in _CHILDREN:
        kept = _child(name, doc, place=f"{place}.doc", stamp=stamp)
    elif name in KINDS:
        (checked,) = checked_items(name, [doc], where=f"{place}.doc")
        kept = completed(name, checked, stamp=stamp)
    else:
        raise SeedRefused(f"{place}.list: {shown(name)} is not a list that things are deleted from")
    if not kept.get("id"):
        raise SeedRefused(f"{place}.doc.id: is required")
    return {
        "parentId": None,
        "index": 0,
        **entry,
        "doc": kept,
        "id": f"{name}/{kept['id']}".lower(),
    }


def _child(name: str, doc: Any, *, place: str, stamp: str) -> Doc:
    below, parent = _BELOW.get(name), TREE[name]
    held = doc.get(below) or [] if isinstance(doc, dict) else None
    if not isinstance(held, list):
        raise SeedRefused(f"{place}: it must be an object that has its children in lists")
    own = {field: value for field, value in doc.items() if field != below}
    (kept,) = checked_items(name, [{parent: _ANY_ID, **own}], where=place)
    kept = grown(name, {field: kept[field] for field in kept if field in own}, stamp)
    if below:
        places = (f"{place}.{below}[{index}]" for index in range(len(held)))
        kept[below] = [
            _child(below, one, place=at, stamp=stamp) for one, at in zip(held, places, strict=True)
        ]
    return kept


def grown(name: str, item: Doc, stamp: str) -> Doc:
    """A section, lesson, topic or criterion with what reads rely on."""
    begun = {
        "lessons": {"openType": OpenType.STUDENTS_ONLY.value},
        "topics": {"updatedAt": stamp},
    }
    return {**begun.get(name, {}), **{k: v for k, v in item.items() if v is not None}}
