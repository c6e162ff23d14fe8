"""Names and words that people bring from the platform or from habit."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from lmssync.catalog.manifests.model_fields import fields_of, model_in
from lmssync.kinds import KINDS
from lmssync.kinds.field_synonyms import NAMES, NEEDLESS, NOT_HERE, WORDS
from lmssync.kinds.field_types import Shown
from lmssync.vocabulary import enums


def models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """A model and those inside it."""
    yield model
    for declared in model.model_fields.values():
        inner = model_in(declared.annotation)
        if inner:
            yield from models(inner)


EVERY = {inner for kind in KINDS.values() for inner in models(kind.spec)}
SHORT_FORMS = {short.field for kind in KINDS.values() for short in kind.authoring.nested}
FIELDS = {name for model in EVERY for name in fields_of(model)} | SHORT_FORMS


def marks(found: Any) -> Iterator[Any]:
    for item in found:
        yield item
        yield from marks(getattr(item, "__args__", ()))
        yield from marks(getattr(item, "__metadata__", ()))


def wire_names() -> Iterator[tuple[str, str]]:
    """Each field that the specification calls otherwise, and what it calls it."""
    for model in EVERY:
        for name, declared in fields_of(model).items():
            for mark in marks((declared.annotation, *declared.metadata)):
                if isinstance(mark, Shown) and mark.wire not in {"", "id"}:
                    yield mark.wire, name


@pytest.mark.parametrize(("wire", "name"), sorted(set(wire_names())))
def test_every_name_of_the_specification_is_known(wire: str, name: str):
    """Who writes the platform's name is told ours."""
    assert name in {step for meant in NAMES[wire] for step in meant.split(".")}


@pytest.mark.parametrize("meant", sorted({meant for found in NAMES.values() for meant in found}))
def test_every_name_leads_to_a_field(meant: str):
    """A remedy that names no field would be none."""
    assert set(meant.partition(":")[0].split(".")) <= FIELDS


def test_what_is_needless_is_no_field():
    """Nobody is told to delete what a manifest may have; an attestation has a time of its own, and
    the remedy is for the places that have none."""
    assert {"updatedAt"} == NEEDLESS.keys() & FIELDS


def test_every_word_leads_to_a_word():
    """The words of habit stand for words of the platform."""
    words = {word for enum in vars(enums).values() if isinstance(enum, type) for word in _of(enum)}
    assert set(WORDS.values()) | NOT_HERE.keys() <= words


def _of(enum: type) -> list[str]:
    return list(enum) if issubclass(enum, enums.StrEnum) else []
