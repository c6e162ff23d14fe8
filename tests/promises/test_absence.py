"""Absence is only what a well-formed, exact list shows."""

from typing import Any, NamedTuple

import pytest

from tests.served_catalog import Platform, Workspace

ERROR, UNKNOWN = 1, 4
TARGET = "target: {url: 'https://shop.example.com/a', title: Shop}"
CRITERION = "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n"
PATH = f"purchasePaths: [{{id: p, label: Buy, {TARGET}}}]\n"
TOPIC = "          - {id: more, title: More, type: survey}\n"


class Lost(NamedTuple):
    """Something that a course gets, by a call whose answer is lost."""

    more: str
    route: str
    read: str
    made: str


LOST = pytest.mark.parametrize(
    "lost",
    [
        Lost(CRITERION, "criteria.update", "course.read", "completionCriteria"),
        Lost(PATH, "path.create", "path.list", "purchasePaths"),
        Lost(TOPIC, "course.update", "course.read", "topics"),
    ],
    ids=["criterion", "path", "topic"],
)
EMPTY: dict[str, Any] = {}
ANSWERS = pytest.mark.parametrize(
    "answer",
    [EMPTY, {"body": {}}, {"status": 404, "body": {"errors": ["none"]}}, {"body": {"data": 5}}],
    ids=["empty", "{}", "404", "another shape"],
)


@LOST
@ANSWERS
def test_an_answer_that_shows_no_list_does_not_show_absence(
    work: Workspace, platform: Platform, lost: Lost, answer: Any
) -> None:
    """A recovery does not take a read without the list as proof of absence."""
    work.course("a")
    work.apply()
    made = len(platform.dump(lost.made))
    work.course("a", lost.more)
    platform.fault("drop-after", lost.route)
    assert UNKNOWN == work.apply().code

    platform.fault("answer", lost.read, times=50, **answer)
    assert work.apply().code in {ERROR, UNKNOWN}
    platform.order("faults", {"seed": 0})
    assert 0 == work.apply().code
    assert made + 1 == len(platform.dump(lost.made))
    assert [] == work.plan()["changes"]


@pytest.mark.parametrize(
    "label", ["<u>open", "x<br />", "line<br>break", "<h2>Buy</h2> <b> here", "a &amp; b"]
)
def test_a_purchase_path_is_recognised_whatever_became_of_its_label(
    work: Workspace, platform: Platform, label: str
) -> None:
    """A path is recognised by target and place, and by its label as people read it."""
    work.course("a", f"purchasePaths: [{{id: p, label: '{label}', {TARGET}}}]\n")
    platform.fault("drop-after", "path.create")
    assert UNKNOWN == work.apply().code

    assert 0 == work.apply().code
    assert 1 == len(platform.dump("purchasePaths"))


def test_a_path_with_another_label_is_for_a_person(work: Workspace, platform: Platform) -> None:
    """A path with the same target and another label is left to a person to decide."""
    work.course("a", PATH)
    platform.fault("drop-after", "path.create")
    work.apply()
    (path,) = platform.dump("purchasePaths")
    edit = {"list": "purchasePaths", "id": path["id"], "set": {"label": "Order"}}
    platform.order("edit", edit)

    assert UNKNOWN == work.apply().code
    assert 0 == work.run("resolve", "path.a.p", "--adopt", path["id"]).code
    assert 1 == len(platform.dump("purchasePaths"))
