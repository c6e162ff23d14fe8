"""What schemas say beside what holds: descriptions, examples, defaults, meanings of words."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from pydantic import BaseModel

from lmssync.catalog.manifests.schemas.field_descriptions import meanings_of
from lmssync.catalog.manifests.schemas.model_schema import by_class, model_definitions
from lmssync.kind import Spec
from lmssync.kinds import BY_RESOURCE
from lmssync.kinds.completion_criterion.criterion_manifest import CriterionSpec
from lmssync.kinds.course.course_form import REFERENCES as OF_COURSE
from lmssync.kinds.license.license_manifest import REFERENCES as OF_LICENSE
from lmssync.settings import Project
from lmssync.support.declared_values import checks_of
from lmssync.vocabulary.enums import CriterionType

from .kept import KEPT

DEFAULTS = {
    ("Video", "assetType"): "hosted",
    ("Group", "assetAltText"): "",
    ("Session", "freeWithRegistration"): False,
    ("Session", "purchasable"): False,
    ("Session", "status"): "draft",
    ("Session", "forceLinearProgress"): False,
    ("Session", "showProgress"): True,
    ("PurchasePathSpec", "displayOrder"): 0,
    ("PurchasePathSpec", "hidePrimaryCta"): False,
    ("EnrollmentOptions", "preserveEnrollments"): True,
    ("EnrollmentOptions", "preserveProgress"): True,
}
"""What the specification says (2.2, 2.6, 2.7); defaults of `now` are no values."""


def fields(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of each field of a model, whatever it goes with."""
    properties: dict[str, Any] = model_definitions([model])[model.__name__]["properties"]
    return properties


def _below(base: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for model in base.__subclasses__():
        yield model
        yield from _below(model)


MODELS = [m for m in dict.fromkeys(_below(Spec)) if m.__module__.startswith("lmssync.kinds")]
EVERY_MODEL = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)


@EVERY_MODEL
def test_every_field_has_a_sentence(model: type[BaseModel]):
    """It stands beneath the field, and everything that explains the field is made of it."""
    assert [] == [name for name, field in fields(model).items() if not field.get("description")]


def test_every_field_of_the_project_file_has_a_sentence():
    """The same for `lmssync.yaml`."""
    assert [] == [
        (model, name)
        for model, schema in model_definitions([checks_of(Project)]).items()
        for name, field in schema["properties"].items()
        if not field.get("description")
    ]


@EVERY_MODEL
def test_every_sentence_ends(model: type[BaseModel]):
    """They are shown one after the other."""
    assert [] == [
        name
        for name, field in fields(model).items()
        if not field["description"].endswith((".", ")"))
    ]


@EVERY_MODEL
def test_every_model_says_what_it_is(model: type[BaseModel]):
    """In its docstring, not in that of its base."""
    assert (model.__doc__ or "").strip() not in {"", (model.__base__.__doc__ or "").strip()}


@pytest.mark.parametrize("name", sorted(KEPT))
def test_every_property_is_described(name: str):
    """Wherever a schema names a field; branches that forbid one say so in their message."""
    assert [] == [
        path
        for path, one in _properties(KEPT[name], "")
        if isinstance(one, dict) and not {"description", "errorMessage", "properties"} & one.keys()
    ]


def _properties(schema: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, list):
        for item in schema:
            yield from _properties(item, path)
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key == "properties":
            for name, one in value.items():
                yield f"{path}.{name}", one
                yield from _properties(one, f"{path}.{name}")
        elif key not in {"if", "examples", "default"}:
            yield from _properties(value, f"{path}.{key}" if key == "$defs" else path)


def test_defaults_are_those_of_the_specification():
    """No other field has one: a default that does not hold would mislead."""
    declared = {
        (model.__name__, name): field["default"]
        for model in MODELS
        for name, field in fields(model).items()
        if "default" in field and name in by_class(model).get(model, ())
    }
    assert DEFAULTS == declared


@pytest.mark.parametrize("refers", [OF_COURSE, OF_LICENSE], ids=["course", "license"])
def test_names_of_references_are_those_that_are_sent(refers: Any):
    """What is shown as the specification's name is what a call has."""
    resource = "course" if refers is OF_COURSE else "license"
    shown = fields(BY_RESOURCE[resource].spec)
    assert {n: one.wire for n, one in refers.items()} == {n: shown[n]["x-api-name"] for n in refers}


@EVERY_MODEL
def test_every_word_has_a_meaning(model: type[BaseModel]):
    """Of each enum that a manifest uses."""
    assert [] == [
        (name, word)
        for name, field in fields(model).items()
        for word, meaning in meanings_of(field).items()
        if not meaning
    ]


def test_words_are_those_of_the_enum():
    """In its order, and each with its own meaning."""
    types = fields(CriterionSpec)["type"]
    assert list(CriterionType) == types["enum"]
    assert "Met when a SCORM package is complete." in types["enumDescriptions"][8]


@pytest.mark.parametrize("name", sorted(KEPT))
def test_every_example_fits(name: str):
    """An example that its own field refuses would teach a mistake."""
    root = KEPT[name]
    for path, one in _properties(root, ""):
        if isinstance(one, dict) and "examples" in one:
            check = jsonschema_rs.validator_for(one | {"$defs": root.get("$defs", {})})
            assert [] == [
                (path, example) for example in one["examples"] if not check.is_valid(example)
            ]
