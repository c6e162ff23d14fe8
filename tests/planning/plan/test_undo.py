"""Whether a change can be undone, and what it is to the learners of a course."""

from typing import Any

import pytest

from lmssync.planning.plan import Consequence, Plan
from lmssync.settings import Platform
from lmssync.state import Store
from tests.making import course, criterion, license_, path

from .planning import document, planned, topics

BEFORE = course(sections=topics("hello", "check"))
ADA, BEA = {"email": "ada@example.com"}, {"email": "bea@example.com"}
KEEPS: dict[str, Any] = {"enrollmentOptions": {"preserveEnrollments": True}}
ERASES: dict[str, Any] = {
    "enrollmentOptions": {"preserveEnrollments": False, "preserveProgress": False}
}


def staff(*users: dict[str, str], **fields: Any) -> dict[str, Any]:
    plain = {"resource": "licenseAssignment", "key": "all", "licenses": ["staff"]}
    return plain | {"users": list(users)} | fields


def meaning(made: Plan) -> Consequence:
    """What the only change of a plan means."""
    (change,) = made.changes
    assert change.consequence is not None
    return change.consequence


@pytest.mark.parametrize(
    ("desired", "recorded", "undo"),
    [
        ([course(title="New")], [course()], "reversible"),
        ([course(sections=topics("hello", "check", "more"))], [BEFORE], "by hand"),
        ([course(sections=topics("hello"))], [BEFORE], "by hand"),
        ([course(source="b")], [course(source="a")], "by hand"),
        ([course()], [], "by hand"),
        ([], [course()], "reversible"),
        ([criterion(percent=90)], [criterion()], "reversible"),
        ([criterion()], [], "by hand"),
        ([course()], [course(), criterion()], "by hand"),
        ([course()], [course(), path()], "by hand"),
        ([license_()], [], "by hand"),
        ([license_(replaceCourseIds=True)], [], "permanent"),
        ([staff(ADA)], [], "reversible"),
        ([staff(ADA, **ERASES)], [], "reversible"),
        ([staff(ADA, **KEEPS)], [staff(ADA, BEA, **KEEPS)], "reversible"),
        ([staff(ADA, **ERASES)], [staff(ADA, BEA, **ERASES)], "permanent"),
    ],
)
def test_each_change_says_whether_it_can_be_undone(
    store: Store, desired: list[Any], recorded: list[Any], undo: str
):
    """What another apply puts back is reversible, what no route puts back is not."""
    assert undo == meaning(planned(store, desired, recorded)).undo


@pytest.mark.parametrize(
    ("desired", "recorded", "version"),
    [
        ([course()], [], "additive"),
        ([course(title="New")], [course()], "editorial"),
        (
            [course(sections=topics("hello", "more"))],
            [course(sections=topics("hello"))],
            "additive",
        ),
        ([course(sections=topics("hello"))], [BEFORE], "breaking"),
        ([course(forceLinearProgress=True)], [course()], "breaking"),
        ([criterion(percent=90)], [criterion()], "breaking"),
        ([license_()], [], ""),
    ],
)
def test_each_change_has_a_version_word(
    store: Store, desired: list[Any], recorded: list[Any], version: str
):
    """What learners inside have to do anew is breaking; what belongs to no course has no word."""
    assert version == meaning(planned(store, desired, recorded)).version


def test_a_rule_of_a_new_course_breaks_nothing(store: Store):
    """A criterion is additive with its course, and breaking where learners are in it already."""
    made = planned(store, [course(), criterion()])
    assert ["additive", "additive"] == [
        c.consequence.version for c in made.changes if c.consequence
    ]
    there = planned(store, [course("a"), criterion("a.c", course="a")], [course("a")])
    assert "breaking" == meaning(there).version


def test_an_addition_says_what_a_person_would_delete(store: Store):
    """The recipe of what only a person can undo names the first step."""
    made = planned(store, [course(sections=topics("hello", "check", "more"))], [BEFORE])
    assert "by hand: delete the page “More” of “L”" in meaning(made).recipe


def test_a_license_that_takes_from_others_is_permanent(store: Store):
    """With the flag and somebody's word, a license ends what others of its client assign."""
    flag = {"replaceCourseIds": True, "seatsLimit": 5}
    made = planned(
        store,
        [license_(**flag, courses=["b"])],
        [license_(**flag, courses=["a", "b"])],
        platform=Platform(profile="extended"),
        allow="license.staff",
    )
    assert "permanent" == meaning(made).undo


def test_the_total_counts_what_the_plan_does(store: Store):
    """The document sums up; what is blocked is not done, so it does not count."""
    guarded = course("b", lifecycle={"protect": True})
    made = planned(store, [course(title="New"), {**guarded, "title": "New"}], [course(), guarded])
    assert {"permanent": 0, "by hand": 0, "reversible": 1} == document(made)["undo"]
