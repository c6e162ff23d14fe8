"""Release notes as Markdown, HTML and JSON, in the words of a language.

The words are in `notes/LANGUAGE.toml` and the pages in `notes/page.*.jinja`. A team may name a
folder with files of these names: what they say is used in place of what these say.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import FileSystemLoader
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import escape

from ..errors import WrongUse
from ..support.invisible_characters import escape_invisible
from ..sync.release_notes import Note, NoteKind, NoteReaders, NoteSection, NotesPage
from ..vocabulary.iso_dates import format_moment, parse_moment
from .field_words import CENTS, list_date_fields, name_field
from .markdown_escape import escape_text

_HERE = Path(__file__).parent / "notes"
_RULES = frozenset({NoteKind.RULE_NEW, NoteKind.RULE_GONE, NoteKind.RULE_CHANGED})

_PLACE = re.compile(r"\{(\w+)\}")
"""A name in a sentence, in whose place a value comes."""

Words = Mapping[str, Any]


class NotesDocument(NamedTuple):
    """Everything that the notes between two moments are written from."""

    pages: Sequence[NotesPage]
    start: datetime | None
    """None if there is no earlier state: everything that is open is then new."""
    end: datetime
    readers: NoteReaders
    currency: str
    """The currency of the project file; empty if it has none."""
    language: str
    templates: Path | None = None
    """A folder of the team, whose words and pages come before those of lmssync."""

    @property
    def folders(self) -> Sequence[Path]:
        return [folder for folder in (self.templates, _HERE) if folder]


def _read_words(language: str, folders: Sequence[Path]) -> Words:
    """The words of a language, in English where it lacks one; raises `WrongUse`."""
    name = f"{language}.toml"
    files = [folder / name for folder in reversed(folders) if (folder / name).is_file()]
    if not files:
        known = sorted({file.stem for one in folders for file in one.glob("*.toml")})
        raise WrongUse(
            f"there are no words for release notes in `{language}`",
            f"choose one of {', '.join(known)}, or write {name} into a folder and name that with "
            "--templates",
        )
    words: dict[str, Any] = {}
    for file in (_HERE / "en.toml", *files):
        try:
            own = tomllib.loads(file.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise WrongUse(f"{file}: {error}", "correct the file in --templates") from None
        if wrong := [key for key, value in own.items() if not _are_words(value, words.get(key))]:
            raise WrongUse(
                f"{file}: `{wrong[0]}` is not written as in lmssync's own files",
                "docs/notes.md says where these are",
            )
        for key, value in own.items():
            words[key] = {**words.get(key, {}), **value} if isinstance(value, dict) else value
    return words


def _are_words(value: Any, like: Any) -> bool:
    """Whether it is a word, a list or a table of words, as what it replaces is."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    longer = isinstance(value, list) and isinstance(like, list) and len(value) != len(like)
    alike = like is None or (type(value) is type(like) and not longer)
    return alike and all(isinstance(one, str) for one in inside)


def _fill_words(words: str, values: Mapping[str, str]) -> str:
    """Words with values in place of `{name}`; raises `WrongUse` for a name without a value."""
    unknown = sorted({*_PLACE.findall(words)} - {*values})
    if unknown:
        raise WrongUse(
            f"`{words}` has {{{unknown[0]}}}, which has no value there",
            f"the names there are: {', '.join(sorted(values))}",
        )
    return _PLACE.sub(lambda name: values[name[1]], words)


class NoteWriter:
    """Writes notes as sentences of a language.

    `quote` makes a title or a value of somebody harmless where the sentence is shown.
    """

    def __init__(self, document: NotesDocument, quote: Callable[[str], str]) -> None:
        self._document, self._escape = document, quote
        self._words = _read_words(document.language, document.folders)

    def describe_pages(self) -> Mapping[str, Any]:
        """What a template gets: a heading with both days, and the pages that say something."""
        start, end = self._document.start, self._spell_day(self._document.end)
        days = {"start": self._spell_day(start) if start else "", "end": end}
        words, pages = self._words["headings"], map(self._describe_page, self._document.pages)
        return {
            "heading": _fill_words(words["notes" if start else "first"], days),
            "pages": [page for page in pages if page["sections"]],
            "words": words,
            "language": self._document.language,
        }

    def _describe_page(self, page: NotesPage) -> Mapping[str, Any]:
        opened = [note.after for note in page.notes if note.kind is NoteKind.OPENED]
        sections: dict[NoteSection, dict[str, None]] = {section: {} for section in NoteSection}
        for note in filter(self.is_mentioned, page.notes):
            sections[note.section] |= dict.fromkeys(self.write_sentences(note))
        headings = self._words["headings"]
        return {
            "title": self._quote(page.title),
            "is_new": page.is_new,
            "description": self._quote(str(opened[0].get("description") or "") if opened else ""),
            "sections": [
                {"heading": headings[section], "sentences": [*sentences]}
                for section, sentences in sections.items()
                if sentences
            ],
        }

    def _quote(self, text: str) -> str:
        return self._escape(" ".join(text.split()))  # a sentence is one line

    def is_mentioned(self, note: Note) -> bool:
        """A field without a word in this language is of interest to the team alone."""
        is_field = note.kind in {NoteKind.FIELD, NoteKind.ITEMS}
        is_team = self._document.readers is NoteReaders.TEAM
        return is_team or not is_field or note.field in self._words["fields"]

    def write_sentences(self, note: Note) -> Iterator[str]:
        """The sentences for one note; two for a list that has gained and lost something."""
        if note.kind is NoteKind.ITEMS:
            old, new = note.before or [], note.after or []
            for name, items in (("gained", _without(new, old)), ("lost", _without(old, new))):
                listed = ", ".join(self._spell_value(note.field, item) for item in items)
                yield from [self._fill(name, note, items=listed)] * bool(items)
            return
        way = "-new" * (note.before is None) or "-gone" * (note.after is None)
        yield self._fill(
            f"{note.kind}{way * (note.kind is NoteKind.FIELD)}",
            note,
            before=self._spell_side(note, note.before),
            after=self._spell_side(note, note.after),
        )

    def _fill(self, sentence: str, note: Note, **values: str) -> str:
        """The sentence with the phrases for the place that the note is about."""
        titles = {"part": self._quote(note.part), "inside": self._quote(note.inside)}
        place = "inside" if note.inside and note.part else "part" if note.part else "whole"
        phrases = {
            name: _fill_words(self._words["places"][phrase], titles) if shown else ""
            for name, phrase, shown in (
                ("place", place, True),
                ("of", "of", note.part),
                ("within", "within", note.inside),
            )
        }
        filled = {"field": self._name_field(note), "part": titles["part"], **phrases, **values}
        sentences: Words = self._words["sentences"]
        own = sentences.get(f"{sentence}-{note.field}")
        return _fill_words(own or sentences[sentence], filled)

    def _name_field(self, note: Note) -> str:
        for table in ("fields", "levels", "kinds"):
            if named := self._words[table].get(note.field):
                return str(named)
        return self._quote(name_field(note.field))

    def _spell_side(self, note: Note, value: Any) -> str:
        is_rule = note.kind in _RULES and value is not None
        return self._spell_rule(value) if is_rule else self._spell_value(note.field, value)

    def _spell_rule(self, form: Mapping[str, Any]) -> str:
        """A condition in words: those for one of its values, else its title."""
        conditions: Words = self._words["conditions"]
        values = {name: self._spell_value(name, value) for name, value in form.items()}
        for value in form.values():
            condition = conditions.get(str(value), "")
            if condition and {*values}.issuperset(_PLACE.findall(condition)):
                return _fill_words(condition, values)
        return self._quote(str(form["title"]))

    def _spell_value(self, name: str, value: Any) -> str:
        """A value as people of the language write it."""
        if value is None or value == []:
            return str(self._words["nothing"])
        if isinstance(value, bool):
            return str(self._words["yes" if value else "no"])
        if isinstance(value, list):
            return ", ".join(self._spell_value(name, item) for item in value)
        if isinstance(value, int) and name.endswith(CENTS):
            number = self._spell_number(f"{value / 100:,.2f}")
            return f"{number} {self._quote(self._document.currency)}".rstrip()
        if isinstance(value, str) and name in list_date_fields():
            return self._spell_day(parse_moment(value))
        number = f"{value:,}" if isinstance(value, int) else ""
        return self._spell_number(number) if number else self._quote(str(value))

    def _spell_number(self, english: str) -> str:
        marks = {",": self._words["thousands"], ".": self._words["decimal"]}
        return english.translate(str.maketrans(marks))

    def _spell_day(self, moment: datetime) -> str:
        month = self._words["months"][moment.month - 1]
        day = {"day": str(moment.day), "month": month, "year": str(moment.year)}
        return _fill_words(self._words["date"], day)


def _without(items: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    return [item for item in items if item not in others]


def notes_page(document: NotesDocument, form: str) -> str:
    """The notes as a page, in the format `md` or `html`; raises `WrongUse` for files of the team
    that cannot be used."""
    quote = escape_text if form == "md" else lambda text: escape(escape_invisible(text))
    context = NoteWriter(document, quote).describe_pages()
    made = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(document.folders),
        autoescape=form == "html",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    name = f"page.{form}.jinja"
    try:
        return made.get_template(name).render(context)
    except Exception as error:  # noqa: BLE001 - a page of a team may fail in any way
        raise WrongUse(f"{name}: {error}", "correct the page in --templates") from None


def notes_json(document: NotesDocument) -> dict[str, Any]:
    """Each note with its values and its sentences."""
    writer = NoteWriter(document, escape_invisible)
    return {
        "format": "lmssync.notes/1",
        "from": document.start and format_moment(document.start),
        "to": format_moment(document.end),
        "audience": document.readers,
        "language": document.language,
        "pages": [
            {
                "address": str(page.address),
                "title": page.title,
                "isNew": page.is_new,
                "notes": [
                    {**note._asdict(), "sentences": sentences}
                    for note in page.notes
                    if note.kind is not NoteKind.OPENED
                    and writer.is_mentioned(note)
                    and (sentences := [*writer.write_sentences(note)])
                ],
            }
            for page in document.pages
            if any(map(writer.is_mentioned, page.notes))
        ],
    }
