"""A schema and `validate` agree about the structure of a document, either way."""

import os
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, strategies as st

from lmssync.catalog.manifests.catalog_files import RESERVED
from lmssync.catalog.manifests.model_fields import fields_of
from lmssync.catalog.manifests.schemas.example_manifests import example_documents
from lmssync.catalog.manifests.schemas.model_schema import model_definitions
from lmssync.catalog.manifests.yaml import load_yaml
from lmssync.kinds import BY_RESOURCE
from lmssync.problems import only_errors
from lmssync.support.rulebook import FAMILIES
from tests import making

from .kept import KEPT

OF_STRUCTURE = {
    "missing-field",
    "unknown-field",
    "unknown-resource",
    "not-a-manifest",
    "field-of-kind",
    "field-of-type",
    "text-of-video",
    "one-body",
    "one-video",
    "asset-type-with-url",
    "no-video",
    "criterion-needs",
    "criterion-field",
    "one-target",
    "target-title",
    "short-form",
    "short-form-id",
    "short-form-field",
    "uuid",
    "users-missing",
    "users-twice",
    "person-unnamed",
    "option-not-boolean",
    "options-empty",
    "options-contradict",
}
"""Mistakes that both must find; what is wrong with single texts and dates may be left to one."""
COUNTED_LATER = {"label-length"}
"""Counted after cleaning, which no schema can do."""

CATALOG = Path(__file__).parents[3] / "examples" / "catalog"
MANY = int(os.environ.get("FUZZ_FIELDS", "200"))
_ANY = jsonschema_rs.validator_for(KEPT["manifest.json"])
_EACH = {word: jsonschema_rs.validator_for(KEPT[f"{word}.json"]) for word in BY_RESOURCE}


def _is_of_structure(code: str) -> bool:
    return code in OF_STRUCTURE or (
        code not in COUNTED_LATER and any(code.endswith(ending) for ending in FAMILIES)
    )


def agree(data: Any) -> None:
    """What `validate` accepts fits both schemas; what it refuses for its structure fits none."""
    codes = {problem.code for problem in only_errors(making.found(deepcopy(data))[1])}
    each = _EACH.get(str(data.get("resource")))
    fits = {_ANY.is_valid(data)} | ({each.is_valid(data)} if each else set())
    if not codes:
        assert {True} == fits, data
    if any(_is_of_structure(code) for code in codes):
        assert {False} == fits, (codes, data)


BASES = [
    *(data for known in example_documents().values() for data in known),
    making.course(completionCriteria=[{"id": "p", "type": "coursePercentViewed", "percent": 5}]),
    making.course(
        purchasePaths=[{"id": "s", "label": "Buy", "target": {"url": "https://x.y", "title": "S"}}]
    ),
    making.micro("a", making.topic("film", "video", videoUrl="https://x.y/z.mp4")),
    making.micro("a", making.topic("words", "article", languages=[{"language": "de"}])),
    making.course(kind="article", sections=None, articleVariant={"body": "<p>x</p>"}),
    making.course(
        kind="video", sections=None, videoUrl="https://x.y", articleVariant={"label": "x"}
    ),
    making.course(kind="video", sections=None, videoAsset=making.UUID, assetType="hosted"),
    making.course(kind="shareableContentObject", sections=None, scormUrl="https://x.y/z.zip"),
    making.criterion(),
    making.criterion(type="videoPercentViewed", topic="a/b/c"),
    making.license_(),
    making.path(),
    making.path(target={"item": "safety"}),
]
VALUES: list[Any] = [
    *(None, True, False, 0, 5, -1, 101, 1.5, "", " ", "x", "draft", "text", "hosted", "de"),
    *("https://x.y/z", "hello.md", making.UUID, "2027-01-31", "a b"),
    *([], ["a"], [1], [None], {}, {"a": "b"}, {"a": 1}, {"id": "x"}, [{"id": "x"}]),
    *([making.topic()], [making.section()], {"item": "a"}, {"url": "https://x.y"}),
]


def _names() -> Iterator[str]:
    yield from ("unknown", "from")
    for kind in BY_RESOURCE.values():
        yield from (nested.field for nested in kind.authoring.nested)
        for model in model_definitions([kind.spec]).values():
            yield from model["properties"]


@cache
def _all_names() -> list[str]:
    return sorted(set(_names()))


@st.composite
def documents(draw: st.DrawFn) -> Any:
    """A document that is right, with up to three changes anywhere in it."""
    found = deepcopy(draw(st.sampled_from(BASES)))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.sampled_from(list(_mappings(found))))
        name = draw(st.sampled_from([*place, *_all_names()]))
        if draw(st.booleans()) and name in place:
            del place[name]
        else:
            place[name] = deepcopy(draw(st.sampled_from(VALUES)))
    return found


def _mappings(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inside in value.values() if isinstance(value, dict) else value:
        if isinstance(inside, (dict, list)):
            yield from _mappings(inside)


@given(documents())
def test_documents_with_changes(data: Any):
    """Up to three slips in a document of any kind."""
    agree(data)


def _choose_some(pairs: list[tuple[str, Any]], seed: int | str) -> list[tuple[str, Any]]:
    """As many as `FUZZ_FIELDS` says, the same ones each time."""
    return Random(seed).sample(pairs, min(MANY, len(pairs)))


@pytest.mark.slow
@pytest.mark.parametrize("base", BASES, ids=range(len(BASES)))
def test_each_field_with_each_value(base: dict[str, Any]):
    """One field of the top, whatever stands in it; each base with others of its fields."""
    names = (*fields_of(BY_RESOURCE[base["resource"]].spec), "completionCriteria", "unknown")
    for name, value in _choose_some([*product(names, VALUES)], BASES.index(base)):
        agree(base | {name: value})


@pytest.mark.slow
@pytest.mark.parametrize("type_", ["text", "video", "article", "quiz", "pdfViewer", "nothing"])
def test_each_field_of_a_topic(type_: str):
    """One field of a topic, by type."""
    topic = making.topic("a", type_)
    names = (*fields_of(BY_RESOURCE["course"].spec), "unknown")
    for name, value in _choose_some([*product(names, VALUES)], type_):
        agree(making.micro("a", topic | {name: value}))


@pytest.mark.parametrize(
    "target", [{"item": "a"}, {"url": "https://x.y", "title": "Y"}, {}], ids=str
)
def test_each_field_of_a_target(target: dict[str, Any]):
    """One field of the target of a purchase path."""
    for name, value in product(("item", "url", "title"), VALUES):
        agree(making.path(target=target | {name: value}))


def _example() -> Iterator[Any]:
    for file in sorted(CATALOG.rglob("*.yaml")):
        top = file.relative_to(CATALOG).parts[0]
        if top not in {"lmssync.yaml", *RESERVED}:
            yield from load_yaml(file.read_bytes())


def test_every_example_of_the_catalog_fits():
    """The whole example catalog is right by the schemas as well."""
    seen = 0
    for data in _example():
        _EACH[data["resource"]].validate(data)
        _ANY.validate(data)
        seen += 1
    assert seen > 20
