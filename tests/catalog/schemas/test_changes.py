"""What `explain` says of a change is what the kind does, asked with two manifests that differ."""

import re
from collections.abc import Set
from copy import deepcopy
from functools import cache
from typing import Any

from lmssync.catalog.manifests.schemas.example_manifests import (
    example_documents,
    of_schema,
    sample_value,
)
from lmssync.catalog.manifests.schemas.explanations import change_of
from lmssync.catalog.manifests.schemas.field_descriptions import Field, all_fields, words_of
from lmssync.kind import FormChange, Kind, UpdatePlan
from lmssync.kinds.shared_fields import WAYS
from lmssync.resource import Address
from lmssync.vocabulary.routes import CORE_ROUTES, ROUTES

OLD = "00000000-0000-4000-8000-000000000000"
SAME_PERSON = {"licenseAssignment.users.id", "licenseAssignment.users.externalCustomerId"}
"""Nothing is sent where the e-mail address stays."""


@cache
def _fields() -> list[Field]:
    """Those whose changes are explained."""
    return [
        field
        for field in all_fields()
        if field.kind and str(field) not in SAME_PERSON and change_of(field, "").by
    ]


def test_a_change_is_made_as_explained():
    """By a call, by a person in the same words, or not at all."""
    assert [] == [str(field) for field in _fields() if not _is_made_as_explained(field)]


def _is_made_as_explained(field: Field) -> bool:
    made = _update(field.kind, *_pair(field))
    told = change_of(field, sample_value(field))
    if told.by != "person":
        return told.by == _by(made)
    before_values = re.split("OLD|(?<= interface)", told.text)[0]
    return _by(made) == "person" and before_values in (made.undecided or made.manual[0].text)


def test_a_person_deletes_parts_where_it_is_explained():
    """And nowhere else: what leaves other lists is taken away by a call."""
    told = [(field, change_of(field, sample_value(field))) for field in _fields()]
    assert [] == [
        str(field)
        for field, change in told
        if change.by == "update" and bool(change.text) != _leaves_parts(field)
    ]


def _leaves_parts(field: Field) -> bool:
    """Whether a person deletes what is no longer in the list that the field is."""
    before, after = _pair(field)
    return isinstance(sample_value(field), list) and bool(_update(field.kind, after, before).manual)


def test_a_change_is_made_by_the_route_that_is_explained():
    """Where the instance has it, and somebody allows what learners or other licenses lose."""
    told = [(field, route) for field in _fields() if (route := change_of(field, "").route)]
    assert len(told) > 20
    assert [] == [str(field) for field, route in told if [route] != _routes(field)]


def _routes(field: Field) -> list[str]:
    """The routes by which a change of the field is made."""
    known = {"seatsLimit": 5} if "seatsLimit" in field.kind.calls.along else {}
    documents = [known | data for data in _pair(field)]
    return [call.route for call in _update(field.kind, *documents, routes=ROUTES.keys()).calls]


def _update(
    kind: Kind, *documents: dict[str, Any], routes: Set[str] = CORE_ROUTES
) -> UpdatePlan | None:
    """What the kind does about a change; nothing where its forms are the same."""
    old, new = (kind.authoring.normalise("example", data) for data in documents)
    change = FormChange(Address(kind.name, "example"), old, new, routes, allowed=True)
    return kind.calls.update(change) if old != new else None


def _by(made: UpdatePlan | None) -> str:
    if made is None:
        return "never"
    return "update" if made.calls else "person" if made.manual or made.undecided else "nothing"


def _pair(field: Field) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two documents that differ in the field alone."""
    after = deepcopy(_base(field))
    holder, name, example = _holder(after, field), field.name, sample_value(field)
    if name == "usersFile":  # the form has the people in it
        name, example = "users", [{"email": "ann@example.com"}]
    if name in WAYS:
        name, example = "body", "<p>New.</p>"
        for way in WAYS:
            holder.pop(way, None)
    words = _exchangeable(field, holder.get(name))
    holder[name] = words[0] if words else example
    before = deepcopy(after)
    _holder(before, field)[name] = words[-1] if words else _other(example)
    return before, after


def _base(field: Field) -> dict[str, Any]:
    """The example that has most of the way to the field, of a word that the field belongs to."""
    belongs = set(field.schema.get("x-belongs-to", "").split())

    def fit(data: dict[str, Any]) -> tuple[int, bool]:
        return _steps(data, field.own), data.get("kind") in belongs

    return max(example_documents()[field.kind.resource], key=fit)


def _steps(data: Any, names: tuple[str, ...]) -> int:
    """How many steps of a way a document has."""
    here = data[0] if isinstance(data, list) and data else data
    if not names or not isinstance(here, dict) or names[0] not in here:
        return 0
    return 1 + _steps(here[names[0]], names[1:])


def _holder(data: dict[str, Any], field: Field) -> dict[str, Any]:
    """The mapping that the field stands in, made where it is not there."""
    here = data
    for name, schema in zip(field.own[:-1], field.way[-len(field.own) :], strict=False):
        below = here.setdefault(name, of_schema(schema))
        here = below[0] if isinstance(below, list) else below
    return here


def _exchangeable(field: Field, word: Any) -> list[str]:
    """Words in whose place another may stand while all else stays."""
    words = words_of(field.schema)
    alike = ["courseAssessmentPassed", "proctoredTopicComplete", "scormComplete"]
    return [one for one in words if one in alike] if word in alike else words


def _other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [] if value else [{"email": "old@example.com"}]
    if isinstance(value, dict):
        return {}
    return OLD if value.count("-") == OLD.count("-") and len(value) == len(OLD) else f"{value}0"
