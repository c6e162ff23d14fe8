"""Fields and their values as people name them: a price with its currency, a day with its zone, the
title of a page where a path leads through its id."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from ..kinds import KINDS, Date
from ..planning.diff import ORDER
from ..resource import Address
from ..support.invisible_characters import escape_invisible
from ..vocabulary.enums import OPEN_TYPES
from .value_words import SpelledValue, spell_moment

CENTS = "InCents"
"""How the name of a field ends that has a price."""
_NAMES = {
    name: word for kind in KINDS.values() for name, word in kind.authoring.field_names.items()
}
_PERCENTAGES = {"percentOff"}.union(*(kind.authoring.percentages for kind in KINDS.values()))
_ROWS = {name: nouns for kind in KINDS.values() for name, nouns in kind.authoring.rows.items()}
_STEP = re.compile(r"([A-Za-z]+)\[([^\]]*)\]")


def spell_money(cents: int, currency: str = "") -> str:
    """`1,234.50 EUR`; without a currency, the number alone."""
    return f"{cents / 100:,.2f} {currency}".rstrip()


def spell_amount(name: str, value: Any, currency: str = "") -> str:
    """The words for a price or a share; empty for the value of any other field."""
    if type(value) is int and name.endswith(CENTS):
        return spell_money(value, currency)
    return f"{value} %" if type(value) is int and name in _PERCENTAGES else ""


def word_value(
    path: str, value: Any, currency: str = "", titles: Mapping[Address, str] = MappingProxyType({})
) -> Any:
    """The value of a field, in which prices, dates and shares are in words, and a resource with one
    of the `titles` is called by it; the rest as it is."""
    if path in _ROWS and isinstance(value, str | list):
        one, several = _ROWS[path]
        number = f"{len(value):,} {one if len(value) == 1 else several}"
        # In a change the rows are counted already.
        return SpelledValue.of(value if isinstance(value, str) else number, value)
    if isinstance(value, list):
        return [word_value(path, item, currency) for item in value]
    if isinstance(value, dict):
        if any(key.startswith("$") for key in value):
            return _name_resource(value, titles)
        return {key: word_value(key, item, currency, titles) for key, item in value.items()}
    words = _spell_leaf(path.rpartition(".")[2], value, currency)
    return SpelledValue.of(words, value) if words else value


def _name_resource(value: Mapping[str, Any], titles: Mapping[Address, str]) -> Any:
    address = Address.parse(str(value.get("$ref") or ""))
    if address not in titles or "part" in value:
        return value
    return SpelledValue.of(_quote_title(titles[address], address.key), value)


def _spell_leaf(name: str, value: Any, currency: str) -> str:
    """The words for a value; empty where people read it as it is."""
    if amount := spell_amount(name, value, currency):
        return amount
    if name == "openType" and value in OPEN_TYPES:
        return OPEN_TYPES[value].lower()
    if isinstance(value, str) and name in list_date_fields():
        spelled = spell_moment(value)
        return spelled if spelled != value else ""
    return ""


@cache
def list_date_fields() -> frozenset[str]:
    """The names of the fields that hold a date, in any kind."""
    found: set[str] = set()
    for kind in KINDS.values():
        _collect_dates(kind.spec, found, set())
    return frozenset(found)


def _collect_dates(model: type[BaseModel], found: set[str], seen: set[type[BaseModel]]) -> None:
    if model in seen:
        return
    seen.add(model)
    for name, field in model.model_fields.items():
        if any(mark in get_args(Date)[1:] for mark in field.metadata):
            found.add(name)
        _look_inside(name, field.annotation, found, seen)


def _look_inside(name: str, annotation: Any, found: set[str], seen: set[type[BaseModel]]) -> None:
    if annotation is Date:
        found.add(name)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        _collect_dates(annotation, found, seen)
    else:
        for inner in get_args(annotation) if get_origin(annotation) is not None else ():
            if not isinstance(inner, str | int):
                _look_inside(name, inner, found, seen)


def name_field(path: str, titles: Mapping[str, str] | None = None) -> str:
    """`price`; `text of page “Hello” in “Welcome”`, with the titles of parts by their paths.

    A part without a title keeps its id.
    """
    if path.endswith("]"):
        return name_part(path, titles or {})
    before, _, leaf = path.rpartition("].")
    if not before:
        return _name_leaf(path)
    return f"{_name_leaf(leaf)} of {name_part(f'{before}]', titles or {})}"


def _name_leaf(path: str) -> str:
    if path in _NAMES:
        return _NAMES[path]
    first, _, rest = path.partition(".")
    named = _NAMES.get(first, first)
    return f"order of {named}" if rest == ORDER else ".".join(filter(None, (named, rest)))


def name_part(path: str, titles: Mapping[str, str]) -> str:
    """`page “Hello” in “Welcome”`: the part, and what it stands in."""
    steps = list(_STEP.finditer(path))
    if not steps:
        return path
    level, own = steps[-1].groups()
    name = _quote_title(titles.get(path), own)
    noun = _NAMES.get(level, level).removesuffix("s")
    if len(steps) == 1:
        return f"{noun} {name}"
    around = path[: steps[-2].end()]
    return f"{noun} {name} in {_quote_title(titles.get(around), steps[-2][2])}"


def _quote_title(title: str | None, own: str) -> str:
    return f"“{escape_invisible(' '.join(title.split()))}”" if title else f"`{own}`"
