"""Finds what is odd about the texts of a manifest, each checked according to its `Role`.

Nothing here changes a text: what an author wrote is sent byte for byte.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from ...problems import Finding
from ...resource import Path
from ...support.annotations import Leaf, leaves_of
from . import characters, markup, placeholders
from .checks import CHECKS, Check, Plain, check_prose
from .reading import ReadAs
from .roles import Role


def judge_texts(spec: BaseModel) -> Iterator[Finding]:
    """Everything odd about the texts of a manifest that its model has accepted."""
    findings: list[Finding] = []
    _look_at(spec, (), findings)
    return iter(sorted(findings, key=lambda finding: [str(step) for step in finding.path]))


def body_file(
    path: Path, name: str, text: str, holder: Mapping[str, Any], *, markdown: bool
) -> Iterator[Finding]:
    """What is wrong with the text of a file that stands for a body of `holder`."""
    control = characters.find_control(text)
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
    plain: Plain
    check: Check


def _look_at(holder: BaseModel, path: Path, findings: list[Finding]) -> None:
    looks, values = _looks_of_model(type(holder)), holder.__dict__
    for name in holder.__pydantic_fields_set__:
        look = looks.get(name)
        if look is None or (value := values[name]) is None:
            continue
        if look.held is None:
            if not look.plain(value):
                findings += look.check((*path, look.spelled), value, holder)
            continue
        below = (*path, look.spelled)
        if look.held is list:
            _look_at_list(below, value, look.plain, look.check, findings)
        elif look.held is dict:
            _look_at_table(below, value, findings)
        elif value.__class__ is list:
            for position, item in enumerate(value):
                _look_at(item, (*below, position), findings)
        else:
            _look_at(value, below, findings)


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
            findings += characters.odd_in_prose(below, value)
        elif value:
            _look_at_list(below, value, str.isascii, check_prose, findings)


@cache
def _looks_of_model(model: type[BaseModel]) -> dict[str, _Look]:
    """What there is to look at in every instance of a model, found once."""
    looks: dict[str, _Look] = {}
    for name, field in model.model_fields.items():
        spelled = field.alias or name
        inside = leaves_of(field)
        role, held = _find_role(inside), _held_type(inside)
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


def _find_role(inside: list[Leaf]) -> Role | None:
    roles = [mark.role for leaf in inside for mark in leaf.marks if isinstance(mark, ReadAs)]
    return roles[-1] if roles else None
