"""Courses as they are desired and as they are recorded: their names, marks and contents.

Resources become the documents that the platform would have, with addresses in place of ids.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...catalog.translations.passage_comparison import TranslatedPassage
from ...kind import CallPart, body_entries
from ...kinds import KINDS, is_structure
from ...resource import Address, Resource
from ...state import KeptForm
from ...support.pages import (
    CHANGED,
    CRITERION,
    NEW,
    PATH,
    REMOVED,
    VISIBLE,
    Chip,
    CoursePage,
    Document,
    PageLink,
    complete_entry,
    course_page,
)
from ...texts.values import render_markdown
from ..translations_report import mark_stale_passages

COURSE, SESSION = "course.create", "course.update"
"""The routes that make a course and a further session of one."""


class Documents:
    """The courses among resources or records, opened when they are shown, and what is in them."""

    def __init__(self, held: Mapping[Address, Resource | KeptForm]) -> None:
        self._held = held
        one_of = {address.kind: address for address in held}
        routes = {kind: self._call(address).route for kind, address in one_of.items()}
        self.courses = [address for address in held if routes[address.kind] == COURSE]
        self.sessions: dict[Address, Address] = {}
        """Further sessions, each with its course."""
        self._inside: dict[tuple[str, str], list[Document]] = defaultdict(list)
        self._prints: dict[str, list[str]] = defaultdict(list)
        for address, resource in held.items():
            if (route := routes[address.kind]) in (SESSION, CRITERION, PATH):
                owner, document = self._owned_document(address)
                if route == SESSION:
                    self.sessions |= {address: Address.parse(owner)} if "." in owner else {}
                else:
                    self._inside[route, owner].append(document)
                self._prints[owner].append(resource.fingerprint)

    def _call(self, address: Address) -> CallPart:
        return KINDS[address.kind].calls.create(address, self._held[address].form, None)

    def _owned_document(self, address: Address) -> tuple[str, Document]:
        """What belongs to a course, after the address of the course."""
        part = self._call(address)
        (entry,) = body_entries(part.route, part.body)
        document = _shown_value(entry)
        owners = (document.get(name) for name in ("courseId", "courseGroupId"))
        return next(filter(None, owners), None) or _shown_value(part.params["contentId"]), document

    def __contains__(self, address: Address) -> bool:
        return address in self._held

    def version(self, course: Address) -> tuple[str, ...]:
        """Differs where the course does, or anything that belongs to it."""
        return self._held[course].fingerprint, *sorted(self._prints.get(str(course), ()))

    def inside(self, route: str, course: Address) -> Sequence[Document]:
        """The criteria or the purchase paths of a course."""
        return self._inside.get((route, str(course)), ())

    def head(self, course: Address) -> Document:
        """A course without what stands in it."""
        entry = _entry(self._call(course))
        return complete_entry({n: _shown_value(v) for n, v in entry.items() if not is_structure(v)})

    def whole(self, course: Address, empty: Mapping[str, str]) -> Document:
        """A course, or a further session, with its bodies; `empty` are the paths of topics that
        nobody has filled, with what is to be written there in Markdown."""
        form, sent = self._held[course].form, _entry(self._call(course))
        if course in self.sessions:  # its sections are added by further calls
            sent = {**sent, "sections": form.get("sections", [])}
        entry = {name: form.get(name, value) for name, value in sent.items()}
        named = {name: _with_paths(value, "", empty) for name, value in entry.items()}
        return complete_entry(_shown_value(named))


def _entry(part: CallPart) -> Mapping[str, Any]:
    (entry,) = body_entries(part.route, part.body)
    return dict(entry)


def _with_paths(value: Any, above: str, empty: Mapping[str, str]) -> Any:
    """Parts with their paths in place of their ids: `start/welcome` of `welcome`."""
    return list(_paths(value, above, empty)) if is_structure(value) else value


def _paths(
    items: Sequence[Mapping[str, Any]], above: str, empty: Mapping[str, str]
) -> Iterator[Mapping[str, Any]]:
    for item in items:
        path = f"{above}{item['id']}"
        inner = {name: _with_paths(value, f"{path}/", empty) for name, value in item.items()}
        questions = render_markdown(empty[path]) if empty.get(path) else ""
        yield {**inner, "id": path, "filled": path not in empty, "questions": questions}


def _shown_value(value: Any) -> Any:
    """A value with addresses, paths of parts and HTML in place of the nodes for them."""
    if isinstance(value, list):
        return [_shown_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$markdown" in value:
        return render_markdown(value["$markdown"])
    if "$ref" in value:
        return value.get("part") or value["$ref"]
    return {name: _shown_value(item) for name, item in value.items()}


class Tile(NamedTuple):
    """A course on the overview: group and session in one."""

    group: Document
    tags: Sequence[str]
    href: str
    sessions: int = 1

    @property
    def session(self) -> Document:
        """The platform has what learners book apart from what they find; a manifest does not."""
        return self.group

    @property
    def is_visible(self) -> bool:
        return self.group["status"] in VISIBLE


class Courses:
    """What is desired beside what is recorded; each course is opened when it is shown."""

    def __init__(
        self,
        desired: Documents,
        recorded: Documents | None = None,
        empty: Callable[[Address], Mapping[str, str]] = lambda _address: {},
        currency: str = "",
        translated: Callable[[Address], Iterable[TranslatedPassage]] = lambda _address: (),
    ) -> None:
        """Without `recorded` nothing is marked. `empty` has the topics that nobody has filled, with
        what is to be written there; `currency` is that of all prices; `translated` has the
        passages of all translations."""
        self._desired, self._recorded, self._empty = desired, recorded, empty
        self._translated = translated
        self._money = {"currency": currency}
        left = [a for a in recorded.courses if a not in desired] if recorded else []
        courses = [*desired.courses, *left]
        self._sessions = {**(recorded.sessions if recorded else {}), **desired.sessions}
        named = dict(_name_files([*courses, *self._sessions]))
        self.files = {course: named[course] for course in courses}
        """The page of each course."""
        self.pages = {file: address for address, file in named.items()}
        """What stands on each page: a course, or a further session of one."""

    @cached_property
    def marks(self) -> Mapping[Address, str]:
        """What becomes of each course: `new`, `changed`, `removed`; nothing if it stays."""
        return {address: self._mark(address) for address in self.files}

    def _mark(self, address: Address) -> str:
        if self._recorded is None:
            return ""
        if address not in self._desired:
            return REMOVED
        if address not in self._recorded:
            return NEW
        same = self._desired.version(address) == self._recorded.version(address)
        return "" if same else CHANGED

    def tile(self, address: Address) -> Tile:
        head = self._head(address)
        tags = [label_of(tag) for tag in head.get("tagIds") or ()]
        sessions = len(self.sessions(address)) or 1
        head = {**head, **self._money, "mark": self.marks[address]}
        return Tile(head, tags, self.files[address], sessions)

    def sessions(self, address: Address) -> list[Chip]:
        """The pages of all sessions of a course, by the address of any of them."""
        course = self._sessions.get(address, address)
        further = [session for session, its in self._sessions.items() if its == course]
        if not further or course not in self.files:
            return []
        files = {shown: file for file, shown in self.pages.items()}
        return [
            Chip(str(self._head(one)["title"]), files[one], one == address)
            for one in (course, *further)
        ]

    def both(self, address: Address) -> tuple[CoursePage | None, CoursePage | None]:
        """A course, or a further session of one, as it is desired, and as it is recorded."""
        recorded = self._page(address, self._recorded) if self._recorded else None
        return self._page(address, self._desired), recorded

    def _page(self, address: Address, held: Documents) -> CoursePage | None:
        course = self._sessions.get(address, address)
        if address not in held or course not in held:
            return None
        group, booked = (
            {
                **mark_stale_passages(held.whole(one, self._empty(one)), self._translated(one)),
                **self._money,
            }
            for one in (course, address)
        )
        return course_page(
            group,
            booked,
            criteria=held.inside(CRITERION, course) if address == course else (),
            paths=held.inside(PATH, course) if address == course else (),
            labels={tag: label_of(tag) for tag in group.get("tagIds") or ()},
            find=self._link,
        )

    def _link(self, name: str) -> PageLink | None:
        """What something is called, with its page if it is a course here; a uuid stays as it is."""
        if not name:
            return None
        address = Address.parse(name) if "." in name else None
        if address not in self.files:
            return PageLink(label_of(name))
        return PageLink(str(self._head(address)["title"]), self.files[address])

    def _head(self, address: Address) -> Document:
        held = self._desired if address in self._desired else self._recorded
        assert held is not None
        return held.head(address)


def label_of(address: str) -> str:
    """`Safety` of `tag.Safety`; a uuid stays as it is."""
    return address.partition(".")[2] or address


def _name_files(courses: Sequence[Address]) -> Iterator[tuple[Address, str]]:
    """A file name for each: no two are the same where upper and lower case are one."""
    taken: set[str] = set()
    for address in courses:
        name, number = address.key, 1
        while name.casefold() in taken:
            number += 1
            name = f"{address.key}-{number}"
        taken.add(name.casefold())
        yield address, f"course-{name}.html"
