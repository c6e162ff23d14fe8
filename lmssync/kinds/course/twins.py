"""Finds siblings of a course that a read could not tell apart, to keep them out of one call.

Two quizzes of one title in a lesson are read alike, whatever they ask. Their ids would be guessed
from their order, and a later change might meet the other one. So the second comes by a call of
its own, once the id of the first is recorded. Where they are equal in all, it does not matter.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from operator import itemgetter

from ...resource import Form
from .pairing import Look, part_look
from .tree import Item, drop_part_ids, list_sibling_lists, rebuild_form

_TITLE = itemgetter("title")


def first_ones(form: Form, known: Collection[str] = ()) -> Form:
    """The form without the new parts that must wait for a twin; `known` parts have their ids."""
    if not _may_have_twins(form):
        return form

    def keep_first(level: str, items: Sequence[Item], above: str) -> Iterator[Item]:
        new: dict[Look, Item] = {}
        for item in items:
            if f"{above}{item['id']}" in known:
                yield item
                continue
            twin = new.setdefault(part_look(item, level), item)
            if twin is item or drop_part_ids(dict(twin)) == drop_part_ids(dict(item)):
                yield item

    return rebuild_form(form, keep_first)


def _may_have_twins(form: Form) -> bool:
    """Whether two siblings have one title, whatever else they are, or a title has blanks that do
    not count: most have printable characters alone, and one space between words."""
    titles = [[*map(_TITLE, items)] for items in list_sibling_lists(form)]
    text = " ".join(chain.from_iterable(titles))
    repeated = any(len({*some}) < len(some) for some in titles)
    return repeated or "  " in f" {text} " or not text.isprintable()
