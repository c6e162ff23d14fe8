"""The templates of the pages: the `.html` files beside this module, and what they may call, such as
texts with the earlier ones beside them.

Bodies of authors become HTML that connects to nothing, runs nothing and leads nowhere. A policy of
a page does not keep a browser from everything: it opens a connection for a `<link
rel="preconnect">` and for the address of a frame before it refuses to load anything. So only
elements and attributes stay that are listed here, or in the library as those of plain texts.
"""

import re
import zlib
from calendar import month_name
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader

from ...vocabulary.enums import FILLED_TOPICS, OPEN_TYPES, SHELL_TOPICS, SessionStatus, spell_type
from ...vocabulary.markup import measure_markup
from ...vocabulary.normalisers import sanitize_label

NEW, CHANGED, REMOVED = "new", "changed", "removed"
Document = Mapping[str, Any]
"""A course, a part of it, a criterion or a purchase path, as the platform has it. A page may show
two more fields: `mark` says what became of it, `was` has the old values of fields."""


class PageText(NamedTuple):
    """A short text of a page."""

    text: str
    mark: str = ""
    """`new` or `removed`; empty for what is as it was."""


def compare_texts(now: Sequence[str], was: Sequence[str] | None) -> list[PageText]:
    """Marks what differs: what is gone comes first; without `was` nothing is marked."""
    if was is None:
        return [PageText(text) for text in now]
    gone = [PageText(text, REMOVED) for text in was if text not in now]
    return gone + [PageText(text, "" if text in was else NEW) for text in now]


def list_text_versions(document: Document, field: str) -> list[PageText]:
    """The text of a field, after the one that it replaces."""
    old = document.get("was", {})
    return compare_texts(_texts(document.get(field)), _texts(old[field]) if field in old else None)


def _texts(value: Any) -> list[str]:
    return [] if value in (None, "") else [str(value)]


def mark_changes(now: Document, was: Document) -> Document:
    """A document with the old values of what differs, and a mark on each part that differs."""
    parts = {name for name in (*now, *was) if _is_parts(now.get(name) or was.get(name))}
    fields = (now.keys() | was.keys()) - parts
    old = {name: was.get(name) for name in fields if now.get(name) != was.get(name)}
    inner = {name: _mark_list(now.get(name) or (), was.get(name) or ()) for name in parts}
    return {**now, **inner, "was": old}


def _mark_list(now: Sequence[Document], was: Sequence[Document]) -> list[Document]:
    before = {_id(part): part for part in was}
    there = {_id(part) for part in now}
    shown = [_part(part, before.get(_id(part))) for part in now]
    return shown + [{**part, "mark": REMOVED} for part in was if _id(part) not in there]


def _part(now: Document, was: Document | None) -> Document:
    if was is None:
        return {**now, "mark": NEW}
    part = mark_changes(now, was)
    return {**part, "mark": CHANGED} if part["was"] else part


def _id(part: Document) -> str:
    return str(part.get("id") or part.get("language"))


def _is_parts(value: Any) -> bool:
    """True for a list of parts: each has an id, or a language."""
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(part, Mapping) and _id(part) != "None" for part in value)
    )


_ATTRIBUTES = {
    "*": {"align", "class", "dir", "lang", "title"},
    "audio": {"controls"},
    "img": {"alt", "height", "src", "width"},
    "ol": {"start", "type"},
    "table": {"border"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "video": {"controls", "height", "width"},
}
"""None of them has an address but that of a picture, of which only one in the text itself stays."""
_STYLES = {
    *("background-color", "border", "border-collapse", "border-color", "border-radius"),
    *("border-style", "border-width", "clear", "color", "display", "float", "font-family"),
    *("font-size", "font-style", "font-weight", "height", "line-height", "margin"),
    *("margin-bottom", "margin-left", "margin-right", "margin-top", "max-width", "min-width"),
    *("padding", "padding-bottom", "padding-left", "padding-right", "padding-top", "text-align"),
    *("text-decoration", "text-indent", "text-transform", "vertical-align", "white-space", "width"),
}
"""Properties of elements that take no address."""
_FUNCTION = re.compile(r"(?<!rgb)(?<!rgba)(?<!hsl)(?<!hsla)(?<!calc)\(|\\")
"""A function in a style that is none of these, or a character written in another way."""
_EMPTY_BOXES = {"audio", "video"}
"""Elements that a learner's browser loads from elsewhere: the page shows a box of their size."""
_FRAME = re.compile(r"<(/?)iframe\b", re.IGNORECASE)
"""A frame becomes a video, a box as well, whose inside is sanitised as everything else is."""
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")
_PARSED_MOST = 1_000_000
"""Characters of a body that are parsed."""
STATUSES = {
    SessionStatus.PUBLISHED: "Published",
    SessionStatus.PENDING: "Scheduled",
    SessionStatus.DRAFT: "Draft",
    SessionStatus.AUTHORING: "In authoring",
    SessionStatus.LOGIN_RESTRICTION: "Login only",
    SessionStatus.ARCHIVED: "Archived",
    SessionStatus.DELETED: "Deleted",
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
_TAG = re.compile(r"<[^>]*>")
_BLOCK = re.compile(r"<(?:p|li|h[1-6]|tr|div|blockquote|pre|br)\b[^>]*>")
_LINE, _LINE_PIXELS, _SIZES = 88, 32, 18
_HERE = Path(__file__).parent
BODY_STYLE = (_HERE / "body.css").read_text("utf-8")
"""The style of each frame that holds a body."""


def sanitise_body(html: str, *, keeps_styles: bool = True) -> str:
    """Return a body as learners read it, without what a browser would connect to, follow or run.

    A body that is too large to be parsed is returned as text. `keeps_styles` keeps `style` of
    elements, for pages whose policy lets those count.
    """
    import nh3  # a compiled library that few runs need

    if len(html) > _PARSED_MOST or measure_markup(html).excess:
        return f"<pre>{escape(html)}</pre>"
    attributes = {tag: set(names) for tag, names in _ATTRIBUTES.items()}
    attributes["*"] |= {"style"} if keeps_styles else set()
    return nh3.clean(
        _FRAME.sub(r"<\1video", html),
        tags=nh3.ALLOWED_TAGS | _EMPTY_BOXES,
        attributes=attributes,
        attribute_filter=_keep_attribute,
        filter_style_properties=_STYLES,
        url_schemes={"data"},
        link_rel=None,
    )


def _keep_attribute(_tag: str, name: str, value: str) -> str | None:
    """A picture only if it is in the text itself: the others show their description."""
    if name == "style":
        return None if _FUNCTION.search(value) else value
    return None if name == "src" and not _PICTURE.fullmatch(value) else value


def format_price(session: Mapping[str, Any]) -> str:
    """The platform keeps no currency with a price: `currency` is that of a project file, if any."""
    if cents := session.get("priceInCents"):
        return f"{cents // 100:,}.{cents % 100:02} {session.get('currency', '')}".rstrip()
    return "Free with registration" if session.get("freeWithRegistration") else "Free"


def format_day(stamp: str | None) -> str | None:
    """`2026-02-01T00:00:00.000Z` as `1 February 2026`, with the time where it is not midnight."""
    if not stamp:
        return None
    year, month, number = stamp[:10].split("-")
    text = f"{int(number)} {month_name[int(month)]} {year}"
    time = stamp[11:16]
    return text if time in ("", "00:00") else f"{text}, {time} UTC"


def topic_type(type_: str) -> str:
    """`highlightZoneSet` as `Highlight zone set`."""
    words = spell_type(type_)
    return words.capitalize() if words.islower() else words


def choose_hue(text: str) -> int:
    """A colour that a title always has, in degrees."""
    return zlib.crc32(text.encode("utf-8", "replace")) % 360


def estimate_body_lines(body: str) -> int:
    """About how many lines a body takes: nothing can measure it without a script."""
    blocks = [len(_TAG.sub("", block)) for block in _BLOCK.split(body)]
    lines = sum(1 + length // _LINE for length in blocks if length > 1)
    return max(1, min(lines, _SIZES))


def size_rules() -> str:
    """How high the frame of a body of each size is, as rules of a style sheet."""
    heights = ((n, n * _LINE_PIXELS + 30) for n in range(1, _SIZES + 1))
    return "".join(f".size-{number}{{height:{pixels}px}}" for number, pixels in heights)


def extract_host(url: str) -> str:
    return urlsplit(url).hostname or ""


OUTLINE_STYLE = (_HERE / "outline.css").read_text("utf-8") + size_rules()
"""The style of what is inside a course, wherever that is shown."""


def frame_document(body: str) -> str:
    """The document of the frame that a body is shown in, with a style of its own."""
    return f"<style>{BODY_STYLE}</style>{sanitise_body(body)}"


_FILTERS = (
    format_day, choose_hue, format_price, estimate_body_lines, topic_type, frame_document,
    sanitize_label, list_text_versions,
)  # fmt: skip


def make_page_environment(*folders: Path) -> Environment:
    """The templates, and those in further folders, which may extend them."""
    templates = Environment(
        loader=FileSystemLoader([*folders, _HERE]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=lambda value: "" if value is None else value,
    )
    templates.filters.update({function.__name__: function for function in _FILTERS})
    templates.globals.update(
        STYLE=(_HERE / "style.css").read_text("utf-8") + OUTLINE_STYLE,
        STATUSES=STATUSES,
        OPEN_TYPES=OPEN_TYPES,
        FILES=FILES,
        FILLED_TOPICS=FILLED_TOPICS,
        SHELL_TOPICS=SHELL_TOPICS,
    )
    return templates
