"""How values are shown to a person: prices, days, statuses, kinds of topics."""

import re
import zlib
from calendar import month_name
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ...vocabulary.enums import OpenType, SessionStatus, TopicType

STATUSES = {
    SessionStatus.PUBLISHED: "Published",
    SessionStatus.PENDING: "Scheduled",
    SessionStatus.DRAFT: "Draft",
    SessionStatus.AUTHORING: "In authoring",
    SessionStatus.LOGIN_RESTRICTION: "Login only",
    SessionStatus.ARCHIVED: "Archived",
    SessionStatus.DELETED: "Deleted",
}
OPEN_TYPES: Mapping[str, str] = {
    OpenType.STUDENTS_ONLY: "Enrolled learners",
    OpenType.OPEN: "Open to everyone",
    OpenType.EMAIL_CAPTURE_OPEN: "Open for an e-mail address",
}
FILES = {
    "videoUrl": "Video",
    "videoAsset": "Video of the library",
    "scormUrl": "Package",
    "pdfUrl": "File",
    "audioUrl": "Audio",
    "posterImageAsset": "Poster",
}
"""The fields of a topic that name a file, which is shown and never fetched."""
_TYPES: Mapping[str, str] = {
    TopicType.SHAREABLE_CONTENT_OBJECT: "SCORM package",
    TopicType.X_API_OBJECT: "xAPI package",
    TopicType.PDF_VIEWER: "PDF",
    TopicType.LTI: "LTI",
    TopicType.AD: "Ad",
}
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TAG = re.compile(r"<[^>]*>")
_BLOCK = re.compile(r"<(?:p|li|h[1-6]|tr|div|blockquote|pre|br)\b[^>]*>")
_LINE, _LINE_PIXELS, _SIZES = 88, 32, 18


def price(session: Mapping[str, Any]) -> str:
    """The platform keeps no currency with a price, so none is shown."""
    if cents := session.get("priceInCents"):
        return f"{cents // 100:,}.{cents % 100:02}"
    return "Free with registration" if session.get("freeWithRegistration") else "Free"


def day(stamp: str | None) -> str | None:
    """`2026-02-01T00:00:00.000Z` as `1 February 2026`, with the time where it is not midnight."""
    if not stamp:
        return None
    year, month, number = stamp[:10].split("-")
    text = f"{int(number)} {month_name[int(month)]} {year}"
    time = stamp[11:16]
    return text if time in ("", "00:00") else f"{text}, {time} UTC"


def topic_type(type_: str) -> str:
    """`highlightZoneSet` as `Highlight zone set`."""
    return _TYPES.get(type_) or _HUMP.sub(" ", type_).capitalize()


def hue(text: str) -> int:
    """A colour that a title always has, in degrees."""
    return zlib.crc32(text.encode("utf-8", "replace")) % 360


def size(body: str) -> int:
    """About how many lines a body takes: nothing can measure it without a script."""
    blocks = [len(_TAG.sub("", block)) for block in _BLOCK.split(body)]
    lines = sum(1 + length // _LINE for length in blocks if length > 1)
    return max(1, min(lines, _SIZES))


def size_rules() -> str:
    """How high the frame of a body of each size is, as rules of a style sheet."""
    heights = ((n, n * _LINE_PIXELS + 30) for n in range(1, _SIZES + 1))
    return "".join(f".size-{number}{{height:{pixels}px}}" for number, pixels in heights)


def host(url: str) -> str:
    return urlsplit(url).hostname or ""
