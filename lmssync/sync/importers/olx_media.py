"""Videos and static files of an Open edX archive.

The platform stores a file under a name of letters, digits and underscores, and an export gives the
file its first name again. So a text has `/static/a_b.png` where the archive has `static/a b.png`.
"""

import json
import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ...vocabulary.enums import TopicType
from .course_outline import Body, ContentRef, Course, SourceFile, Topic, TranscriptFile, make_player
from .source_files import SourceFiles

_STATIC = re.compile(
    r"/?(?:static/|asset-v1:[^/]*\+type@asset\+block[@/]|c4x/[^/]+/[^/]+/asset/)(?P<name>.+)"
)
_NOT_STORED = re.compile(r"[^\w.%-]")


def find_static_name(path: str) -> str | None:
    """The name of the static file that an address of a text leads to; none for other addresses."""
    match = _STATIC.fullmatch(path)
    return match["name"] if match else None


class OlxStaticFiles:
    """The static files of one course."""

    def __init__(self, files: SourceFiles, root: str) -> None:
        self._files, self._root = files, root
        self._stored = dict(self._stored_names())

    def find_file(self, name: str) -> SourceFile | None:
        """The file of a name, as the archive or the platform spells it; none if it is missing."""
        for spelled in (name, unquote(name)):
            file = posixpath.join(self._root, "static", spelled)
            file = (
                file if file in self._files else self._stored.get(_spell_stored_name(spelled), "")
            )
            if file:
                return SourceFile(file, posixpath.basename(file))
        return None

    def _stored_names(self) -> Iterator[tuple[str, str]]:
        """Each name under which the platform stored a file, with its path in the archive."""
        top = posixpath.join(self._root, "static", "")
        for file in self._files.sizes:
            if file.startswith(top):
                yield _spell_stored_name(file.removeprefix(top)), file
        for stored, shown in self._read_display_names():
            if top + shown in self._files:
                yield _spell_stored_name(stored), top + shown

    def _read_display_names(self) -> Iterator[tuple[str, str]]:
        """What the list of files in the archive says: stored names, and paths below `static`."""
        name = posixpath.join(self._root, "policies/assets.json")
        if name not in self._files:
            return
        try:
            listed = json.loads(self._files.read_text(name)).items()
        except (ValueError, AttributeError, RecursionError):
            raise self._files.file_error(name, "is not a list of files in JSON") from None
        for stored, about in listed:
            if isinstance(about, dict) and isinstance(about.get("displayname"), str):
                folder = posixpath.dirname(str(about.get("import_path") or ""))
                yield stored, about["displayname"]
                yield stored, posixpath.join(folder, about["displayname"])


def _spell_stored_name(name: str) -> str:
    return _NOT_STORED.sub("_", name)


_TIMES = ("start_time", "end_time", "from", "to")
"""Where in the file a video begins and ends, also as older archives name it."""
_NO_TIMES = {None, "", "null", "0", "0.0", "00:00:00", '"00:00:00"'}


def make_video_topic(
    course: Course, static: OlxStaticFiles, block: Element, place: str, title: str
) -> Topic:
    """A video with the address of its file, or the player of a YouTube video."""
    youtube = block.get("youtube_id_1_0") or _find_normal_speed(block.get("youtube", ""))
    addresses = [block.get("source", ""), *(s.get("src", "") for s in block.iter("source"))]
    addresses += [part for part in block.get("html5_sources", "").split('"') if "//" in part]
    addresses += [f"https://www.youtube.com/watch?v={youtube}"] if youtube else []
    encoded = [video.get("url", "") for video in block.iter("encoded_video")]
    addresses += sorted((url for url in encoded if "//" in url), key=_is_stream)
    address, *others = dict.fromkeys(filter(None, addresses)) or [""]
    if others:
        course.note_loss(place, f"further addresses of the video “{title}”: {', '.join(others)}")
    shown = [f"{key}={block.get(key)}" for key in _TIMES if block.get(key) not in _NO_TIMES]
    if shown:
        course.note_loss(place, f"the part of “{title}” that is played: {', '.join(shown)}")
    handout = block.get("handout", "")
    file = static.find_file(find_static_name(handout) or "")
    if handout:
        # Of a file that is there the note is its own: it is not listed once more as unused.
        course.note_loss(file.name if file else place, f"the handout of “{title}”: {handout}")
    embedded = make_player(address, title)
    type_ = TopicType.EMBED if embedded else TopicType.VIDEO
    topic = Topic(title, type_, place, block.get("url_name", ""))
    topic.body = Body(embedded, place) if embedded else None
    topic.address = ContentRef(address) if address and not embedded else None
    topic.transcripts = list(_list_transcripts(course, static, block))
    return topic


def _is_stream(address: str) -> bool:
    """True for a playlist, which fewer players show than a file."""
    return address.partition("?")[0].endswith(".m3u8")


def _list_transcripts(
    course: Course, static: OlxStaticFiles, block: Element
) -> Iterator[TranscriptFile]:
    """The transcripts that a video names, each once: in elements, or in attributes as before."""
    named = {one.get("src", ""): one.get("language", "") for one in block.iter("transcript")}
    try:
        named |= {
            str(name): lang for lang, name in json.loads(block.get("transcripts") or "{}").items()
        }
    except (ValueError, AttributeError, RecursionError):
        course.note_loss(course.place, "a list of transcripts is damaged")
    for name, language in named.items():
        if name:
            yield TranscriptFile(name, language, static.find_file(name))
    if sub := block.get("sub"):
        yield TranscriptFile(sub, "", static.find_file(f"subs_{sub}.srt.sjson"))


def _find_normal_speed(speeds: str) -> str:
    """The id of a video, out of `0.75:abc,1.00:def`."""
    pairs = (pair.partition(":") for pair in speeds.split(","))
    return next((id_ for speed, _, id_ in pairs if speed.strip() in {"1", "1.0", "1.00"}), "")
