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
                _check_words(file, key, value, words.get(key))
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
        except Exception as error:  # noqa: BLE001 - a page of a team may fail in any way
            raise WrongUse(f"{name}: {error}", "correct the page in --templates") from None


def _read_toml(file: Path) -> Words:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise WrongUse(f"{file}: {error}", "correct the file in --templates") from None


def _check_words(file: Path, key: str, value: Any, like: Any) -> None:
    """Raises `WrongUse` for what is neither a word nor a table of words, as the key has it."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    fits = like is None or (
        type(value) is type(like) and (not isinstance(value, list) or len(value) == len(like))
    )
    if not fits or not all(isinstance(one, str) for one in inside):
        raise WrongUse(
            f"{file}: `{key}` is not written as in lmssync's own files",
            "docs/notes.md says where these are",
        )


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
        days = {"start": self._spell_day(start) if start else "", "end": end}
        return _fill_words(self._words["headings"][which], days)

    def _list_sentences(self, page: NotesPage, section: NoteSection) -> Iterator[str]:
        for note in page.notes:
            if note.section is section and self.is_mentioned(note):
                yield from dict.fromkeys(self.write_sentences(note))

    def is_mentioned(self, note: Note) -> bool:
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
        filled = {
            "field": self._name_field(note),
            "part": titles["part"],
            "place": _fill_words(phrases[place], titles),
            "of": _fill_words(phrases["of"], titles) if note.part else "",
            "within": _fill_words(phrases["within"], titles) if note.inside else "",
            **values,
        }
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


def notes_page(document: NotesDocument, files: NoteFiles, form: str) -> str:
    """The notes as a page, in the format `md` or `html`; raises `WrongUse` for files of the team
    that cannot be used."""
    words = files.read_words()
    quote = escape_text if form == "md" else lambda text: escape(escape_invisible(text))
    writer = NoteWriter(words, document, quote)
    pages = [writer.describe_page(page) for page in document.pages]
    shown = [page for page in pages if page["sections"]]
    return files.fill_page(
        form,
        heading=writer.write_heading(),
        pages=shown,
        words=words["headings"],
        language=files.language,
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
