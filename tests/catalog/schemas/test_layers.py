"""The schemas of overlays, defaults and policies: parts of manifests, and what is said of them."""

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from lmssync.catalog.manifests.schemas.example_manifests import example_documents, of_file
from lmssync.catalog.manifests.yaml import load_yaml
from lmssync.kinds import BY_RESOURCE

from .kept import KEPT

OVERLAY = jsonschema_rs.validator_for(KEPT["overlay.json"])
PROJECT = jsonschema_rs.validator_for(KEPT["lmssync.json"])
POLICY = jsonschema_rs.validator_for(KEPT["policy.json"])
CATALOG = Path(__file__).parents[3] / "examples" / "catalog"
NAMED = {"resource": "course", "key": "safety"}
DOCUMENTS = [data for known in example_documents().values() for data in known]


@pytest.mark.parametrize("data", DOCUMENTS, ids=lambda data: data["key"])
def test_a_whole_manifest_is_an_overlay(data: dict[str, Any]):
    """And so is each of its fields alone."""
    named = {name: data[name] for name in ("resource", "key")}
    assert [True] * (len(data) + 1) == [
        OVERLAY.is_valid(patch)
        for patch in (data, *(named | {name: value} for name, value in data.items()))
    ]


@pytest.mark.parametrize(
    "patch",
    [
        {"ribbon": None},
        {"sections": [{"id": "start", "lessons": [{"id": "welcome", "openType": "open"}]}]},
        {"sections": [{"id": "start", "$patch": "delete"}]},
        {"topics": [{"id": "film", "videoUrl": "https://media.example.com/a.mp4"}]},
        {"completionCriteria": [{"id": "most", "percent": 50}]},
        {"articleVariant": {"languages": [{"language": "de", "$patch": "add"}]}},
    ],
    ids=str,
)
def test_a_part_is_an_overlay(patch: dict[str, Any]):
    """Nothing that the manifest says has to be said again."""
    assert OVERLAY.is_valid(NAMED | patch)


@pytest.mark.parametrize(
    "patch",
    [
        {"titel": "x"},
        {"priceInCents": "1900"},
        {"sections": [{"id": "start", "$patch": "remove"}]},
        {"completionCriteria": [{"id": "most", "percent": 120}]},
        {"resource": "curse"},
        {"key": None},
    ],
    ids=str,
)
def test_what_no_manifest_takes_no_overlay_takes(patch: dict[str, Any]):
    """Names and types are looked at in a part as in the whole."""
    assert not OVERLAY.is_valid(NAMED | patch)


@pytest.mark.parametrize(
    ("defaults", "right"),
    [
        ({"course": {"discussionsEnabled": True}}, True),
        ({"course": {"discussionEnabled": True}}, False),
        ({"course": {"key": "a"}}, False),
        ({"curse": {}}, False),
        ({word: {} for word in BY_RESOURCE}, True),
    ],
    ids=str,
)
def test_defaults_are_fields_of_their_kind(defaults: Any, right: bool):
    """Of `lmssync.yaml`; the fields of lmssync's own have none."""
    assert right == PROJECT.is_valid({"version": 1, "defaults": defaults})


@pytest.mark.parametrize(("grade", "right"), [("off", True), ("warning", True), ("fatal", False)])
def test_rules_are_graded(grade: str, right: bool):
    """By the words that there are."""
    assert right == PROJECT.is_valid({"version": 1, "rules": {"no-content": grade}})


def test_rules_that_may_be_changed_are_offered():
    """Each with its meaning; those of the platform are not among them."""
    offered = KEPT["lmssync.json"]["properties"]["rules"]["properties"]
    assert offered["no-content"]["description"].startswith("The course has no content")
    assert "missing-field" not in offered


def test_policies_of_the_example_fit():
    """Every policy of the example catalog, of which there are some."""
    files = (CATALOG / "policies").rglob("*.yaml")
    documents = [data for file in files for data in load_yaml(file.read_bytes())]
    assert {True} == {POLICY.is_valid(data) for data in documents}


@pytest.mark.parametrize(("word", "check"), [("lmssync", PROJECT), ("policy", POLICY)])
def test_examples_of_files_fit(word: str, check: Any):
    """What `explain` shows of files that hold no resources."""
    assert check.is_valid(load_yaml(of_file(word).encode())[0])


def test_a_policy():
    """What it needs, and nothing that it does not know."""
    policy = {
        "policy": "a-b",
        "resource": "course",
        "require": {"title": {"present": True}},
        "message": "x",
    }
    assert [True, False, False] == [
        POLICY.is_valid(one) for one in (policy, policy | {"requires": {}}, {"policy": "a-b"})
    ]
