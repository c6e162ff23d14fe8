"""What a plan adds to the fields of a change: what it clears and what it takes away."""

from typing import Any

import pytest

from lmssync.planning.plan import Plan
from lmssync.report.changes.plan_text import plan_text
from lmssync.state import Store
from tests.making import course, criterion, license_, section

from .planning import numbered, planned

ANN, BOB = {"email": "ann@example.com"}, {"email": "bob@example.com"}
LOSE = {"preserveEnrollments": False, "preserveProgress": False}
KEEP = {"preserveEnrollments": True, "preserveProgress": True}


def assignment(*users: dict[str, str], **fields: Any) -> dict[str, Any]:
    document = {"resource": "licenseAssignment", "key": "staff", "licenses": ["staff"]}
    return document | {"users": list(users)} | fields


def reasons(made: Plan, address: str) -> list[str]:
    return next(list(i.reasons) for i in made.changes if str(i.address) == address)


def effect(made: Plan, address: str) -> str:
    return next(i.effect.value for i in made.changes if str(i.address) == address)


def test_a_new_type_clears_the_fields_of_the_old(store: Store):
    """A new type clears the old type's fields (spec 4, criteria rule 2), and the plan says so."""
    viewed = criterion(type="articleTimeViewedInSeconds", percent=None, seconds=60)
    made = planned(store, [course(), viewed], [course(), criterion()])
    assert ["percent left the manifest: this change clears it"] == (
        reasons(made, "criterion.safety.most")
    )


def test_what_a_type_keeps_is_not_cleared(store: Store):
    """The platform keeps other fields that leave the manifest, and the plan says so."""
    made = planned(store, [course()], [course(ribbon="new")])
    assert "the platform keeps it" in reasons(made, "course.safety")[0]


@pytest.mark.parametrize(
    ("flag", "assigned"),
    [
        ("replaceCourseIds", "course"),
        ("replaceLearningPathIds", "learning path"),
        ("replaceCourseTagIds", "tag"),
    ],
)
@pytest.mark.parametrize("before", [[], [license_()]])
def test_a_replace_flag_says_what_it_takes_away(
    store: Store, before: list[Any], flag: str, assigned: str
):
    """A replace flag says what it takes away, if the license is new or only the flag is."""
    made = planned(store, [course(), license_(**{flag: True})], [course(), *before])
    told = f"`{flag}: true` takes away every other {assigned} assignment of the client"
    assert [True] == [told in one for one in reasons(made, "license.staff") if "true" in one]
    assert "access" == effect(made, "license.staff")
    assert told in plan_text(made)


def test_a_replace_flag_that_was_there_is_not_told_again(store: Store):
    """A replace flag that was applied before is not mentioned again."""
    old, new = (license_(replaceCourseIds=True, name=name) for name in ("Old", "New"))
    made = planned(store, [course(), new], [course(), old])
    assert [] == reasons(made, "license.staff")


@pytest.mark.parametrize(
    ("before", "action"),
    [
        ([], "create"),
        ([assignment(ANN, BOB)], "unchanged"),
        ([assignment(ANN, enrollmentOptions=KEEP)], "update"),
    ],
)
def test_progress_that_would_be_deleted_is_told(store: Store, before: list[Any], action: str):
    """Deleted progress is mentioned as soon as the manifest allows it, whoever loses a license."""
    here = [course(), license_()]
    made = planned(store, [*here, assignment(ANN, BOB, enrollmentOptions=LOSE)], [*here, *before])
    (meant,) = made.changes
    told = [reason for reason in meant.reasons if "`preserveProgress: false`" in reason]
    assert (action, 1) == (meant.action, len(told))
    assert meant.effect in {"progress", "access"}
    assert told[0] in plan_text(made)


def test_a_few_creates_show_their_outline(store: Store):
    """A few creates are shown with the titles of their parts."""
    assert "“Start”: “Welcome”: “Hello” (text)" in plan_text(planned(store, numbered(20)))


def test_more_creates_show_their_facts(store: Store):
    """Up to 200 creates are shown with their parts counted."""
    text = plan_text(planned(store, numbered(200)))
    assert "1 section, 1 lesson, 1 page" in text
    assert "Welcome" not in text
    assert len(text.splitlines()) < 200 * 3 + 10


def test_very_many_creates_show_their_titles(store: Store):
    """More creates are shown by title only, with a hint on how to see the rest."""
    text = plan_text(planned(store, numbered(201)), next_step="`lmssync apply`")
    assert "kind:" not in text
    assert text.endswith("Next: `lmssync apply`. More: --full.\n")


def test_full_shows_everything(store: Store):
    """`--full` shows everything, however many creates there are."""
    made = planned(store, numbered(201, sections=[section("s")]))
    text = plan_text(made, full=True)
    told = "sections[s].lessons[welcome].topics[hello].title: “Hello”"
    assert (201, False) == (text.count(told), "--full" in text)
