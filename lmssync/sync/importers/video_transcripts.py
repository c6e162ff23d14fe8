"""Transcripts of videos, as pages of text below the videos where that is asked for."""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape, unescape
from typing import NamedTuple

from ...vocabulary.enums import TopicType
from .course_outline import Body, Course, Lesson, SourceFile, Topic, TranscriptFile
from .source_files import NotReadable, SourceFiles
from .source_texts import fold_to_line

_ENDINGS = (".srt", ".vtt", ".sjson")
_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,3})?)"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}")
_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_PAUSE = 2.0
"""Seconds without a word after which a new paragraph begins."""
_WORDS = 100
"""Words of a paragraph after which the next sentence begins a new one."""
_SENTENCE_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")


class Cue(NamedTuple):
    """A line that is shown for some seconds."""

    start: float
    end: float
    text: str


def add_transcripts(course: Course, files: SourceFiles, *, wanted: bool) -> None:
    """Puts a text below each video that has transcripts, or notes that they are left out."""
    by_stem = _list_caption_files(files)
    for section in course.sections:
        for lesson in section.lessons:
            lesson.topics = list(_with_transcripts(course, lesson, files, by_stem, wanted=wanted))


def _with_transcripts(
    course: Course,
    lesson: Lesson,
    files: SourceFiles,
    by_stem: dict[str, list[str]],
    *,
    wanted: bool,
) -> Iterator[Topic]:
    for topic in lesson.topics:
        yield topic
        found = topic.transcripts or _find_beside(course, topic, by_stem)
        for one in found:
            shown = f"the transcript {one.name} of “{topic.title}”"
            if one.file is None:
                course.note_loss(topic.place, f"{shown} is not in the source")
                continue
            if not wanted:
                course.note_loss(one.file.name, f"{shown}: --transcripts makes it a page")
                continue
            language = f" ({one.language})" if one.language and len(found) > 1 else ""
            body = _read_transcript(files, one.file.name)
            if body is None:
                course.note_loss(one.file.name, f"{shown} cannot be read")
            else:
                title = f"{topic.title}: transcript{language}"
                yield Topic(title, TopicType.TEXT, one.file.name, body=body)


def _list_caption_files(files: SourceFiles) -> dict[str, list[str]]:
    """Files of captions by their names without endings."""
    by_stem: dict[str, list[str]] = {}
    for name in files.sizes:
        stem, ending = posixpath.splitext(name)
        if ending.lower() in _ENDINGS:
            by_stem.setdefault(stem, []).append(name)
            # `tour.de.vtt` belongs to `tour` as well: the part before the ending is its language.
            by_stem.setdefault(stem.rpartition(".")[0], []).append(name)
    return by_stem


def _find_beside(
    course: Course, topic: Topic, by_stem: dict[str, list[str]]
) -> Sequence[TranscriptFile]:
    """The captions beside the file of a video: `tour.vtt` or `tour.de.vtt` of `tour.mp4`."""
    if topic.type is not TopicType.VIDEO or topic.address is None:
        return ()
    target = course.resolve(topic.address.target, topic.address.base)
    if not isinstance(target, SourceFile):
        return ()
    stem = posixpath.splitext(target.name)[0]
    return [
        TranscriptFile(
            posixpath.basename(name),
            posixpath.splitext(name)[0].removeprefix(stem).strip("."),
            SourceFile(name, posixpath.basename(name)),
        )
        for name in by_stem.get(stem, ())
    ]


def _read_transcript(files: SourceFiles, name: str) -> Body | None:
    """What is said, in paragraphs; none for a file that cannot be read."""
    try:
        text = files.read_text(name)
        cues = _parse_timed_json(text) if name.endswith(".sjson") else _parse_captions(text)
        html = "\n".join(f"<p>{escape(one, quote=False)}</p>" for one in _join_cues(cues))
    except (NotReadable, ValueError, TypeError, LookupError, RecursionError):
        return None
    return Body(html, name) if html else None


def _parse_timed_json(text: str) -> Iterator[Cue]:
    """The cues of `{"start": [...], "end": [...], "text": [...]}`, in milliseconds."""
    lists = json.loads(text)
    rows = zip(lists["start"], lists["end"], lists["text"], strict=True)
    return (Cue(float(s) / 1000, float(e) / 1000, str(words)) for s, e, words in rows)


def _parse_captions(text: str) -> Iterator[Cue]:
    """The cues of SubRip or WebVTT: lines below a line with times, up to an empty one."""
    times: tuple[float, float] | None = None
    words: list[str] = []
    # The empty line at the end closes the last cue of a file that has none.
    for line in [*text.split("\n"), ""]:
        if match := _TIMES.match(line):
            times, words = (_seconds(*match.groups()[:3]), _seconds(*match.groups()[3:])), []
        elif line.strip() and times:
            words.append(line)
        elif times:
            yield Cue(*times, " ".join(words))
            times = None


def _seconds(hours: str | None, minutes: str, seconds: str) -> float:
    return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds.replace(",", "."))


def _join_cues(cues: Iterable[Cue]) -> Iterator[str]:
    """The words of cues in paragraphs, which end with a pause or, if they are long, a sentence."""
    said: list[str] = []
    count, end = 0, 0.0
    for cue in cues:
        text = fold_to_line(unescape(_TAG.sub("", cue.text)))
        # `count` above 0 means that something is said, so there is a last one.
        is_long = count > _WORDS and said[-1].endswith(_SENTENCE_ENDS)
        if said and (cue.start - end > _PAUSE or is_long):
            yield " ".join(said)
            said, count = [], 0
        if text and text not in said[-1:]:  # captions that roll repeat the line before
            said.append(text)
            count += len(text.split())
        end = cue.end
    if said:
        yield " ".join(said)
