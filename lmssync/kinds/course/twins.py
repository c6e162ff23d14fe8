"""Siblings of a course that a read could not tell apart: they never come in one call.

Two quizzes of one title in a lesson are read alike, whatever they ask. Their ids would be guessed
from their order, and a later change might meet the other one. So the second comes by a call of
its own, once the id of the first is recorded. Where they are equal in all, it does not matter.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ...resource import Form
from .pairing import CHILDREN, Item, Look, look
from .wire import plain


def first_ones(form: Form, known: Collection[str] = ()) -> Form:
    """The form without the new parts that must wait for a twin; `known` parts have their ids."""
    kept = {
        level: list(_kept(level, form[level], known, ""))
        for level in ("sections", "topics")
        if form.get(level)
    }
    return form | kept


def _kept(
    level: str, items: Sequence[Item], known: Collection[str], parent: str
) -> Iterator[dict[str, Any]]:
    new: dict[Look, Any] = {}
    below = CHILDREN[level]
    for item in items:
        path = f"{parent}{item['id']}"
        content = plain(dict(item))
        if path not in known and new.setdefault(look(item, level), content) != content:
            continue
        lower = {below: list(_kept(below, item[below], known, f"{path}/"))} if below else {}
        yield {**item, **lower}
