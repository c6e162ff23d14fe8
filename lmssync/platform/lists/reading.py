"""Reads a list page by page, or single things by their ids."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...errors import Refused, WrongUse
from ...kinds import LOOKUPS
from ..client import Reader
from .asking import ListQuery, refuse_missing
from .declaration import Named, PlatformList

Item = Mapping[str, Any]
Tell = Callable[[str], None]
_OK = 200


class _Part(NamedTuple):
    """Items that came together, and whether others follow."""

    items: Sequence[Item]
    more: bool


class Items:
    """Items one after the other, as many as were asked for.

    Afterwards `more` says whether others were left out, and `missing` which ids name nothing.
    """

    def __init__(self, parts: Iterator[_Part], wanted: ListQuery, missing: Sequence[str]) -> None:
        self._parts, self._wanted = parts, wanted
        self.missing = missing
        self.more = False

    def __iter__(self) -> Iterator[Item]:
        count, most = 0, self._wanted.limit
        for items, more in self._parts:
            for item in filter(self._wanted.fits, items):
                if count == most:
                    self.more = True
                    return
                count += 1
                yield item
            if more and count == most:
                self.more = True
                return


def read(
    reader: Reader, wanted: ListQuery, ids: Sequence[str], routes: frozenset[str], tell: Tell
) -> Items:
    """What is asked of a list: of all, of those of some owners, or single things by their ids.

    Raises `WrongUse` where the instance has no such route; iterating raises `PlatformError`.
    `tell` is told after each page how many items have come.
    """
    declared, missing = wanted.list, list[str]()
    if declared.owner:
        refuse_missing(wanted.name, declared.route, routes)
        parts = _of_owners(reader, wanted, declared.owner, ids)
    elif ids:
        if wanted.given or wanted.about:
            raise WrongUse(
                f"`get {wanted.name}` takes ids, or what narrows the list, not both",
                "leave out the one or the other",
            )
        refuse_missing(wanted.name, declared.single, routes)
        parts = _single(reader, wanted, ids, missing)
    elif not declared.route:
        raise WrongUse(f"no route lists all {wanted.name}", declared.named.hint)
    else:
        some = f"`lmssync get {wanted.name} {_example_of(declared)}`"
        instead = f"name some: {some}; " if declared.single in routes else ""
        refuse_missing(wanted.name, declared.route, routes, instead)
        parts = _pages(reader, wanted)
    return Items(_count_parts(parts, tell), wanted, missing)


def _count_parts(parts: Iterator[_Part], tell: Tell) -> Iterator[_Part]:
    count = 0
    for part in parts:
        count += len(part.items)
        tell(f"{count:,} read")
        yield part


def _pages(reader: Reader, wanted: ListQuery) -> Iterator[_Part]:
    for page in reader.each_page(wanted.list.route, wanted.list.key, wanted.query):
        yield _Part(page.items, page.more)


def _of_owners(
    reader: Reader, wanted: ListQuery, owner: Named, ids: Sequence[str]
) -> Iterator[_Part]:
    """The lists of some owners in their order, several read at once; each item says whose it is."""
    ids = ids or _all_owners(reader, wanted, owner)
    lists = reader.ask_each(lambda id_: _of_owner(reader, wanted, owner, id_), ids)
    for number, (id_, items) in enumerate(zip(ids, lists, strict=True), 1):
        yield _Part([{owner.field: id_, **item} for item in items], number < len(ids))


def _of_owner(reader: Reader, wanted: ListQuery, owner: Named, id_: str) -> list[Item]:
    """The whole list of one; raises `WrongUse` where the platform has no such list of it."""
    params = {owner.param: id_}
    items = reader.find_list(wanted.list.route, wanted.list.key, wanted.query, params)
    if items is None:
        text = f"the platform has no {wanted.name} of {owner.noun} {id_}, or does not know it"
        raise WrongUse(text, owner.hint)
    return items


def _all_owners(reader: Reader, wanted: ListQuery, owner: Named) -> list[str]:
    if not owner.lookup:
        raise WrongUse(
            f"`get {wanted.name}` needs to know of which {owner.noun}",
            f"name one or more: `lmssync get {wanted.name} {_example_of(wanted.list)}`",
        )
    lookup = LOOKUPS[owner.lookup]
    return [item["id"] for item in reader.read_pages(lookup.route, lookup.list)]


def _example_of(declared: PlatformList) -> str:
    """`course.KEY`, where the list takes addresses in place of ids; else `ID`."""
    return declared.addresses[0] if declared.takes.kinds else "ID"


def _single(
    reader: Reader, wanted: ListQuery, ids: Sequence[str], missing: list[str]
) -> Iterator[_Part]:
    """Things by their ids; a user who is not there may be a 200 with errors (O35)."""
    for number, id_ in enumerate(ids, 1):
        try:
            item = reader.read_route(wanted.list.single, {wanted.list.named.param: id_})
        except Refused as refused:
            if refused.status != _OK:
                raise
            item = None
        if item is None:
            missing.append(id_)
        yield _Part([] if item is None else [item], number < len(ids))
