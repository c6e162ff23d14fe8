"""Fields of a pydantic model as a page shows them: what type, which rule, which sentence."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import BaseModel

from lmssync.manifests.schemas import fields, hints
from lmssync.vocabulary.enums import CriterionType, TopicType

LONG_ENUMS: Mapping[type[StrEnum], str] = {
    TopicType: "a [topic type](#topic-types)",
    CriterionType: "a [rule of completion](#rules-of-completion)",
}
"""Enums with a table of their own on the page."""


class Row(NamedTuple):
    """One field as a page shows it."""

    name: str
    type: str
    rule: str
    text: str


def rows(model: type[BaseModel]) -> list[Row]:
    """The fields of a model: its own first, then those of its bases."""
    return [row for _, found in groups(model) for row in found]


def groups(model: type[BaseModel]) -> Iterator[tuple[type[BaseModel], list[Row]]]:
    """The same rows by the class that declares them; a field belongs to the nearest."""
    for one, found in fields.groups(model):
        yield one, [_row(field) for field in found]


inner = fields.inner
summary = fields.summary


def _row(field: fields.Field) -> Row:
    rules = ["required"] if field.required else []
    rules += hints.bounds(field.hint).in_words()
    if field.default is not None:
        rules.append(f"default {_default(field.default)}")
    return Row(field.name, hints.type_in_words(field.hint, _named), "; ".join(rules), field.text)


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"`{value}`" if value != "" else "no text"


def _named(bare: type[Any]) -> str:
    if issubclass(bare, StrEnum):
        return LONG_ENUMS.get(bare) or " or ".join(f"`{word}`" for word in bare)
    return f"[{bare.__name__}](#{bare.__name__.lower()})"
