"""Looks uuids up on the platform, in as few reads as the instance allows."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from ..client import Reader
from ..errors import Refused
from ..kinds import SEARCH, SOUGHT, Sought
from ..problems import suggest_near
from .fetch import IDS_PER_QUERY
from .names import IdsByName

Answer = Mapping[str, object] | None
Uuids = Mapping[str, Set[str]]
"""By what has such an id, as in `SOUGHT`."""
_DELETED = "deleted"
_PER_PAGE = 100
_SUCCESSES = range(200, 300)


class Seen(NamedTuple):
    """What a look for uuids has shown."""

    missing: Mapping[tuple[str, str], str]
    """What is not there, with a hint where there is one."""
    unseen: Uuids
    """What no route of this instance shows."""


def find_uuids(reader: Reader, names: IdsByName, routes: Set[str], wanted: Uuids) -> Seen:
    """Looks all of them up; `routes` are those of the instance."""
    run = _Run(reader, names, routes, _search_content(reader, wanted) if SEARCH in routes else {})
    missing: dict[tuple[str, str], str] = {}
    unseen: dict[str, Set[str]] = {}
    for what, ids in sorted(wanted.items()):
        hints = run.find_missing(SOUGHT[what], ids)
        if hints is None:
            unseen[what] = ids
        else:
            missing |= {(what, id_): hint for id_, hint in hints.items()}
    return Seen(missing, unseen)


def _search_content(reader: Reader, wanted: Uuids) -> dict[str, str]:
    """The kind of each item that content search shows under one of the ids, whatever it should
    be. One search serves many ids (O48)."""
    ids = sorted({id_ for what, some in wanted.items() if SOUGHT[what].searched for id_ in some})
    kinds: dict[str, str] = {}
    for start in range(0, len(ids), IDS_PER_QUERY):
        some = ids[start : start + IDS_PER_QUERY]
        query = {
            "perPage": _PER_PAGE,
            "query": f"({' OR '.join(f'_id:{id_}' for id_ in some)})",
        }
        items = reader.read_pages(SEARCH, "contentItems", query)
        kinds |= {item["id"]: str(item.get("kind") or "") for item in items}
    return kinds


class _Run(NamedTuple):
    """One look, and what a search has brought."""

    reader: Reader
    names: IdsByName
    routes: Set[str]
    kinds: Mapping[str, str]

    def find_missing(self, sought: Sought, ids: Set[str]) -> dict[str, str] | None:
        """Those that are not there, with hints; None if nothing shows whether they are."""
        if sought.listed:
            known = {i for some in self.names.all_ids(sought.listed).values() for i in some}
            return {id_: suggest_near(id_, known) for id_ in ids - known}
        searched = sought.searched if SEARCH in self.routes else None
        if not searched and sought.read not in self.routes:
            return None
        shown = ids & self.kinds.keys() if searched else set()
        wrong = {
            id_: f"it is there, as the id of a {self.kinds[id_]}"
            for id_ in shown
            if searched and self.kinds[id_] and not searched(self.kinds[id_])
        }
        left = sorted(ids - shown)
        if sought.read in self.routes:  # the index of a search is a little behind
            return wrong | self._find_unread(sought, left)
        return wrong | dict.fromkeys(left, "")

    def _find_unread(self, sought: Sought, ids: Sequence[str]) -> dict[str, str]:
        """Those that the route of one does not show, with hints."""
        answers = self.reader.ask_each(lambda id_: self._answer_of(sought.read, id_), ids)
        return {
            id_: self._hint_for(sought, id_, answer)
            for id_, answer in zip(ids, answers, strict=True)
            if not answer or answer.get("id") != id_
        }

    def _answer_of(self, route: str, id_: str) -> Answer:
        try:
            answer: Answer = self.reader.read_route(route, {"id": id_})
        except Refused as error:
            if error.status in _SUCCESSES:  # an id of something else (O29)
                return None
            raise
        return None if answer and answer.get("status") == _DELETED else answer

    def _hint_for(self, sought: Sought, id_: str, answer: Answer) -> str:
        """For the id of what people take for it, the id that they mean (O30)."""
        other = sought.confused
        if other is None:
            return ""
        meant = answer.get("id") if answer else None  # some routes take the id of either
        if not meant and other.read in self.routes:
            meant = (self._answer_of(other.read, id_) or {}).get(other.field)
        if not meant:
            return ""
        return f"it is the id of a {other.noun}; that of its {sought.noun} is `{meant}`"
