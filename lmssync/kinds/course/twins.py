"""Finds siblings of a course that a read could not tell apart, to keep them out of one call.

Two quizzes of one title in a lesson are read alike, whatever they ask. Their ids would be guessed
from their order, and a later change might meet the other one. So the second comes by a call of
its own, once the id of the first is recorded. Where they are equal in all, it does not matter.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ...resource import Form
from .pairing import Look, look
from .tree import Item, plain, rebuilt


def first_ones(form: Form, known: Collection[str] = ()) -> Form:
    """The form without the new parts that must wait for a twin; `known` parts have their ids."""

    def first(level: str, items: Sequence[Item], above: str) -> Iterator[Item]:
        new: dict[Look, Any] = {}
        for item in items:
            content = plain(dict(item))
            is_known = f"{above}{item['id']}" in known
            if is_known or new.setdefault(look(item, level), content) == content:
                yield item

    return rebuilt(form, first)
