"""Desired, recorded and live, field by field: what is sent, what stays, and what waits."""

from typing import Any

import pytest

from lmssync.planning.diff import compare_forms
from lmssync.planning.diff.three_way import Drift, Merged, find_drift, judge_drift, merge_drift
from lmssync.platform.live import LiveState
from lmssync.resource import Address, Form
from lmssync.support.decisions import Decisions
from tests.making import course, form, lesson, section, topic

A = Address("course", "safety")
TOPIC = "sections[start].lessons[welcome].topics[hello]"


def made(**fields: Any) -> Form:
    return form(course(**fields))


def judge(
    recorded: Form,
    desired: Form,
    live: Form,
    decided: Decisions | None = None,
    noticed: str = "",
) -> list[Drift]:
    """The drift between the three, as it is decided."""
    proven = frozenset({"title", "sku", f"{TOPIC}.title", f"{TOPIC}.type"})
    looked = LiveState(
        present=True, form=live, proven=proven, noticed=frozenset(filter(None, [noticed]))
    )
    decide = decided or Decisions()
    drift = find_drift(recorded, looked)
    return judge_drift(
        recorded, desired, drift, lambda p: decide.side_for(A, p), lambda _path, a, b: a == b
    )


def outcomes(drift: list[Drift]) -> dict[str, str]:
    return {one.path: one.decision.value for one in drift}


def sent(merge: Merged) -> dict[str, tuple[Any, Any]]:
    return {
        path: (before, after) for path, before, after in compare_forms(merge.before, merge.after)
    }


KEEP_GIT = Decisions(keep=("course.safety",))
KEEP_PLATFORM = Decisions(leave=("course.safety",))
CASES = {
    "changed in git only": ("A", "B", "A", None, {}, ("A", "B"), "B"),
    "drift is kept": ("A", "A", "L", None, {"title": "kept"}, None, "A"),
    "drift is corrected": ("A", "A", "L", KEEP_GIT, {"title": "git"}, ("L", "A"), "A"),
    "drift is left": ("A", "A", "L", KEEP_PLATFORM, {"title": "platform"}, None, "A"),
    "both say the same": ("A", "B", "B", None, {"title": "converged"}, None, "B"),
    "both, differently": ("A", "B", "L", None, {"title": "conflict"}, None, "A"),
    "a conflict, for git": ("A", "B", "L", KEEP_GIT, {"title": "git"}, ("L", "B"), "B"),
    "a conflict, for the platform": (
        "A",
        "B",
        "L",
        KEEP_PLATFORM,
        {"title": "platform"},
        None,
        "A",
    ),
    "nothing has changed": ("A", "A", "A", None, {}, None, "A"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_field(case: str):
    """For each way in which the three can differ: what becomes of it, what is sent, what is
    recorded."""
    was, wanted, live, decided, expected, difference, recorded = CASES[case]
    forms = made(title=was), made(title=wanted), made(title=live)
    drift = judge(*forms, decided)
    merge = merge_drift(*forms[:2], drift)
    assert expected == outcomes(drift)
    assert ({"title": difference} if difference else {}) == sent(merge)
    assert recorded == merge.recorded["title"]


def test_drift_beside_a_change_in_git_stays():
    """A field that only the platform has changed is not sent with one that git has changed."""
    recorded, desired = made(title="A", sku="S"), made(title="B", sku="S")
    drift = judge(recorded, desired, made(title="A", sku="L"))
    merge = merge_drift(recorded, desired, drift)
    assert ({"sku": "kept"}, {"title": ("A", "B")}) == (outcomes(drift), sent(merge))
    assert ("L", "S") == (merge.after["sku"], merge.recorded["sku"])


def test_one_field_can_be_decided_otherwise():
    """What names a field more exactly counts: git for the course, the platform for its sku."""
    decided = Decisions(keep=("course.safety",), leave=("course.safety:sku",))
    recorded = made(title="A", sku="S")
    drift = judge(recorded, recorded, made(title="L", sku="L"), decided)
    assert {"title": "git", "sku": "platform"} == outcomes(drift)


def test_a_decision_about_another_resource_decides_nothing():
    """`--keep git` of another course leaves a conflict of this one as it is."""
    drift = judge(made(title="A"), made(title="B"), made(title="L"), Decisions(keep=("course.b",)))
    assert {"title": "conflict"} == outcomes(drift)


def test_what_the_manifest_leaves_out_is_no_drift():
    """A field that the manifest does not manage any more is not compared."""
    assert [] == judge(made(sku="S"), made(), made(sku="L"))


def of_topic(**fields: Any) -> Form:
    return made(sections=[section("start", lesson("welcome", topic(**fields)))])


def test_a_field_of_a_part():
    """A conflict in a part says its path, and a decision can name the part."""
    forms = of_topic(title="A"), of_topic(title="B"), of_topic(title="L")
    assert {f"{TOPIC}.title": "conflict"} == outcomes(judge(*forms))
    decided = Decisions(leave=(f"course.safety:{TOPIC}",))
    assert {f"{TOPIC}.title": "platform"} == outcomes(judge(*forms, decided))


def test_an_order_that_only_the_platform_has_changed_stays():
    """Sections that somebody has put in another order keep it when git changes a title."""
    first, second = section("a"), section("b")
    recorded = made(title="A", sections=[first, second])
    desired = made(title="B", sections=[first, second])
    drift = judge(recorded, desired, made(title="A", sections=[second, first]))
    merge = merge_drift(recorded, desired, drift)
    assert ({"sections.order": "kept"}, {"title": ("A", "B")}) == (outcomes(drift), sent(merge))
    assert ["a", "b"] == [part["id"] for part in merge.recorded["sections"]]


def test_one_key_of_custom_fields():
    """Keys of custom fields drift one by one, and what stays travels with what is sent."""
    recorded = made(customFields={"a": "1", "b": "1"})
    desired = made(customFields={"a": "2", "b": "1"})
    drift = judge(recorded, desired, made(customFields={"a": "1", "b": "9"}))
    merge = merge_drift(recorded, desired, drift)
    assert {"customFields.b": "kept"} == outcomes(drift)
    assert ({"a": "2", "b": "9"}, {"a": "2", "b": "1"}) == (
        merge.after["customFields"],
        merge.recorded["customFields"],
    )


BODY = f"{TOPIC}.body"


def test_a_noticed_part_that_git_leaves_alone_is_told():
    """What a noticed part holds is unknown: the field is named without a live value."""
    same = of_topic(body="<p>A</p>")
    (one,) = judge(same, same, same, noticed=TOPIC)
    assert (BODY, None, "unknown", "kept") == (one.path, one.live, one.noticed_at, one.decision)
    assert {} == sent(merge_drift(same, same, [one]))


@pytest.mark.parametrize(
    ("decided", "outcome", "difference"),
    [
        (None, "conflict", {}),
        (KEEP_GIT, "git", {BODY: (None, "<p>B</p>")}),
        (KEEP_PLATFORM, "platform", {}),
    ],
)
def test_a_noticed_part_that_git_changes(
    decided: Decisions | None, outcome: str, difference: dict[str, Any]
):
    """Nobody knows what would be overwritten, so it is a conflict, and decided as one."""
    forms = of_topic(body="<p>A</p>"), of_topic(body="<p>B</p>"), of_topic(body="<p>A</p>")
    drift = judge(*forms, decided, noticed=TOPIC)
    merge = merge_drift(*forms[:2], drift)
    assert ({BODY: outcome}, difference) == (outcomes(drift), sent(merge))
    assert ("<p>B</p>" if outcome == "git" else "<p>A</p>") in str(merge.recorded)


def test_a_proven_field_of_a_noticed_part_is_no_conflict():
    """The title of a noticed topic was read and is as recorded: git may change it."""
    forms = of_topic(title="A"), of_topic(title="B"), of_topic(title="A")
    assert {} == outcomes(judge(*forms, noticed=TOPIC))


def test_a_noticed_part_is_sent_again_if_git_is_right():
    """`--keep git` sends the fields of a noticed part even if git has not changed them."""
    same = of_topic(body="<p>A</p>")
    merge = merge_drift(same, same, judge(same, same, same, KEEP_GIT, noticed=TOPIC))
    assert {BODY: (None, "<p>A</p>")} == sent(merge)
