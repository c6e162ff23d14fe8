"""What is odd about one text, by its `Role`: a quick look first, since most need no other."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...problems import Finding, warning_rule
from ...resource import Path
from ...vocabulary.rules import strip_markup
from . import characters, markup, placeholders
from .dates import of_date
from .isbn import of_isbn
from .refusal import show_text
from .roles import Role
from .urls import of_url

MARKUP_STRIPPED = warning_rule(
    "markup-stripped",
    "A text for search engines has markup, which the platform removes.",
    "Write it without markup. The limits count the text as written.",
    source="spec 2.2",
    wrong="metaTitle: <b>Safety</b>",
    right="metaTitle: Safety",
)

Plain = Callable[[str], bool]
"""A quick look: true for a text that needs no other check, and that no validator refuses unless it
is empty."""
Check = Callable[[Path, str, Any], Iterator[Finding]]
"""Path, text and the model that holds it to what is wrong with it."""


def check_prose(path: Path, text: str, _holder: Any) -> Iterator[Finding]:
    yield from characters.odd_in_prose(path, text)
    yield from characters.not_composed(path, text)


def _check_html(path: Path, text: str, holder: Any) -> Iterator[Finding]:
    yield from characters.odd_in_prose(path, text)
    yield from markup.of_html(path, text, embeds=getattr(holder, "type", None) == "embed")


def _check_markdown(path: Path, text: str, _holder: Any) -> Iterator[Finding]:
    yield from characters.odd_in_prose(path, text)
    yield from markup.of_markdown(path, text)


def _check_meta(path: Path, text: str, _holder: Any) -> Iterator[Finding]:
    yield from check_prose(path, text, _holder)
    kept = strip_markup(text)
    if kept != text.strip():
        message = (
            f"the platform removes the markup from `{characters.path_name(path)}`, "
            f"which leaves `{show_text(kept)}`"
        )
        yield MARKUP_STRIPPED.at(path, message, "write it without markup")


_LATIN = re.compile("[\n -~\xa1-\xac\xae-\u017f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac]*")
"""ASCII, the letters of most European languages, their quotes and dashes: none is ever odd."""


def _plain_line(text: str) -> bool:
    printable = (text.isascii() or _is_latin(text)) and text.isprintable()
    return printable and text.strip() == text and not text.startswith(placeholders.MARK)


def _is_plain(text: str) -> bool:
    printable = (text.isascii() or _is_latin(text)) and text.replace("\n", "").isprintable()
    return printable and not text.startswith(placeholders.MARK)


def _is_latin(text: str) -> bool:
    return _LATIN.fullmatch(text) is not None and placeholders.MARK not in text


_FLAT = re.compile(r"[^<]*(?:<(p|h[1-6]|strong|em|b|i|code)>[^<]*</\1>[^<]*)*")
"""A few elements, one after the other."""


def _plain_html(text: str) -> bool:
    return _is_plain(text) and ("<" not in text or _FLAT.fullmatch(text) is not None)


def _plain_markdown(text: str) -> bool:
    flat = "<" not in text and "]" not in text and not text.startswith("---")
    return flat and _is_plain(text) and not markup.may_nest_deep(text)


def _never_plain(_text: str) -> bool:
    return False


def _url_checks(role: Role) -> tuple[Plain, Check]:
    return _never_plain, lambda path, text, _holder: of_url(path, text, role)


_URLS = (Role.LINK, Role.IMAGE, Role.POSTER, Role.PACKAGE, Role.PDF, Role.VIDEO)
_BY_ROLE: dict[Role, tuple[Plain, Check]] = {
    Role.LINE: (_plain_line, lambda path, text, _holder: characters.of_line(path, text)),
    Role.TEXT: (_is_plain, check_prose),
    Role.HTML: (_plain_html, _check_html),
    Role.MARKDOWN: (_plain_markdown, _check_markdown),
    Role.META: (lambda text: _is_plain(text) and "<" not in text and "&" not in text, _check_meta),
    Role.ISBN: (_never_plain, lambda path, text, _holder: of_isbn(path, text)),
    Role.DATE: (_never_plain, lambda path, text, _holder: of_date(path, text)),
} | {role: _url_checks(role) for role in _URLS}


def _unless_placeholder(check: Check) -> Check:
    """A check for a text that is written: a placeholder needs no other."""

    def check_unless_placeholder(path: Path, text: str, holder: Any) -> Iterator[Finding]:
        unwritten = list(placeholders.of_text(path, text))
        return iter(unwritten) if unwritten else check(path, text, holder)

    return check_unless_placeholder


CHECKS: Mapping[Role, tuple[Plain, Check]] = {
    role: (plain, _unless_placeholder(check)) for role, (plain, check) in _BY_ROLE.items()
}
"""For a text that its validator accepts: the quick look, and the check that says all."""
