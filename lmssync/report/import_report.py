"""What an import wrote, and what it could not carry over: as text and as JSON."""

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
    Loss.CHANGED: "is in the catalog in another way",
}


_TO_DO = {Loss.PLACEHOLDER: "to fill", Loss.HOSTING: "to host"}
"""What a summary calls those that wait for somebody."""


def import_text(out: Path, courses: Sequence[ImportedCourse]) -> str:
    """A paragraph per course, with what it lacks; a summary at the end."""
    lines = [line for course in courses for line in _of_course(out, course)]
    return "\n".join([*lines, _summary(out, courses)]) + "\n"


def _of_course(out: Path, course: ImportedCourse) -> Iterator[str]:
    files = count_noun(len(course.files), "file")
    place = escape_invisible(str(out / course.key))
    yield f"{place}: {spell_value(course.title)}, from {escape_invisible(course.source)}"
    yield f"  {files}; {_topics(course.topics)}"
    hosted = [copy.url for copy in course.copies if copy.url]
    if hosted:
        where = escape_invisible(hosted[0].rpartition("/")[0])
        yield f"  {count_noun(len(hosted), 'copied file')} will be looked for at {where}/"
    for loss, meaning in _MEANINGS.items():
        lost = [one for one in course.lost if one.loss is loss]
        if lost:
            yield f"  {loss} ({len(lost):,}): {meaning}"
            yield from (
                f"    {escape_invisible(one.place)}: {escape_invisible(one.message)}"
                for one in lost
            )


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
