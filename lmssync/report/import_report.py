"""What an import wrote, and what it could not carry over: as text and as JSON."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..support.invisible_characters import escape_invisible
from ..sync.importers import ImportedCourse, Loss
from .value_words import count_noun, spell_value

_MEANINGS = {
    Loss.LOST: "is not in the catalog",
    Loss.PLACEHOLDER: "has to be filled by hand",
    Loss.HOSTING: "needs an address where learners can reach it",
    Loss.CHANGED: "is in the catalog, but in another form",
}


_TO_DO = {Loss.PLACEHOLDER: "to fill", Loss.HOSTING: "to host"}
"""What a summary calls those that wait for somebody."""


_NEXT = "Next: `lmssync validate` checks them, `lmssync preview --serve` shows them."
_COURSES_MOST = 20
"""Courses that the text lists: of more than these JSON has the rest."""
_EXAMPLES = 3
"""Notes of one kind that the text shows, below their number."""
_QUOTED = re.compile(r"“[^”]*”")
_QUOTED_ADDRESS = re.compile(r"`[^`]*[/.:$%@][^`]*`")


def import_text(out: Path, courses: Sequence[ImportedCourse]) -> str:
    """A paragraph per course, what they lack, by kinds and with counts, and a summary."""
    lines = [line for course in courses[:_COURSES_MOST] for line in _of_course(out, course)]
    if len(courses) > _COURSES_MOST:
        left = count_noun(len(courses) - _COURSES_MOST, "more course")
        lines.append(f"and {left}: --json lists all")
    lines += _list_losses(courses)
    return "\n".join([*lines, _summary(out, courses), _NEXT]) + "\n"


def _of_course(out: Path, course: ImportedCourse) -> Iterator[str]:
    files = count_noun(len(course.files), "file")
    place = escape_invisible(str(out / course.key))
    yield f"{place}: {spell_value(course.title)}, from {escape_invisible(course.source)}"
    yield f"  {files}; {_topics(course.topics)}"
    hosted = [copy.url for copy in course.copies if copy.url]
    if hosted:
        where = escape_invisible(hosted[0].rpartition("/")[0])
        yield f"  {count_noun(len(hosted), 'copied file')} must be served at {where}/"


def _list_losses(courses: Sequence[ImportedCourse]) -> Iterator[str]:
    """What the courses lack, under a heading for each word, the commonest kind first."""
    counts = _counts(courses)
    for loss, meaning in _MEANINGS.items():
        if counts[loss]:
            yield f"{loss} ({counts[loss]:,}): {meaning}"
        for kind, notes in _group_losses(courses, loss):
            if len(notes) <= _EXAMPLES:
                yield from (f"  {note}" for note in notes)
                continue
            yield f"  {len(notes):,} times: {kind}"
            yield from (f"    {note}" for note in notes[:_EXAMPLES])
            yield f"    and {len(notes) - _EXAMPLES:,} more: --json lists all"


def _group_losses(
    courses: Sequence[ImportedCourse], loss: Loss
) -> Sequence[tuple[str, Sequence[str]]]:
    """The kinds of loss under one word and the notes of each, with the course where it matters."""
    kinds: dict[str, list[str]] = {}
    sources = {course.source for course in courses}
    for course in courses:
        before = f"{course.key}: " if len(sources) > 1 else ""
        for one in course.lost:
            if one.loss is loss:
                kind = escape_invisible(_spell_kind(one.message))
                note = escape_invisible(f"{before}{one.place}: {one.message}")
                kinds.setdefault(kind, []).append(note)
    return sorted(kinds.items(), key=lambda pair: -len(pair[1]))


def _spell_kind(message: str) -> str:
    """A message without the titles, addresses and values that differ within its kind."""
    plain = _QUOTED.sub("“…”", _QUOTED_ADDRESS.sub("`…`", message))
    head, colon, _ = plain.partition(": ")
    return f"{head}: …" if colon and head != "“…”" else plain


def _topics(topics: Mapping[str, int]) -> str:
    if not topics:
        return "no topics"
    types = ", ".join(f"{number:,} {name}" for name, number in sorted(topics.items()))
    return f"{count_noun(sum(topics.values()), 'topic')} ({types})"


def _summary(out: Path, courses: Sequence[ImportedCourse]) -> str:
    counts = _counts(courses)
    lacks = [f"{counts[loss]:,} {_TO_DO.get(loss, loss)}" for loss in Loss if counts[loss]]
    written = f"Imported {count_noun(len(courses), 'course')} into {escape_invisible(str(out))}"
    return f"{written}; {', '.join(lacks)}." if lacks else f"{written}; nothing was lost."


def _counts(courses: Iterable[ImportedCourse]) -> Counter[Loss]:
    return Counter(one.loss for course in courses for one in course.lost)


def import_json(out: Path, courses: Sequence[ImportedCourse]) -> dict[str, Any]:
    """The document of `import --format FORM --json`."""
    counts = _counts(courses)
    return {
        "format": "lmssync.import-formats/1",
        "out": str(out),
        "summary": {"courses": len(courses), **{str(loss): counts[loss] for loss in Loss}},
        "courses": [_as_json(course) for course in courses],
    }


def _as_json(course: ImportedCourse) -> dict[str, Any]:
    return {
        "key": course.key,
        "title": course.title,
        "source": course.source,
        "place": course.place,
        "topics": dict(course.topics),
        "files": course.files,
        "copies": [
            {"source": copy.source, "file": copy.file, "url": copy.url or None}
            for copy in course.copies
        ],
        "lost": [
            {"loss": str(one.loss), "place": one.place, "message": one.message}
            for one in course.lost
        ],
    }
