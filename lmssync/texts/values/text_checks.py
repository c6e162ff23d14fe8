"""Checks the texts of a manifest, each according to its `Role`, while its model is validated.

A quick look comes first, since most texts need no other. Nothing here changes a text: what an
author wrote is sent byte for byte.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import core_schema

from ...problems import Finding, warning_rule
from ...resource import Path
from ...support.annotations import Leaf, leaves_of
from ...vocabulary.normalisers import strip_markup
from . import body_markup, text_characters
from .dialect_marks import may_have_dialect
from .standard_formats import check_date, check_isbn
from .text_roles import Role, show_text
from .web_addresses import check_url

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
    yield from text_characters.check_invisible(path, text)
    yield from text_characters.check_composition(path, text)


def _check_html(path: Path, text: str, holder: Any) -> Iterator[Finding]:
    yield from text_characters.check_invisible(path, text)
    yield from body_markup.check_html(path, text, embeds=getattr(holder, "type", None) == "embed")


def _check_markdown(path: Path, text: str, _holder: Any) -> Iterator[Finding]:
    yield from text_characters.check_invisible(path, text)
    yield from body_markup.check_markdown(path, text)


def _check_meta(path: Path, text: str, _holder: Any) -> Iterator[Finding]:
    yield from check_prose(path, text, _holder)
    kept = strip_markup(text)
    if kept != text.strip():
        message = (
            f"the platform removes the markup from `{text_characters.path_name(path)}`, "
            f"which leaves `{show_text(kept)}`"
        )
        yield MARKUP_STRIPPED.at(path, message, "write it without markup")


_LATIN = re.compile("[\n -~\xa1-\xac\xae-\u017f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac]*")
"""ASCII, the letters of most European languages, their quotes and dashes: none is ever odd."""


def _plain_line(text: str) -> bool:
    printable = (text.isascii() or _is_latin(text)) and text.isprintable()
    return printable and text.strip() == text and not text.startswith(text_characters.MARK)


def _is_plain(text: str) -> bool:
    printable = (text.isascii() or _is_latin(text)) and text.replace("\n", "").isprintable()
    return printable and not text.startswith(text_characters.MARK)


def _is_latin(text: str) -> bool:
    return _LATIN.fullmatch(text) is not None and text_characters.MARK not in text


_FLAT = re.compile(r"[^<]*(?:<(p|h[1-6]|strong|em|b|i|code)>[^<]*</\1>[^<]*)*")
"""A few elements, one after the other."""


def _plain_html(text: str) -> bool:
    return _is_plain(text) and ("<" not in text or _FLAT.fullmatch(text) is not None)


def _plain_markdown(text: str) -> bool:
    if ("<" in text or "]" in text) and (
        body_markup.may_have_slips(text) or text.startswith("http")
    ):
        return False
    flat = not text.startswith("---") and not may_have_dialect(text)
    return flat and _is_plain(text) and not body_markup.may_nest_deep(text)


def _never_plain(_text: str) -> bool:
    return False


def _url_checks(role: Role) -> tuple[Plain, Check]:
    return _never_plain, lambda path, text, _holder: check_url(path, text, role)


_URLS = (Role.LINK, Role.IMAGE, Role.POSTER, Role.PACKAGE, Role.PDF, Role.VIDEO)
_BY_ROLE: dict[Role, tuple[Plain, Check]] = {
    Role.LINE: (_plain_line, lambda path, text, _holder: text_characters.check_line(path, text)),
    Role.TEXT: (_is_plain, check_prose),
    Role.HTML: (_plain_html, _check_html),
    Role.MARKDOWN: (_plain_markdown, _check_markdown),
    Role.META: (lambda text: _is_plain(text) and "<" not in text and "&" not in text, _check_meta),
    Role.ISBN: (_never_plain, lambda path, text, _holder: check_isbn(path, text)),
    Role.DATE: (_never_plain, lambda path, text, _holder: check_date(path, text)),
} | {role: _url_checks(role) for role in _URLS}


def _unless_placeholder(check: Check) -> Check:
    """A check for a text that is written: a placeholder needs no other."""

    def check_unless_placeholder(path: Path, text: str, holder: Any) -> Iterator[Finding]:
        unwritten = list(text_characters.find_placeholder(path, text))
        return iter(unwritten) if unwritten else check(path, text, holder)

    return check_unless_placeholder


CHECKS: Mapping[Role, tuple[Plain, Check]] = {
    role: (plain, _unless_placeholder(check)) for role, (plain, check) in _BY_ROLE.items()
}
"""For a text that its validator accepts: the quick look, and the check that says all."""


class Noticed:
    """The context of a validation: the texts that may be odd, of those that were read.

    `judge_texts` goes through the document once more to find out where they are, until it has met
    each of them.
    """

    def __init__(self) -> None:
        self.odd: set[str] = set()
        self.left: Counter[tuple[str, Check]] = Counter()
        """How often each was read with a check, and was not met since."""

    def note_text(self, text: str, check: Check) -> None:
        """Notes a text that may be odd."""
        self.odd.add(text)
        self.left[text, check] += 1

    def meet_text(self, text: str, check: Check) -> None:
        """Counts a text as met."""
        if self.left[text, check] > 1:
            self.left[text, check] -= 1
        else:
            del self.left[text, check]


class ReadAs(NamedTuple):
    """A mark in `Annotated`: what a text is to its readers, and a validator of such texts."""

    role: Role
    accept: Callable[[str], str]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.with_info_after_validator_function(self._make_reader(), handler(source))

    def _make_reader(self) -> Callable[[str, ValidationInfo], str]:
        accept, (plain, check) = self.accept, CHECKS[self.role]

        def read_text(text: str, info: ValidationInfo) -> str:
            if text and plain(text):
                return text
            accept(text)
            noticed = info.context
            # Once one is odd, `judge_texts` is asked anyway: it checks the others.
            if isinstance(noticed, Noticed) and (noticed.odd or any(check((), text, None))):
                noticed.note_text(text, check)
            return text

        return read_text


def judge_texts(spec: BaseModel, noticed: Noticed | None = None) -> Iterator[Finding]:
    """Everything odd about the texts of a manifest that its model has accepted; no others than
    those that were `noticed` may be."""
    findings: list[Finding] = []
    if noticed is None or noticed.odd:
        _look_at(spec, (), findings, noticed)
    return iter(sorted(findings, key=lambda finding: [str(step) for step in finding.path]))


def body_file(
    path: Path, file: str, text: str, holder: Mapping[str, Any], *, markdown: bool
) -> Iterator[Finding]:
    """What is wrong with the text of a file that is a body of `holder`: each finding has its place
    in that file."""
    yield from text_characters.check_control(path, text, file)
    yield from text_characters.find_placeholder(path, text, file)
    yield from text_characters.check_invisible(path, text, file)
    if markdown:
        yield from body_markup.check_markdown(path, text, file)
    else:
        yield from body_markup.check_html(path, text, file, embeds=holder.get("type") == "embed")


class _Look(NamedTuple):
    """How the values of one field are looked at."""

    spelled: str
    """The field as an author writes it."""
    held: type | None
    """`list` of texts, `dict` by keys of an author, `BaseModel` alone or in a list; else text."""
    plain: Plain
    check: Check


def _look_at(
    holder: BaseModel, path: Path, findings: list[Finding], noticed: Noticed | None
) -> None:
    if noticed and not noticed.left:
        return
    looks, values = _looks_of_model(type(holder)), holder.__dict__
    for name in holder.__pydantic_fields_set__:
        look = looks.get(name)
        if look is None or (value := values[name]) is None:
            continue
        if look.held is not None:
            _look_below((*path, look.spelled), value, look, findings, noticed)
        elif value in noticed.odd if noticed else not look.plain(value):
            findings += look.check((*path, look.spelled), value, holder)
            if noticed:
                noticed.meet_text(value, look.check)


def _look_below(
    path: Path, value: Any, look: _Look, findings: list[Finding], noticed: Noticed | None
) -> None:
    if look.held is list:
        _look_at_list(path, value, look.plain, look.check, findings)
    elif look.held is dict:
        _look_at_table(path, value, findings)
    elif value.__class__ is list:
        for position, item in enumerate(value):
            _look_at(item, (*path, position), findings, noticed)
    else:
        _look_at(value, path, findings, noticed)


def _look_at_list(
    path: Path, items: list[str], plain: Plain, check: Check, findings: list[Finding]
) -> None:
    for position, text in enumerate(items):
        if not plain(text):
            findings += check((*path, position), text, None)


def _look_at_table(path: Path, table: dict[str, Any], findings: list[Finding]) -> None:
    for key, value in table.items():
        below = (*path, key)
        if isinstance(value, str):
            findings += text_characters.check_invisible(below, value)
        elif value:
            _look_at_list(below, value, str.isascii, check_prose, findings)


@cache
def _looks_of_model(model: type[BaseModel]) -> dict[str, _Look]:
    """What there is to look at in every instance of a model, found once."""
    looks: dict[str, _Look] = {}
    for name, field in model.model_fields.items():
        spelled = field.alias or name
        inside = leaves_of(field)
        roles = [mark.role for leaf in inside for mark in leaf.marks if isinstance(mark, ReadAs)]
        role, held = (roles[-1] if roles else None), _held_type(inside)
        if held in {dict, BaseModel}:
            looks[name] = _Look(spelled, held, str.isascii, check_prose)
        elif role:
            looks[name] = _Look(spelled, held, *CHECKS[role])
    return looks


def _held_type(inside: list[Leaf]) -> type | None:
    """`list` of texts, `dict`, or `BaseModel` where models stand, alone or in a list."""
    if any(leaf.keyed for leaf in inside):
        return dict
    if any(leaf.model for leaf in inside):
        return BaseModel
    return list if any(leaf.listed for leaf in inside) else None
