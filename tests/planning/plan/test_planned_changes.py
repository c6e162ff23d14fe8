"""What a plan intends to do, and why."""

from typing import Any

import pytest

from lmssync.planning.plan import Action, Plan
from lmssync.platform.live import LiveState
from lmssync.state import Store
from tests.making import course, criterion, license_, path

from .planning import actions, calls, numbered, open_call, planned, topics


def only(made: Plan) -> Any:
    (change,) = made.changes
    return change


def test_nothing_to_do(store: Store):
    """If nothing differs there is no call, and all resources are counted as unchanged."""
    made = planned(store, numbered(3), numbered(3))
    assert ([], [], 3, False) == (made.changes, made.steps, made.unchanged, made.has_changes)


@pytest.mark.parametrize(
    ("document", "effect"),
    [
        (course(), "structural"),
        (criterion(), "progress"),
        (license_(), "access"),
        (path(), "commerce"),
    ],
)
def test_what_is_new_is_created(store: Store, document: dict[str, Any], effect: str):
    """A new resource is created, with the effect that a create of its kind has."""
    change = only(planned(store, [document]))
    assert (Action.CREATE, effect) == (change.action, change.effect)


@pytest.mark.parametrize(
    ("fields", "effect"),
    [
        ({"ribbon": "new"}, "cosmetic"),
        ({"title": "New"}, "editorial"),
        ({"enrollmentLimit": 5}, "access"),
        ({"priceInCents": 5}, "commerce"),
        ({"forceLinearProgress": True}, "progress"),
        ({"sections": topics("hello", "more")}, "structural"),
        ({"ribbon": "new", "title": "New"}, "editorial"),
        ({"title": "New", "enrollmentLimit": 5, "priceInCents": 5}, "commerce"),
    ],
)
def test_the_strictest_effect_counts(store: Store, fields: dict[str, Any], effect: str):
    """A change has the strictest effect of all its fields."""
    before = course(sections=topics("hello"))
    assert effect == only(planned(store, [before | fields], [before])).effect


def test_an_update_says_which_fields(store: Store):
    """An update lists each field with its values before and after."""
    change = only(planned(store, [course(isbn="2")], [course(isbn="1")]))
    assert (Action.UPDATE, [("isbn", "1", "2")]) == (
        change.action,
        [tuple(field) for field in change.fields],
    )


def test_what_only_a_person_can_do_is_manual(store: Store):
    """A change that only a person can make has no call."""
    made = planned(store, [license_(name="New")], [license_()])
    assert (Action.MANUAL, []) == (only(made).action, made.steps)


def test_part_of_an_update_may_be_manual(store: Store):
    """A manual field is listed with the update that it is part of."""
    made = planned(store, [course(isbn="2", source="b")], [course(isbn="1", source="a")])
    assert (Action.UPDATE, ["source"]) == (only(made).action, [m.field for m in only(made).manual])


def test_what_left_the_catalog_is_forgotten(store: Store):
    """A resource that left the catalog is forgotten; nothing is deleted or sent."""
    made = planned(store, [], [course()])
    assert (Action.FORGET, []) == (only(made).action, made.steps)


def test_a_field_that_left_the_manifest_is_released(store: Store):
    """For a field that left the manifest the reason says how to clear it; no call is made."""
    made = planned(store, [course()], [course(ribbon="a")])
    assert (Action.UNCHANGED, []) == (only(made).action, made.steps)
    assert ["ribbon left the manifest: the platform keeps it (`ribbon: null` clears it)"] == list(
        only(made).reasons
    )
    assert [("course", "safety")] == [tuple(address) for address in made.releases]


def test_what_is_missing_on_the_platform_blocks(store: Store):
    """A resource missing on the platform blocks, so that its deletion is not hidden."""
    gone = {"course.safety": LiveState(present=False, form={})}
    made = planned(store, [course(isbn="2")], [course(isbn="1")], seen=gone)
    assert (Action.BLOCKED, []) == (only(made).action, made.steps)
    assert "it is no longer on the platform" in only(made).reasons[0]


def test_a_conflict_blocks(store: Store):
    """The reason of a conflict has both values."""
    seen = {"course.safety": LiveState(present=True, form={"title": "Theirs"})}
    made = planned(store, [course(title="Ours")], [course(title="Old")], seen=seen)
    assert Action.BLOCKED is only(made).action
    assert "title is 'Theirs' there and was 'Old'" in only(made).reasons[0]


def test_an_open_call_blocks_its_resource(store: Store):
    """An open call blocks its resource and what cannot be made without it (design 5.6)."""
    open_call(store, course("a"))
    made = planned(
        store,
        [
            course("a"),
            course("b", prerequisiteCourses=["a"]),
            criterion("b.c", course="b"),
            course("c"),
            course("d", relatedCourses=["a"]),
        ],
    )
    assert {
        "course.a": "blocked",
        "course.b": "blocked",
        "course.c": "create",
        "course.d": "create",
        "criterion.b.c": "blocked",
    } == actions(made)


def test_what_is_blocked_says_by_what(store: Store):
    """The reason of a blocked change says what blocks it."""
    open_call(store, course("a"))
    made = planned(store, [course("a"), criterion("a.c", course="a")])
    reasons = [change.reasons[0] for change in made.changes]
    assert reasons[0].startswith("an earlier apply left it open")
    assert "it needs course.a, which is blocked" == reasons[1]


def test_something_open_that_exists_blocks_only_itself(store: Store):
    """If the resource with the open call exists, what refers to it can be made."""
    open_call(store, course("a", isbn="1"))
    made = planned(store, [course("a", isbn="2"), criterion("a.c", course="a")], [course("a")])
    assert {"course.a": "blocked", "criterion.a.c": "create"} == actions(made)


def test_intentions_come_in_the_order_of_addresses(store: Store):
    """Changes are sorted by address, so that two plans can be compared."""
    made = planned(store, [license_(), path(), course(), criterion()])
    found = [change.address for change in made.changes]
    assert sorted(found) == found


def test_a_plan_is_bound_to_its_state(store: Store):
    """A plan holds lineage, serial, and the fingerprint of each record it was made from."""
    made = planned(store, [course(isbn="2")], [course(isbn="1")])
    assert (store.lineage, store.serial) == (made.lineage, made.serial)
    assert store.fingerprints()[only(made).address] == only(made).basis


def test_a_related_course_that_is_open_is_not_waited_for(store: Store):
    """A relation to a course with an open call is put off, and the rest is made."""
    open_call(store, course("a"))
    made = planned(store, [course("a"), course("d", relatedCourses=["a"])])
    assert ["d"] == calls(made)[0][2]
