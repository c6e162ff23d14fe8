"""What manifests say about themselves."""

from typing import Any

import pytest

from lmssync.catalog.graph.lifecycle_checks import (
    check_ignored_fields,
    check_moves,
    identity_fields,
)
from lmssync.kinds import KINDS
from lmssync.problems import Problem
from lmssync.resource import spell_path
from tests.making import catalog, course, criterion, license_, path


def after(*old: str, key: str = "new", **fields: Any) -> dict[str, Any]:
    return course(key, moved=[{"from": name} for name in old], **fields)


def told(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(problem.code, spell_path(problem.origin.path)) for problem in problems]


def test_an_address_that_is_free_may_have_been_it():
    """One, or several."""
    assert [] == list(check_moves(catalog(after("course.a", "course.b"))))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("a", "write `course.a`"),
        ("license.a", "can only have been `course.KEY`"),
        ("course", "can only have been `course.KEY`"),
        ("course.", "can only have been `course.KEY`"),
        ("nonsense.a", "write `course.nonsense.a`"),
    ],
)
def test_it_must_be_an_address_of_the_kind(name: str, hint: str):
    """The remedy shows one."""
    (problem,) = check_moves(catalog(after("course.x", name)))
    assert ("moved-kind", "moved[1].from") == told([problem])[0]
    assert hint in problem.hint


def test_the_word_of_a_manifest_is_no_address():
    """`completionCriterion` is called `criterion` in addresses."""
    rule = criterion(moved=[{"from": "completionCriterion.safety.most"}])
    (problem,) = check_moves(catalog(rule))
    assert "write `criterion.safety.most`" in problem.hint


@pytest.mark.parametrize("old", ["course.other", "course.new"])
def test_what_is_in_the_catalog_has_not_moved(old: str):
    """Neither another resource nor this one."""
    found = list(check_moves(catalog(after(old), course("other"))))
    assert [("moved-present", "moved[0].from")] == told(found)


def test_two_cannot_have_been_one():
    """The first that says so is named."""
    (problem,) = check_moves(catalog(after("course.a"), after("course.a", key="newer")))
    assert ("moved-twice", True) == (problem.code, "course.new says" in problem.message)


def test_a_word_said_twice_is_said_once():
    """It does no harm."""
    assert [] == list(check_moves(catalog(after("course.a", "course.a"))))


def test_a_short_form_has_a_place():
    """In its course."""
    short = {"id": "m", "type": "coursePercentViewed", "percent": 5, "moved": [{"from": "x"}]}
    found = list(check_moves(catalog(course(completionCriteria=[short]))))
    assert [("moved-kind", "completionCriteria[0].moved[0].from")] == told(found)


def ignoring(data: dict[str, Any], *names: str) -> list[tuple[str, str]]:
    return told(list(check_ignored_fields(catalog({**data, "lifecycle": {"ignore": list(names)}}))))


@pytest.mark.parametrize(
    ("data", "name"),
    [(course(), "sections"), (criterion(), "percent"), (license_(), "courses"), (path(), "label")],
)
def test_fields_can_be_ignored(data: dict[str, Any], name: str):
    """Those at the top of the manifest, whether they stand there or not."""
    assert [] == ignoring(data, name)


@pytest.mark.parametrize("name", ["ribbn", "sections[start]", "", "completionCriteria"])
def test_other_words_are_no_fields(name: str):
    """Nor are short forms, which have a lifecycle of their own."""
    assert [("ignore-field", "lifecycle.ignore[1]")] == ignoring(course(), "isbn", name or "x y")


def test_a_field_is_guessed():
    """From those that can be ignored."""
    (problem,) = check_ignored_fields(catalog(course(lifecycle={"ignore": ["ribbn"]})))
    assert problem.hint.startswith("did you mean `ribbon`")


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (course(), "key"),
        (course(), "kind"),
        (course(), "lifecycle"),
        (criterion(), "type"),
        (criterion(), "course"),
        (path(), "id"),
    ],
)
def test_what_it_is_cannot_be_ignored(data: dict[str, Any], name: str):
    """Other fields mean nothing without it."""
    assert [("ignore-identity", "lifecycle.ignore[0]")] == ignoring(data, name)


@pytest.mark.parametrize("kind", list(KINDS))
def test_each_kind_has_fields_that_can_be_ignored(kind: str):
    """What says what it is are fields of it, and not all of them."""
    assert identity_fields(kind) < KINDS[kind].spec.model_fields.keys()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("start/was", "start/welcome", []),
        ("start/was", "start/nothing", [("moved-kind", "moved[0].to")]),
        ("other/welcome", "start/welcome", [("moved-kind", "moved[0].to")]),
        ("start", "start", [("moved-present", "moved[0].from")]),
    ],
)
def test_a_part_may_have_had_another_id_in_its_place(
    old: str, new: str, expected: list[tuple[str, str]]
):
    """Beside that no part may have the old id still."""
    one = course("new", moved=[{"from": old, "to": new}])
    assert expected == told(list(check_moves(catalog(one))))
