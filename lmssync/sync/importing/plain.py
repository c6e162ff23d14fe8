"""Texts of a source as titles and plain prose, and moments as dates of a manifest."""

import re
import unicodedata
from datetime import UTC, datetime

from ...texts.values import CONTROL
from ...vocabulary.normalisers import derive_slug, strip_markup

_CONTROL = re.compile(f"[{CONTROL}]")
_BLANKS = re.compile(r"\s+")
_BLOCK_END = re.compile(r"(?i)<br\s*/?>|</(p|div|h[1-6]|li|tr|blockquote|pre)\s*>")
_EMPTY_LINES = re.compile(r"\n\s*\n\s*")
_DIGEST = re.compile(r"[0-9a-f]{24,}")
_DIGITS_MOST = 15
_FAR = 4_102_444_800
"""The first second of the year 2100."""


def without_controls(text: str) -> str:
    """The text without characters that no manifest may hold."""
    return _CONTROL.sub("", text)


def fold_to_line(text: str | None) -> str:
    """A text on one line."""
    return _BLANKS.sub(" ", without_controls(text or "")).strip()


def html_to_prose(html: str | None) -> str:
    """What a text of HTML says, without its tags; paragraphs stand apart."""
    text = strip_markup(_BLOCK_END.sub("\n\n", without_controls(html or "")))
    lines = (_BLANKS.sub(" ", part).strip() for part in _EMPTY_LINES.split(text))
    return "\n\n".join(filter(None, lines))


def make_slug(text: str) -> str:
    """A slug with accents as plain letters; empty if it would say little of the text.

    That is so for other scripts, of which only the digits would stay, and for digests.
    """
    spelled = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
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


def of_seconds(text: str | None) -> str:
    """A moment in seconds since 1970, as other systems keep them; empty for none."""
    seconds = parse_whole_number(text or "")
    if not seconds or seconds >= _FAR:
        return ""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_moment(text: str | None) -> str:
    """A moment in ISO 8601, in UTC; empty for what is none."""
    try:
        parsed = datetime.fromisoformat(fold_to_line(text).strip('"'))
    except ValueError:
        return ""
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=UTC)
    try:
        return parsed.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:  # an offset can lead out of the years that there are
        return ""
