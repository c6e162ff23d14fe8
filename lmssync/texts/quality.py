"""Finds what is odd about the texts of a manifest, each checked according to its `Role`.

Nothing here changes a text: what an author wrote is sent byte for byte.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from ..annotations import Leaf, leaves_of
from ..problems import Finding, warning
from ..source import Path
from ..vocabulary.rules import strip_markup
from . import characters, markup, placeholders
from .dates import of_date
from .isbn import of_isbn
from .refusal import shown
from .roles import Role
from .urls import of_url

MARKUP_STRIPPED = warning(
    "markup-stripped",
    "A text for search engines has markup, which the platform removes.",
    "Write it without markup. The limits count the text as written.",
    source="spec 2.2",
    wrong="metaTitle: <b>Safety</b>",
    right="metaTitle: Safety",
)

Clean = Callable[[str], bool]
"""A quick check that says whether a text needs no other check."""
Check = Callable[[Path, str, Any], Iterator[Finding]]
"""Path, text and the model that holds it to what is wrong with it."""
_DAY = len("2027-01-31")


def quality(spec: BaseModel) -> Iterator[Finding]:
    """Everything odd about the texts of a manifest that its model has accepted."""
    findings: list[Finding] = []
    _look(spec, (), findings)
    return iter(sorted(findings, key=lambda finding: [str(step) for step in finding.path]))


def body_file(
    path: Path, name: str, text: str, holder: Mapping[str, Any], *, markdown: bool
) -> Iterator[Finding]:
    """What is wrong with the text of a file that stands for a body of `holder`."""
    control = characters.control(text)
    if control:
        wrong, hint = control
        yield characters.CONTROL_CHARACTER.at(path, f"`{name}` {wrong}", hint)
    yield from placeholders.of_text(path, text, name)
    yield from characters.odd_in_prose(path, text, name)
    if markdown:
        yield from markup.of_markdown(path, text, name)
    else:
        yield from markup.of_html(path, text, name, embeds=holder.get("type") == "embed")


class _Look(NamedTuple):
    """How the values of one field are looked at."""

    spelled: str
    """The field as an author writes it."""
    held: type | None
    """`list` of texts, `dict` by keys of an author, `BaseModel` alone or in a list; else text."""
    clean: Clean
    check: Check


def _look(holder: BaseModel, path: Path, findings: list[Finding]) -> None:
    looks, values = _looks(type(holder)), holder.__dict__
    for name in holder.__pydantic_fields_set__:
        look = looks.get(name)
        if look is None or (value := values[name]) is None:
            continue
        if look.held is None:
            if not look.clean(value):
                findings += look.check((*path, look.spelled), value, holder)
            continue
        below = (*path, look.spelled)
        if look.held is list:
            _look_at_list(below, value, look.clean, look.check, findings)
        elif look.held is dict:
            _look_at_table(below, value, findings)
        elif value.__class__ is list:
            for position, item in enumerate(value):
                _look(item, (*below, position), findings)
        else:
            _look(value, below, findings)


def _look_at_list(
    path: Path, items: list[str], clean: Clean, check: Check, findings: list[Finding]
) -> None:
    for position, text in enumerate(items):
        if not clean(text):
            findings += check((*path, position), text, None)


def _look_at_table(path: Path, table: dict[str, Any], findings: list[Finding]) -> None:
    for key, value in table.items():
        below = (*path, key)
        if isinstance(value, str):
            findings += characters.odd_in_prose(below, value)
        elif value:
            _look_at_list(below, value, str.isascii, _text, findings)


@cache
def _looks(model: type[BaseModel]) -> dict[str, _Look]:
    """What there is to look at in every instance of a model, found once."""
    looks: dict[str, _Look] = {}
    for name, field in model.model_fields.items():
        spelled = field.alias or name
        inside = leaves_of(field)
        role, held = _role(inside), _held(inside)
        if held in {dict, BaseModel}:
            looks[name] = _Look(spelled, held, _never, _text)
        elif role:
            clean, check = _CHECKS[role]
            looks[name] = _Look(spelled, held, clean, _checked(check))
    return looks


def _checked(check: Check) -> Check:
    """A check for a text that is written: a placeholder needs no other."""

    def checked(path: Path, text: str, holder: Any) -> Iterator[Finding]:
        unwritten = list(placeholders.of_text(path, text))
        return iter(unwritten) if unwritten else check(path, text, holder)

    return checked


def _held(inside: list[Leaf]) -> type | None:
    """`list` of texts, `dict`, or `BaseModel` where models stand, alone or in a list."""
    if any(leaf.keyed for leaf in inside):
        return dict
    if any(leaf.model for leaf in inside):
        return BaseModel
    return list if any(leaf.listed for leaf in inside) else None


def _role(inside: list[Leaf]) -> Role | None:
    roles = [mark for leaf in inside for mark in leaf.marks if isinstance(mark, Role)]
    return roles[-1] if roles else None


def _text(path: Path, text: str, _holder: Any) -> Iterator[Finding]:
    yield from characters.odd_in_prose(path, text)
    yield from characters.not_composed(path, text)


def _html(path: Path, text: str, holder: Any) -> Iterator[Finding]:
    yield from characters.odd_in_prose(path, text)
    yield from markup.of_html(path, text, embeds=getattr(holder, "type", None) == "embed")


def _markdown(path: Path, text: str, _holder: Any) -> Iterator[Finding]:
    yield from characters.odd_in_prose(path, text)
    yield from markup.of_markdown(path, text)


def _meta(path: Path, text: str, _holder: Any) -> Iterator[Finding]:
    yield from _text(path, text, _holder)
    kept = strip_markup(text)
    if kept != text.strip():
        message = (
            f"the platform removes the markup from `{characters.path_name(path)}`, "
            f"which leaves `{shown(kept)}`"
        )
        yield MARKUP_STRIPPED.at(path, message, "write it without markup")


_STARTS = ("---", placeholders.MARK)
"""What Markdown begins with where it needs a closer look."""


def _plain_line(text: str) -> bool:
    return _plain(text) and text.isprintable() and text.strip() == text


def _plain(text: str) -> bool:
    return text.isascii() and not text.startswith(placeholders.MARK)


_FLAT = re.compile(r"[^<]*(?:<(p|h[1-6]|strong|em|b|i|code)>[^<]*</\1>[^<]*)*")
"""A few elements, one after the other."""


def _plain_html(text: str) -> bool:
    return _plain(text) and ("<" not in text or _FLAT.fullmatch(text) is not None)


def _plain_markdown(text: str) -> bool:
    plain = text.isascii() and "<" not in text and "]" not in text
    return plain and not text.startswith(_STARTS)


def _never(_text: str) -> bool:
    return False


def _url(role: Role) -> tuple[Clean, Check]:
    return _never, lambda path, text, _holder: of_url(path, text, role)


_URLS = (Role.LINK, Role.IMAGE, Role.POSTER, Role.PACKAGE, Role.PDF, Role.VIDEO)
_CHECKS: dict[Role, tuple[Clean, Check]] = {
    Role.LINE: (_plain_line, lambda path, text, _holder: characters.of_line(path, text)),
    Role.TEXT: (_plain, _text),
    Role.HTML: (_plain_html, _html),
    Role.MARKDOWN: (_plain_markdown, _markdown),
    Role.META: (lambda text: _plain(text) and "<" not in text and "&" not in text, _meta),
    Role.ISBN: (_never, lambda path, text, _holder: of_isbn(path, text)),
    Role.DATE: (
        lambda text: len(text) == _DAY and text[:2] == "20",
        lambda path, text, _holder: of_date(path, text),
    ),
} | {role: _url(role) for role in _URLS}
