"""What keeps a change from being made, and what follows from it."""

from typing import Any

import pytest

from lmssync.errors import WrongUse
from lmssync.planning.plan import Plan
from lmssync.platform.live import LiveState
from lmssync.resource import Address
from lmssync.state import Store
from tests.making import course, criterion, license_

from .planning import actions, planned, topics

A = Address("course", "a")


def guarded(key: str = "a", **fields: Any) -> dict[str, Any]:
    return course(key, lifecycle={"protect": True}, **fields)


def guards(made: Plan) -> dict[str, str]:
    return {str(change.address): change.guard for change in made.changes}


def test_a_change_of_something_protected_is_blocked(store: Store):
    """A change of a protected resource is blocked; the plan shows it and the option to allow it."""
    made = planned(store, [guarded(isbn="1")], [course("a")])
    (change,) = made.changes
    assert ({"course.a": "protect"}, []) == (guards(made), made.steps)
    assert ["it is protected: `--allow course.a` allows this change"] == change.reasons
    assert ["isbn"] == [field.path for field in change.fields]


def test_a_word_lets_it_pass(store: Store):
    """If `--allow` names the address the change is planned, and its reasons say so."""
    made = planned(store, [guarded(isbn="1")], [course("a")], allow="course.a")
    (change,) = made.changes
    assert ("update", [A]) == (change.action, list(made.allowed))
    assert "it is protected, and `--allow` names it" in change.reasons


def test_a_word_for_one_is_no_word_for_another(store: Store):
    """`--allow` for one address does not allow the change of another."""
    desired = [guarded("a", isbn="1"), guarded("b", isbn="1")]
    made = planned(store, desired, [course("a"), course("b")], allow="course.a")
    assert {"course.a": "update", "course.b": "blocked"} == actions(made)


@pytest.mark.parametrize("word", ["course.b", "license.a", "course.aa"])
def test_a_word_about_nothing_is_refused(store: Store, word: str):
    """`--allow` with an unknown address is refused, since it is most likely misspelt."""
    with pytest.raises(WrongUse, match=f"`--allow {word}` names nothing"):
        planned(store, [guarded()], [course("a")], allow=word)


def test_a_manual_step_is_blocked_as_well(store: Store):
    """A manual step of a protected resource is blocked too."""
    after = license_(name="New", lifecycle={"protect": True})
    assert {"license.staff": "blocked"} == actions(planned(store, [after], [license_()]))


@pytest.mark.parametrize("after", [guarded(), guarded("new", title="Another")])
def test_what_changes_nothing_is_not_blocked(store: Store, after: dict[str, Any]):
    """Protection blocks neither an unchanged resource nor a new one."""
    made = planned(store, [after], [course("a", ribbon="x")])
    assert "blocked" not in actions(made).values()


def test_what_was_protected_does_not_leave(store: Store):
    """The state remembers what was protected, whatever the catalog says now."""
    with store.hold_state():
        store.set_protections({A: True})
    assert {"course.a": "protect"} == guards(planned(store, [], [course("a")]))
    assert {"course.a": "forget"} == actions(planned(store, [], allow="course.a"))


@pytest.mark.parametrize("key", ["a", "new"])
def test_one_commit_cannot_unprotect_and_change(store: Store, key: str):
    """What the last apply recorded as protected is so for this change, under a new key as well."""
    with store.hold_state():
        store.set_protections({A: True})
    moved = {} if key == "a" else {"moved": [{"from": "course.a"}]}
    made = planned(store, [course(key, isbn="1", **moved)], [course("a")])
    assert {f"course.{key}": "protect"} == guards(made)
    assert {} == made.protections


def test_what_loses_its_protection_alone_is_free(store: Store):
    """A commit that only takes the protection away is recorded, and nothing is blocked."""
    with store.hold_state():
        store.set_protections({A: True})
    made = planned(store, [course("a")], [course("a")])
    assert ({A: False}, []) == (made.protections, list(made.changes))


def test_a_conflict_weighs_more_than_a_guard(store: Store):
    """A conflict blocks even with `--allow`, which would overwrite somebody else's value."""
    seen = {"course.a": LiveState(present=True, form={"title": "Theirs"})}
    after = guarded(title="Ours")
    made = planned(store, [after], [course("a", title="Old")], seen=seen, allow="course.a")
    assert {"course.a": ""} == guards(made)


def test_what_needs_a_part_that_is_held_back_is_blocked(store: Store):
    """A criterion about a topic that is held back is blocked, but not one about an old topic."""
    rule = {"course": "a", "type": "courseTopicViewed", "percent": None}
    made = planned(
        store,
        [
            guarded(sections=topics("hello", "more")),
            criterion("x", topic="s/l/more", **rule),
            criterion("y", topic="s/l/hello", **rule),
        ],
        [course("a", sections=topics("hello"))],
    )
    assert {"course.a": "protect", "criterion.x": "protect", "criterion.y": ""} == guards(made)


def test_what_needs_a_part_that_is_ignored_is_blocked(store: Store):
    """A criterion about a topic in ignored sections is blocked, since that topic is never made."""
    after = course("a", sections=topics("hello", "more"), lifecycle={"ignore": ["sections"]})
    rule = criterion("x", course="a", type="courseTopicViewed", percent=None, topic="s/l/more")
    made = planned(store, [after, rule], [course("a", sections=topics("hello"))])
    (change,) = made.changes
    assert ("blocked", 1) == (change.action, made.unchanged)
    assert "`s/l/more` of course.a, which is not on the platform" in change.reasons[0]


def test_the_plan_says_what_is_protected_from_now_on(store: Store):
    """The plan lists what becomes protected or unprotected, compared with the state."""
    with store.hold_state():
        store.set_protections({Address("course", "b"): True, Address("course", "c"): True})
    desired = [guarded("a"), course("b"), guarded("c")]
    made = planned(store, desired, [course(key) for key in "abc"])
    assert {A: True, Address("course", "b"): False} == made.protections
    assert not made.has_changes
