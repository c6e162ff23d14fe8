"""The examples that editors offer and `explain` shows: right, and enough to learn from."""

from typing import Any

import jsonschema_rs
import pytest

from lmssync.catalog.manifests.schemas import explanations
from lmssync.catalog.manifests.schemas.example_manifests import example_documents, sample_value
from lmssync.catalog.manifests.schemas.field_descriptions import Field, all_fields
from lmssync.kinds import BY_RESOURCE
from lmssync.vocabulary.enums import CourseKind
from tests import making

from .kept import KEPT

DOCUMENTS = [data for known in example_documents().values() for data in known]


@pytest.mark.parametrize("data", DOCUMENTS, ids=lambda data: data["key"])
def test_an_example_is_right(data: dict[str, Any]):
    """By `validate`, but for files that it names and nobody has."""
    wrong = {problem.code for problem in making.found(dict(data))[1] if problem.severity == "error"}
    assert set() == wrong - {"file-missing"}


@pytest.mark.parametrize("data", DOCUMENTS, ids=lambda data: data["key"])
def test_an_example_fits_its_schema(data: dict[str, Any]):
    """It stands there among the examples."""
    found = KEPT[f"{data['resource']}.json"]
    assert data in found["examples"]
    assert jsonschema_rs.validator_for(found).is_valid(data)


def test_every_kind_has_one():
    """And every kind of course."""
    assert BY_RESOURCE.keys() == example_documents().keys()
    assert set(CourseKind) == {data["kind"] for data in DOCUMENTS if "kind" in data}


def test_every_field_can_be_explained():
    """With a sentence, an example, and what becomes of a change."""
    assert [] == [str(field) for field in all_fields() if not _is_explained(str(field))]


def _is_explained(field: str) -> bool:
    found = [one for one in explanations.explain_name(field) if one.path == field]
    later = {"update", "person", "never", "nothing", ""}
    return [True] == [bool(one.example and one.type) and one.later.by in later for one in found]


def test_every_sample_is_of_its_type():
    """What is shown as an example of a field, the field takes."""
    assert [] == [str(field) for field in all_fields() if not _takes(field, sample_value(field))]


def _takes(field: Field, value: Any) -> bool:
    root = KEPT[f"{field.path[0]}.json"]
    here = _schema_at(root, field) | {"$defs": root.get("$defs", {})}
    return jsonschema_rs.validator_for(here).is_valid(value)


def _schema_at(root: Any, field: Field) -> Any:
    """The schema of a field, through the definitions; the first that a branch has."""
    here = root
    for name in field.path[1:]:
        here = _inside(root, here)
        here = _property(here, name)
    return here


def _inside(root: Any, found: Any) -> Any:
    """The schema of a mapping, or of what stands in a list or under any name."""
    while True:
        below = next(
            (found[key] for key in ("items", "additionalProperties") if found.get(key)), None
        )
        if "$ref" in found:
            found = root["$defs"][found["$ref"].removeprefix("#/$defs/")]
        elif "anyOf" in found and "properties" not in found:
            found = found["anyOf"][0]
        elif "else" in found:  # neither an `include` nor an assertion among stories
            found = found["else"]
        elif below and "properties" not in found:
            found = below
        else:
            return found


def _property(found: Any, name: str) -> Any:
    branches = [branch["then"] for branch in found.get("allOf", ())]
    for one in (found, *branches):
        here = one.get("properties", {}).get(name)
        if isinstance(here, dict) and "doNotSuggest" not in here:
            return here
    raise AssertionError(name)
