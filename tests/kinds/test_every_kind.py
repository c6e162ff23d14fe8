"""The contract that every kind keeps."""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.kind import Effect, FormChange, Kind
from lmssync.kinds import KINDS
from lmssync.kinds.course.course_manifest import Lesson, Section, Topic
from lmssync.kinds.reference_fields import UUID
from lmssync.resource import Address, Form, Resource
from lmssync.vocabulary import limits
from lmssync.vocabulary.routes import ROUTES
from tests import making

CATALOG = Path(__file__).parents[2] / "examples" / "catalog"
BEYOND_FIELDS = {"sections", "topics", "kind", "course", "enrollmentOptions"}
"""What a form cannot be without; their changes have tests of their own."""
EVERY = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


WAITING = {
    "session": {
        "status": "draft",
        "sku": "SAF-AUTUMN",
        "priceInCents": 1900,
        "courseStartDate": "2031-09-01",
        "enrollmentLimit": 12,
        "prerequisiteCourses": ["first-aid"],
        "sessionCustomFields": {"room": "North plant"},
    }
}
"""The catalog is applied to instances with the core profile, on which these wait for a person."""


def examples(kind: Kind) -> list[Any]:
    if kind.name in WAITING:
        return [making.resource(making.session(**WAITING[kind.name]))]
    resources = making.loaded(CATALOG).resources.values()
    return [resource for resource in resources if resource.address.kind == kind.name]


def test_the_example_catalog_is_valid():
    """The example catalog has neither errors nor warnings."""
    assert [] == validate_catalog(CATALOG).problems


def test_a_look_by_mark_needs_no_form():
    """A kind that is looked for by its mark asks for the same, whatever its form holds."""

    def asked(kind: Kind, resource: Resource, form: Form) -> tuple[Any, Any]:
        search = kind.reads.search(form, "sku=x")
        return kind.reads.request(resource.address, form), search and search.request

    by_mark = [
        (kind, one) for kind in KINDS.values() if kind.reads.by_mark for one in examples(kind)
    ]
    assert by_mark
    assert all(asked(kind, one, one.form) == asked(kind, one, {}) for kind, one in by_mark)


@EVERY
def test_an_example_stands_in_the_catalog(kind: Kind):
    """Every kind has an example in the catalog."""
    assert examples(kind)


@EVERY
def test_siblings_share_a_fact(kind: Kind):
    """A kind with rules about siblings has a fact that groups them."""
    assert bool(kind.relations.group_by) >= bool(kind.relations.group_rules)


@EVERY
def test_its_docstring_is_one_sentence(kind: Kind):
    """The docstring of a kind is one sentence that begins with its name."""
    said = inspect.getdoc(sys.modules[_module(kind)]) or ""
    assert said.startswith(f"{_module(kind).rpartition('.')[2]}: ")
    assert (1, 1) == (len(said.splitlines()), said.count(". ") + said.endswith("."))


def _module(kind: Kind) -> str:
    return kind.spec.__module__.rpartition(".")[0]


@EVERY
def test_its_words_are_its_own(kind: Kind):
    """Name and resource of a kind are unique, and its addresses can be parsed."""
    others = [other for other in KINDS.values() if other is not kind]
    assert kind.name not in {other.name for other in others}
    assert kind.resource not in {other.resource for other in others}
    assert Address(kind.name, "a.b-c") == Address.parse(f"{kind.name}.a.b-c")


@EVERY
def test_it_can_be_made(kind: Kind):
    """Each example can be created in one call of a route that writes."""
    for resource in examples(kind):
        piece = kind.calls.create(resource.address, resource.form, None)
        assert (True, b"") == (piece.adds, piece.packed_after)
        assert not ROUTES[piece.route].reads


@EVERY
def test_nothing_but_what_stands_in_the_form_is_sent(kind: Kind):
    """A body refers only to resources that the form refers to."""
    for resource in examples(kind):
        promised = {reference.address for reference in resource.references}
        piece = kind.calls.create(resource.address, resource.form, None)
        assert set(_nodes([piece.body, dict(piece.params)])) <= promised


def _nodes(value: Any) -> Iterator[Address]:
    if isinstance(value, dict) and "$ref" in value:
        yield Address.parse(value["$ref"])
    elif isinstance(value, dict):
        for item in value.values():
            yield from _nodes(item)
    elif isinstance(value, list):
        for item in value:
            yield from _nodes(item)


@EVERY
def test_what_is_the_same_needs_nothing(kind: Kind):
    """An update to the same form adds nothing and leaves no step."""
    for resource in examples(kind):
        found = kind.calls.update(FormChange(resource.address, resource.form, resource.form))
        assert not found.manual
        assert not any(piece.adds for piece in found.calls)


@EVERY
def test_every_change_is_made_or_asked_for(kind: Kind):
    """Any changed field leads to a call or to a step for a person."""
    for resource in examples(kind):
        for field in resource.form.keys() - BEYOND_FIELDS:
            before = {name: value for name, value in resource.form.items() if name != field}
            found = kind.calls.update(FormChange(resource.address, before, resource.form))
            assert found.calls or found.manual, field


@EVERY
def test_it_says_what_its_leaving_means(kind: Kind):
    """Each kind says what stays when a resource leaves, in half a sentence."""
    for resource in examples(kind):
        found = kind.calls.removal(resource.form)
        assert found.stays
        assert not found.stays.endswith(".")
        assert found.effect is not Effect.COSMETIC
        assert not found.manual or "or put it back into the catalog" in found.manual[0].text


@EVERY
def test_its_effects_name_fields(kind: Kind):
    """The effects of a kind belong to fields of it or of its parts."""
    parts = {name for model in (Section, Lesson, Topic) for name in model.model_fields}
    known = set(kind.spec.model_fields) | {f"*.{name}" for name in parts}
    assert kind.impact.effects.keys() <= known
    assert all(isinstance(effect, Effect) for effect in kind.impact.effects.values())


@EVERY
def test_its_short_forms_are_kinds(kind: Kind):
    """A short form leads to a kind that names the outer resource."""
    for nested in kind.authoring.nested:
        inner = next(other for other in KINDS.values() if other.resource == nested.resource)
        assert nested.owner in inner.spec.model_fields
        assert nested.field not in kind.spec.model_fields


@EVERY
def test_its_form_holds_no_keys_of_documents(kind: Kind):
    """A form contains neither the resource name nor the key of its document."""
    for resource in examples(kind):
        assert set() == {"resource", "key"} & resource.form.keys()


@EVERY
def test_its_references_are_never_uuids(kind: Kind):
    """No reference is a uuid."""
    names = [reference.name for resource in examples(kind) for reference in resource.references]
    assert [] == [name for name in names if UUID.match(name)]


BOUNDS: dict[tuple[str, str], dict[str, int]] = {
    ("course", "description"): {"maxLength": limits.DESCRIPTION},
    ("course", "tags"): {"maxItems": limits.TAGS},
    ("course", "metaTitle"): {"maxLength": limits.META_TITLE},
    ("course", "metaDescription"): {"maxLength": limits.META_DESCRIPTION},
    ("course", "priceInCents"): {"minimum": 0, "maximum": limits.PRICE_IN_CENTS},
    ("course", "sku"): {"maxLength": limits.SKU},
    ("criterion", "percent"): {"minimum": limits.PERCENT_LEAST, "maximum": limits.PERCENT_MOST},
    ("path", "displayOrder"): {"minimum": 0},
}
"""What the platform allows (spec 8)."""


@pytest.mark.parametrize(("field", "bounds"), BOUNDS.items(), ids=lambda value: str(value)[:40])
def test_no_author_limit_is_looser_than_the_platforms(
    field: tuple[str, str], bounds: dict[str, int]
):
    """What an author may write is accepted by the platform."""
    kind, name = field
    schema = KINDS[kind].spec.model_json_schema()["properties"][name]
    found = schema | next((part for part in schema.get("anyOf", []) if part["type"] != "null"), {})
    assert bounds == {key: found.get(key) for key in bounds}


def test_kinds_perform_nothing():
    """The modules of a kind open no file or connection and ask for no time."""
    package = Path(sys.modules["lmssync.kinds"].__file__ or "").parent
    doing = {"open", "os", "socket", "pathlib", "subprocess", "time", "httpx", "sqlite3", "random"}
    imported = {
        name.split(".")[0]
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
        )
    }
    assert set() == doing & imported
