"""Release notes as Markdown, HTML and JSON, in the words of a language.

The words are in `notes/LANGUAGE.toml` and the pages in `notes/page.*.jinja`. A team may name a
folder with files of these names: what they say is used in place of what these say.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import FileSystemLoader, TemplateError
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


class NoteFiles(NamedTuple):
    """Where words and pages come from: a folder of the team, and those of lmssync."""

    language: str
    folder: Path | None = None

    @property
    def folders(self) -> Sequence[Path]:
        return [folder for folder in (self.folder, _HERE) if folder]

    def read_words(self) -> Words:
        """The words of the language, in English where it lacks one; raises `WrongUse`."""
        name = f"{self.language}.toml"
        files = [folder / name for folder in reversed(self.folders) if (folder / name).is_file()]
        if not files:
            known = sorted({file.stem for one in self.folders for file in one.glob("*.toml")})
            raise WrongUse(
                f"there are no words for release notes in `{self.language}`",
                f"choose one of {', '.join(known)}, or write {name} into a folder and name that "
                "with --templates",
            )
        words: dict[str, Any] = {}
        for file in (_HERE / "en.toml", *files):
            for key, value in _read_toml(file).items():
                words[key] = {**words.get(key, {}), **value} if isinstance(value, dict) else value
        return words

    def fill_page(self, form: str, **context: Any) -> str:
        """The page of a format, filled; raises `WrongUse` for a page of the team that is wrong."""
        made = ImmutableSandboxedEnvironment(
            loader=FileSystemLoader(self.folders),
            autoescape=form == "html",
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        name = f"page.{form}.jinja"
        try:
            return made.get_template(name).render(**context)
        except (TemplateError, TypeError, ValueError) as error:
            raise WrongUse(f"{name}: {error}", "correct the page in --templates") from None


def _read_toml(file: Path) -> Words:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise WrongUse(f"{file}: {error}", "correct the file in --templates") from None


class NoteWriter:
    """Writes notes as sentences of a language.

    `quote` makes a title or a value of somebody harmless where the sentence is shown.
    """

    def __init__(self, words: Words, document: NotesDocument, quote: Callable[[str], str]) -> None:
        self._words, self._document, self._quote = words, document, quote

    def describe_page(self, page: NotesPage) -> Mapping[str, Any]:
        """What a template shows of a page; its sections in their order, without empty ones."""
        opened = [note.after for note in page.notes if note.kind is NoteKind.OPENED]
        sections = [
            {"heading": self._words["headings"][section], "sentences": sentences}
            for section in NoteSection
            if (sentences := [*self._list_sentences(page, section)])
        ]
        return {
            "title": self._quote(page.title),
            "is_new": page.is_new,
            "description": self._quote(str(opened[0].get("description") or "") if opened else ""),
            "sections": sections,
        }

    def write_heading(self) -> str:
        """The heading of all pages, with the days of both moments."""
        start, end = self._document.start, self._spell_day(self._document.end)
        which = "notes" if start else "first"
        form: str = self._words["headings"][which]
        return form.format(start=self._spell_day(start) if start else "", end=end)

    def _list_sentences(self, page: NotesPage, section: NoteSection) -> Iterator[str]:
        for note in page.notes:
            if note.section is section and self._is_mentioned(note):
                yield from dict.fromkeys(self.write_sentences(note))

    def _is_mentioned(self, note: Note) -> bool:
        """A field without a word in this language is of interest to the team alone."""
        named = note.field in self._words["fields"] or note.kind not in {
            NoteKind.FIELD,
            NoteKind.ITEMS,
        }
        return named or self._document.readers is NoteReaders.TEAM

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
        phrases: Words = self._words["places"]
        place = "inside" if note.inside and note.part else "part" if note.part else "whole"
        filled: str = self._words["sentences"][sentence].format(
            field=self._name_field(note),
            part=titles["part"],
            place=phrases[place].format(**titles),
            of=phrases["of"].format(**titles) if note.part else "",
            within=phrases["within"].format(**titles) if note.inside else "",
            **values,
        )
        return filled

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
        fitting = [conditions[value] for value in form.values() if str(value) in conditions]
        if not fitting:
            return self._quote(str(form["title"]))
        values = {name: self._spell_value(name, value) for name, value in form.items()}
        worded: str = fitting[0].format(**values)
        return worded

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
        spelled: str = self._words["date"].format(day=moment.day, month=month, year=moment.year)
        return spelled


def _without(items: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    return [item for item in items if item not in others]


def notes_page(document: NotesDocument, files: NoteFiles, form: str) -> str:
    """The notes as a page, in the format `md` or `html`; raises `WrongUse` for files of the team
    that cannot be used."""
    words = files.read_words()
    quote = escape_text if form == "md" else lambda text: escape(escape_invisible(text))
    writer = NoteWriter(words, document, quote)
    try:
        pages = [writer.describe_page(page) for page in document.pages]
        heading = writer.write_heading()
    except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
        place = f"{files.language}.toml"
        raise WrongUse(f"{place}: {error!r} is no placeholder here", "see docs/notes.md") from None
    shown = [page for page in pages if page["sections"]]
    return files.fill_page(
        form, heading=heading, pages=shown, words=words["headings"], language=files.language
    )


def notes_json(document: NotesDocument, files: NoteFiles) -> dict[str, Any]:
    """Each note with its values and its sentences."""
    writer = NoteWriter(files.read_words(), document, escape_invisible)
    return {
        "format": "lmssync.notes/1",
        "from": document.start and format_moment(document.start),
        "to": format_moment(document.end),
        "audience": document.readers,
        "language": files.language,
        "pages": [
            {
                "address": str(page.address),
                "title": page.title,
                "isNew": page.is_new,
                "notes": [
                    {
                        **note._asdict(),
                        "sentences": [*writer.write_sentences(note)],
                    }
                    for note in page.notes
                    if note.kind is not NoteKind.OPENED
                ],
            }
            for page in document.pages
        ],
    }
