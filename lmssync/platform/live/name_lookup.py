"""Looks up what manifests name on the platform, in as few reads as the instance allows."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from ...errors import KeyRefused, Refused
from ...kind import Json, ReadRequest
from ...kinds import COURSE_LISTS, SEARCH, SOUGHT, VALUES_IN_USE, Sought
from ...problems import suggest_near
from ..client import Reader
from .fetch import IDS_PER_QUERY, read_by_id
from .names import IdsByName

Uuids = Mapping[str, Set[str]]
"""By what has such an id, as in `SOUGHT`."""
Values = Mapping[str, Set[str]]
"""By noun, as in `VALUES_IN_USE`."""
_PER_PAGE = 100


class Seen(NamedTuple):
    """The result of looking for uuids."""

    missing: Mapping[tuple[str, str], str]
    """The uuids that are not there, with a hint where there is one."""
    unseen: Uuids
    """The uuids that no route of this instance shows."""


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
        """The uuids that the route of one does not show, with hints."""
        answers = self.reader.ask_each(lambda id_: read_by_id(self.reader, sought.read, id_), ids)
        return {
            id_: self._hint_for(sought, id_, answer)
            for id_, answer in zip(ids, answers, strict=True)
            if not answer or answer.get("id") != id_
        }

    def _hint_for(self, sought: Sought, id_: str, answer: Json) -> str:
        """For the id of what people take for it, the id that they mean (O30)."""
        meant = find_meant_id(self.reader, self.routes, sought, id_, answer)
        if not (meant and sought.confused):
            return ""
        return f"it is the id of a {sought.confused.noun}; that of its {sought.noun} is `{meant}`"


def find_meant_id(reader: Reader, routes: Set[str], sought: Sought, id_: str, answer: Json) -> str:
    """For the id of what people take for something else, the id that they mean; empty where no read
    shows that. `answer` is what the route of the other has brought: some take the id of either."""
    other = sought.confused
    if other is None:
        return ""
    meant = answer.get("id") if answer else None
    if not meant and other.read in routes:
        meant = (read_by_id(reader, other.read, id_) or {}).get(other.field)
    return str(meant or "")


def find_values_in_use(reader: Reader, routes: Set[str], wanted: Values) -> dict[str, set[str]]:
    """By noun, the values that courses have, of those nouns that a list of courses shows; where all
    that are wanted have been seen, no further page is read."""
    used: dict[str, set[str]] = {}
    for request in COURSE_LISTS:
        left = {noun: values for noun, values in wanted.items() if noun not in used}
        if left and request.route in routes:
            try:
                used |= _walk_courses(reader, request, left)
            except (KeyRefused, Refused):  # it is not shown to this key, or has smaller pages
                continue
    return used


def _walk_courses(reader: Reader, request: ReadRequest, wanted: Values) -> dict[str, set[str]]:
    used: dict[str, set[str]] = {}
    for page in reader.each_page(request.route, request.list, request.query):
        for item in page.items:
            for noun in wanted:
                if (values := VALUES_IN_USE[noun].find_values(item)) is not None:
                    used.setdefault(noun, set()).update(values)
        if all(values <= used.get(noun, set()) for noun, values in wanted.items()):
            break
    return used
