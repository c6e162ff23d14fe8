"""The texts of a source: XML as trees, titles and prose without markup, moments as dates."""

import re
import unicodedata
from datetime import UTC, datetime
from html.entities import html5
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from ...texts.values import CONTROL
from ...vocabulary.iso_dates import parse_moment
from ...vocabulary.normalisers import derive_slug, strip_markup
from .source_files import SourceFiles

_CONTROL = re.compile(f"[{CONTROL}]")
_BLANKS = re.compile(r"\s+")
_BLOCK_END = re.compile(r"(?i)<br\s*/?>|</(p|div|h[1-6]|li|tr|blockquote|pre)\s*>")
_EMPTY_LINES = re.compile(r"\n\s*\n\s*")
_DIGEST = re.compile(r"[0-9a-f]{24,}")
_DIGITS_MOST = 15
_FAR = 4_102_444_800
"""The first second of the year 2100."""


def strip_controls(text: str) -> str:
    """The text without characters that no manifest may hold."""
    return _CONTROL.sub("", text)


def fold_to_line(text: str | None) -> str:
    """A text on one line."""
    return _BLANKS.sub(" ", strip_controls(text or "")).strip()


def html_to_prose(html: str | None) -> str:
    """What a text of HTML says, without its tags; paragraphs stand apart."""
    text = strip_markup(_BLOCK_END.sub("\n\n", strip_controls(html or "")))
    lines = (_BLANKS.sub(" ", part).strip() for part in _EMPTY_LINES.split(text))
    return "\n\n".join(filter(None, lines))


_LETTERS = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH"}
    | dict(zip("øØłŁđĐðÐıħĦŧŦŋŊ", "oOlLdDdDihHtTnN", strict=True))
)
"""Plain letters for those that are no plain letter with an accent."""


def make_slug(text: str) -> str:
    """A slug with accents as plain letters; empty if it would say little of the text.

    That is so for other scripts, of which only the digits would stay, and for digests.
    """
    # Decomposed, so that `é` is an `e` with an accent, and the accent can go.
    spelled = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    derived = derive_slug(spelled)
    letters = sum(letter.isalpha() for letter in unicodedata.normalize("NFC", text))
    says_little = 2 * sum(letter.isalpha() for letter in derived) < letters
    return "" if says_little or _DIGEST.fullmatch(derived) else derived


def parse_whole_number(text: str) -> int | None:
    """The number that a text of ASCII digits is; none for another text, and for one too long.

    Python does not convert a text of 4,301 digits.
    """
    is_number = text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MOST
    return int(text) if is_number else None


def parse_seconds(text: str | None) -> str:
    """A moment in seconds since 1970, as other systems keep them; empty for none."""
    seconds = parse_whole_number(text or "")
    if not seconds or seconds >= _FAR:
        return ""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def normalise_moment(text: str | None) -> str:
    """A moment in ISO 8601, in UTC; empty for what is none."""
    try:
        moment = parse_moment(fold_to_line(text).strip('"'))
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):  # an offset can lead out of the years that there are
        return ""


_DEPTH_MOST = 100
_ELEMENTS_MOST = 1_000_000


class _RefusedXml(Exception):
    """XML that is well-formed, and that we do not read."""


def read_xml_tree(files: SourceFiles, name: str) -> Element:
    """The root of a file of XML; raises `NotReadable` in words."""
    try:
        return XmlReading().parse_root(files.read_content(name))
    except expat.ExpatError as error:
        message = f"is not XML: line {error.lineno}: {expat.ErrorString(error.code)}"
        raise files.file_error(name, message) from None
    except (_RefusedXml, ValueError, LookupError) as error:
        raise files.file_error(name, f"is not read: {error}") from None


NO_ELEMENT = Element("none")
"""What stands for a file that is missing or damaged: it says nothing."""


class XmlReading:
    """One file being read."""

    def __init__(self) -> None:
        self._builder = TreeBuilder()
        self._depth = self._count = 0

    def parse_root(self, data: bytes) -> Element:
        # Expat itself, since ElementTree has no way to refuse what a document type declares.
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._builder.data
        # A few nested entities stand for gigabytes; an external one for a file of this machine.
        parser.EntityDeclHandler = _refuse_entity
        parser.SkippedEntityHandler = self._skip_entity
        parser.Parse(data, True)  # noqa: FBT003 - it takes no name
        return self._builder.close()

    def _start_element(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > _DEPTH_MOST:
            raise _RefusedXml(f"its elements are more than {_DEPTH_MOST} deep")
        if self._count > _ELEMENTS_MOST:
            raise _RefusedXml(f"it has more than {_ELEMENTS_MOST:,} elements")
        self._builder.start(
            _local_name(name), {_local_name(key): v for key, v in attributes.items()}
        )

    def _end_element(self, name: str) -> None:
        self._depth -= 1
        self._builder.end(_local_name(name))

    def _skip_entity(self, name: str, is_parameter: bool) -> None:  # noqa: FBT001 - called by expat
        # A document type may declare it, and nobody fetches that: those of HTML are known all the
        # same.
        if is_parameter or f"{name};" not in html5:
            raise _RefusedXml(f"it uses the entity &{name};")
        self._builder.data(html5[f"{name};"])


def _local_name(name: str) -> str:
    return name.rpartition("}")[2]


def _refuse_entity(*declared: object) -> NoReturn:
    raise _RefusedXml(f"it declares the entity {declared[0]}, and entities may stand for anything")


def child_text(element: Element, path: str) -> str:
    """The text of an element below, on the way that `path` names; empty if there is none."""
    below = element.find(path)
    return ("".join(below.itertext()) if below is not None else "").strip()
