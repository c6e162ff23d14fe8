"""What has changed for people between two moments of a state: the facts of release notes.

A page is about a course, a session or what customers hold. A draft, and what opens only later, is
not mentioned; neither is anybody's name.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from ..kind import Effect, SubjectKind, declare_nothing
from ..kinds import KINDS
from ..planning.diff import ORDER, FieldChange, are_parts
from ..planning.plan import list_part_titles
from ..resource import Address, Form
from ..state import KeptForm, PastStore, Record, keep_forms
from ..vocabulary.iso_dates import parse_moment
from .environment_comparison import compare_both_ways


class NoteReaders(StrEnum):
    """For whom notes are written."""

    LEARNERS = "learners"
    CUSTOMERS = "customers"
    TEAM = "team"


class NoteSection(StrEnum):
    """What a note is about."""

    NEWS = "news"
    DUTIES = "duties"
    COSTS = "costs"
    TERMS = "terms"
    """What customers hold: what a license includes, and until when."""


class NoteKind(StrEnum):
    """What has happened; each has a sentence in each language."""

    OPENED = "opened"
    CLOSED = "closed"
    PART_NEW = "part-new"
    PART_GONE = "part-gone"
    RENAMED = "renamed"
    TEXT = "text"
    ORDER = "order"
    FIELD = "field"
    ITEMS = "items"
    """Of a list: what it has gained and lost."""
    RULE_NEW = "rule-new"
    """Something that belongs to the page, as a completion criterion does, is new."""
    RULE_GONE = "rule-gone"
    RULE_CHANGED = "rule-changed"


class Note(NamedTuple):
    """One thing that has changed."""

    section: NoteSection
    kind: NoteKind
    field: str = ""
    """The name of the field, of the level of a part, or of the kind of a rule."""
    part: str = ""
    """The title of the part that it is about; empty for the whole."""
    inside: str = ""
    """The title of what the part is in."""
    before: Any = None
    """The value, with titles in place of references; of a rule, all its fields and its `title`."""
    after: Any = None


class NotesPage(NamedTuple):
    """Everything about one course, session or license."""

    address: Address
    title: str
    is_new: bool
    notes: Sequence[Note]


_SECTIONS = {
    Effect.PROGRESS: NoteSection.DUTIES,
    Effect.ACCESS: NoteSection.DUTIES,
    Effect.COMMERCE: NoteSection.COSTS,
}
_TITLE, _OPENS = "title", "releaseDate"
_IDS = re.compile(r"\[([^]]*)\]")
"""The ids in the path of a part, as in `sections[start].lessons[one]`."""
_LONG = 80
"""A value with more characters is a text: notes name it and do not quote it."""
_ONLY_LEARNERS = frozenset({NoteKind.TEXT, NoteKind.ORDER})
"""What customers, who do not take the course themselves, need not know."""


class _ReadForms(Mapping[Address, Form]):
    """Forms, each read when it is asked for: those of a whole state would fill the memory."""

    def __init__(self, kept: Mapping[Address, KeptForm], read: Callable[[Form], Form]) -> None:
        self.kept, self.read = kept, read
        self._find_form = lru_cache(32)(lambda address: read(kept[address].form))

    def __getitem__(self, address: Address) -> Form:
        return self._find_form(address)

    def __contains__(self, address: object) -> bool:
        return address in self.kept

    def __iter__(self) -> Iterator[Address]:
        return iter(self.kept)

    def __len__(self) -> int:
        return len(self.kept)


class NotesMoment:
    """What is at one end of the notes: its forms and ids by their addresses."""

    def __init__(self, store: PastStore, at: datetime) -> None:
        self.at = at
        self.found_at: dict[str, Address] = {}
        """By the ids of the platform."""
        kept = keep_forms(self._note_ids(store.list_records()))
        self.forms = _ReadForms(kept, lambda form: dict(self._list_seen_fields(form)))

    def _note_ids(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            self.found_at |= dict.fromkeys(record.known_ids.own.values(), record.address)
            yield record

    def _list_seen_fields(self, form: Form) -> Iterator[tuple[str, Any]]:
        """Fields and their values, without the parts that are hidden until a later date."""
        for name, value in form.items():
            dates = (part.get(_OPENS) for part in value) if are_parts(value) else ()
            hidden = {n for n, date in enumerate(dates) if date and parse_moment(date) > self.at}
            yield (
                name,
                [part for n, part in enumerate(value) if n not in hidden] if hidden else value,
            )

    def is_open(self, address: Address) -> bool:
        """Whether learners or customers can see it at this moment: what is in something else, only
        if that is open too."""
        form, kind = self.forms.get(address), KINDS[address.kind]
        if form is None or not (kind.impact.open_to_learners(form) or kind.impact.for_customers):
            return False
        opens = kind.impact.opens_at(form)
        whole = self.find_whole(address)
        is_reached = whole is None or whole not in self.forms or self.is_open(whole)
        return is_reached and (not opens or parse_moment(opens) <= self.at)

    def find_whole(self, address: Address) -> Address | None:
        """What a resource is in, as a session is in its course."""
        field = KINDS[address.kind].relations.group_by
        node = self.forms[address].get(field) if field else None
        return Address.parse(node["$ref"]) if isinstance(node, dict) else None

    def find_title(self, address: Address) -> str:
        """What people call it; beside what it is in, if that is a resource too."""
        whole = self.find_whole(address)
        names = [
            KINDS[one.kind].authoring.title(self.forms[one])
            for one in (address, whole)
            if one and one in self.forms
        ]
        return " · ".join(filter(None, names))

    def rename_moved(self, later: "NotesMoment") -> None:
        """Gives everything the address that it has later, where its id is found at another one."""
        moves = {
            str(address): str(later.found_at[id_])
            for id_, address in self.found_at.items()
            if later.found_at.get(id_, address) != address and address not in later.forms
        }
        if moves:
            read, kept = self.forms.read, self.forms.kept.items()
            renamed = {Address.parse(moves.get(str(a), str(a))): form for a, form in kept}
            self.forms = _ReadForms(renamed, lambda form: _rename(read(form), moves))


def _rename(value: Any, moves: Mapping[str, str]) -> Any:
    """A part of a form in which references lead to later addresses."""
    if isinstance(value, list):
        return [_rename(item, moves) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: moves.get(inner, inner) if name == "$ref" else _rename(inner, moves)
        for name, inner in value.items()
    }


def collect_notes(
    old: NotesMoment | None, new: NotesMoment, readers: NoteReaders
) -> Sequence[NotesPage]:
    """A page for each thing that has changed for these readers, by title.

    Without a state to compare with, everything that is open is new.
    """
    if old:
        old.rename_moved(new)
    known = {a: moment for moment in (old, new) if moment for a in moment.forms}
    belonging: dict[Address, list[Address]] = defaultdict(list)
    for address, moment in known.items():
        owner = _find_owner(address, moment.forms[address])
        if owner and (readers is not NoteReaders.LEARNERS or not _is_for_customers(owner)):
            belonging[owner].append(address)
    write = _PageWriter(old, new, known)
    pages = (write.write_page(owner, own, readers) for owner, own in belonging.items())
    return sorted((page for page in pages if page.notes), key=lambda page: (page.title, page[0]))


def _find_owner(address: Address, form: Form) -> Address | None:
    """What has the page on which a resource is mentioned; None for what names people."""
    impact = KINDS[address.kind].impact
    if impact.holders is not declare_nothing:
        return None
    subjects = impact.touches(address, {}, form)
    courses = (one.address for one in subjects if one.kind is SubjectKind.COURSE)
    return next(courses, address if impact.for_customers else None)


def _is_for_customers(address: Address) -> bool:
    return KINDS[address.kind].impact.for_customers


class _PageWriter:
    """Writes the page of one thing from the forms of two moments."""

    def __init__(
        self, old: NotesMoment | None, new: NotesMoment, known: Mapping[Address, NotesMoment]
    ) -> None:
        self.old, self.new, self.known = old, new, known

    def write_page(self, owner: Address, own: Sequence[Address], readers: NoteReaders) -> NotesPage:
        """Without notes where nobody sees it, or where lmssync no longer manages it."""
        was_open = self.old is not None and self.old.is_open(owner)
        is_open, form = self.new.is_open(owner), self.new.forms.get(owner)
        page = NotesPage(owner, "", is_new=not was_open, notes=())
        if form is None or not (was_open or is_open):
            return page
        kind = KINDS[owner.kind].resource
        if self.old and not is_open:  # under the name that learners know
            closed = Note(NoteSection.NEWS, NoteKind.CLOSED, kind)
            return page._replace(title=self.old.find_title(owner), notes=[closed])
        page = page._replace(title=self.new.find_title(owner))
        # What opens now is new to everybody, with all that was prepared while it was a draft.
        before = self.old.forms if self.old and was_open else {}
        notes = [note for one in sorted(own) for note in self._describe(one, owner, before)]
        if page.is_new:
            rest = [note for note in notes if note.section is not NoteSection.NEWS]
            # Its parts would fill the memory where all is new.
            alone = {name: value for name, value in form.items() if not are_parts(value)}
            notes = [Note(NoteSection.NEWS, NoteKind.OPENED, kind, after=alone), *rest]
        if readers is NoteReaders.CUSTOMERS:
            notes = [note for note in notes if note.kind not in _ONLY_LEARNERS]
        return page._replace(notes=notes)

    def _describe(
        self, address: Address, owner: Address, earlier: Mapping[Address, Form]
    ) -> Iterator[Note]:
        """What has changed in a resource that the page of its owner mentions."""
        before, after = earlier.get(address), self.new.forms.get(address)
        if before == after:
            return
        if address != owner:
            yield self._describe_rule(address, before, after, self.new.forms[owner])
            return
        titles = dict(list_part_titles(before or {})) | dict(list_part_titles(after or {}))
        changes = compare_both_ways(before or {}, after or {})
        notes = (self._describe_field(address, change, titles) for change in changes)
        # Several texts of one page are one note.
        yield from {note[: Note._fields.index("before")]: note for note in notes}.values()

    def _describe_rule(
        self, address: Address, before: Form | None, after: Form | None, whole: Form
    ) -> Note:
        kind = KINDS[address.kind]
        paths = [one.path for one in compare_both_ways(before or {}, after or {})]
        effects = [kind.impact.creation, *map(kind.impact.of, paths)]
        section = _SECTIONS.get(Effect.strictest_effect(effects), NoteSection.NEWS)
        what = NoteKind.RULE_CHANGED if before else NoteKind.RULE_NEW
        worded = [
            form
            and {
                **{name: self._name_resources(value, at) for name, value in form.items()},
                _TITLE: kind.authoring.title_beside(form, whole),
            }
            for form, at in ((before, self.old), (after, self.new))
        ]
        return Note(section, what if after else NoteKind.RULE_GONE, kind.resource, "", "", *worded)

    def _describe_field(
        self, address: Address, change: FieldChange, titles: Mapping[str, str]
    ) -> Note:
        path, before, after = change
        impact = KINDS[address.kind].impact
        section = _SECTIONS.get(impact.of(path), NoteSection.NEWS)
        if impact.for_customers:
            section = NoteSection.TERMS
        around, _, leaf = path.rpartition(".")
        if path.endswith("]"):
            what = NoteKind.PART_NEW if before is None else NoteKind.PART_GONE
            level = leaf.partition("[")[0]
            return Note(section, what, level, titles.get(path, ""), titles.get(around, ""))
        part, inside = titles.get(around, ""), titles.get(around.rpartition(".")[0], "")
        if leaf == ORDER:
            return Note(section, NoteKind.ORDER, around.rpartition(".")[2], inside)
        if leaf == _TITLE:
            return Note(section, NoteKind.RENAMED, leaf, part, inside, before, after)
        values = self._name_resources(before, self.old), self._name_resources(after, self.new)
        if any(map(_is_text, values)):
            return Note(section, NoteKind.TEXT, "", part, inside)
        is_list = all(value is None or isinstance(value, list) for value in values)
        what = NoteKind.ITEMS if is_list else NoteKind.FIELD
        return Note(section, what, leaf, part, inside, *values)

    def _name_resources(self, value: Any, moment: NotesMoment | None) -> Any:
        """The value, in which a resource, or a part of one, is called by its title; of a list,
        without what was not open at a moment."""
        if isinstance(value, list):
            named = (self._name_resources(item, moment) for item in value)
            return [item for item in named if item is not None]
        if not isinstance(value, dict) or "$ref" not in value:
            return value
        address = Address.parse(value["$ref"])
        known = self.known.get(address)
        if known is None:
            return address.key
        if moment is None or not moment.is_open(address):
            return None
        form = known.forms[address]
        title = KINDS[address.kind].authoring.title(form)
        return _find_part_title(form, value.get("part", "")) or title or address.key


def _find_part_title(form: Form, path: str) -> str:
    """The title of a part, such as `section/lesson/topic`; empty if there is none."""
    titles = {"/".join(_IDS.findall(at)): title for at, title in list_part_titles(form)}
    return titles.get(path, "")


def _is_text(value: Any) -> bool:
    """Whether it is prose: a body, or a long text."""
    if isinstance(value, dict):
        return any(name.startswith("$") for name in value)
    return isinstance(value, str) and len(value) > _LONG
