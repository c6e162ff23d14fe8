"""Whom a plan says it touches: as many learners as the platform holds."""

from typing import Any

import pytest

from lmssync.sandbox.people.enrollments import is_course_complete
from tests.served_catalog import Platform, Workspace

RULE = "resource: completionCriterion\nkey: safety.KEY\ncourse: safety\n"
WAY = """\
resource: purchasePath
key: safety.KEY
course: safety
label: LABEL
target: {url: "https://shop.example.com/KEY", title: Shop}
"""
MOST = "type: coursePercentViewed\npercent: PERCENT\n"
CHECK = "type: courseAssessmentPassed\ntopic: start/one/check\n"
SOLD = "status: published\npurchasable: true\npriceInCents: PRICE\n"
ATTESTED = ("type: quiz", "type: quiz, attested: {by: ann, on: 2026-01-01}")
PAGE = "          - {id: check, title: Check"
QUIZ = "          - {id: exam, title: Exam, type: quiz, attested: {by: ann, on: 2026-01-01}}\n"
Held = tuple[int, int, int]


def write(work: Workspace, text: str, key: str, **values: str) -> None:
    """A manifest, with values in the place of words in capitals."""
    for word, value in {"key": key, **values}.items():
        text = text.replace(word.upper(), value)
    work.write(f"{key}.yaml", text)


def sell(work: Workspace, price: str, more: str = "") -> None:
    work.course("safety", SOLD.replace("PRICE", price) + more, edit=ATTESTED)


def held(platform: Platform, course: str) -> Held:
    """Enrolled, in progress and finished in a course, by what the sandbox keeps."""
    rows = [row for row in platform.dump("enrollments") if row["courseId"] == course]
    inside = {row["userId"] for row in rows if row["status"] == "active"}
    progress = [row for row in platform.dump("progress") if row["courseId"] == course]
    done = {row["userId"] for row in progress if row["completedAt"]}
    started = {row["userId"] for row in progress}
    return len(inside - done), len(inside & started - done), len(done)


def passed(platform: Platform, topic: str) -> int:
    """How many have passed an assessment."""
    attempts = platform.dump("attempts")
    return len(
        {one["userId"] for one in attempts if one["assessmentId"] == topic and one["passed"]}
    )


def meaning(work: Workspace, address: str) -> Any:
    """What a plan says that the change of one address means."""
    (change,) = (one for one in work.plan()["changes"] if one["address"] == address)
    return change["consequence"]


def told(meant: Any) -> Held:
    audience = meant["audience"]
    return audience["enrolled"], audience["inProgress"], audience["finished"]


@pytest.fixture
def school(work: Workspace, platform: Platform) -> str:
    """A course of the catalog with learners in it, whose events are pulled; its id."""
    sell(work, "1900")
    write(work, RULE + MOST, "most", percent="80")
    write(work, RULE + CHECK, "check")
    write(work, WAY, "shop", label="Buy")
    write(work, WAY, "old", label="Old")
    assert 0 == work.apply().code
    (group,) = (one["id"] for one in platform.dump("courseGroups"))
    (course,) = (one["id"] for one in platform.dump("courses") if one["courseGroupId"] == group)
    platform.order("learners", {"n": 60, "seed": 7})
    assert 0 == work.run("events", "pull").code
    return str(course)


def test_every_change_of_a_course_counts_the_learners_in_it(
    work: Workspace, platform: Platform, school: str
) -> None:
    """Inside, in progress and finished are those that the platform holds, whatever changes."""
    sell(work, "2900", "description: What everybody should know.\n")
    write(work, RULE + MOST, "most", percent="90")
    write(work, RULE + CHECK, "new")
    write(work, WAY, "shop", label="Order")
    write(work, WAY, "further", label="Here")
    for left in ("check", "old"):
        (work.root / f"{left}.yaml").unlink()

    meant = {one["address"]: told(one["consequence"]) for one in work.plan()["changes"]}

    assert 7 == len(meant)
    assert {held(platform, school)} == set(meant.values())
    assert min(held(platform, school)) > 0


def test_a_rule_about_a_topic_says_who_is_past_it(
    work: Workspace, platform: Platform, school: str
) -> None:
    """Those who have passed the topic are told besides those who are enrolled."""
    write(work, RULE + CHECK, "most")
    (work.root / "check.yaml").unlink()
    (topic,) = (one["id"] for one in platform.dump("topics") if one["title"] == "Check")
    inside, beyond = held(platform, school)[0], passed(platform, topic)

    (said,) = meaning(work, "criterion.safety.most")["says"]

    assert said.startswith(
        f"{inside} learners are enrolled, {beyond} past this topic; their comple"
    )


def test_what_still_sells_is_a_step_until_it_is_confirmed(work: Workspace, school: str) -> None:
    """A purchase path that leaves keeps its class and its step until a person has deleted it."""
    (work.root / "old.yaml").unlink()
    for _ in range(2):
        (change,) = work.plan()["changes"]
        assert ("manual", "commerce") == (change["action"], change["effect"])
        assert "still sells" in change["reasons"][0]
        work.apply()
    assert 0 == work.run("resolve", "path.safety.old", "--done").code
    assert [] == work.plan()["changes"]


def test_a_saved_plan_keeps_what_it_means(work: Workspace, school: str) -> None:
    """What was counted for the reviewer stands in the file, and in what `show` prints of it."""
    sell(work, "2900")
    made = work.plan()["changes"][0]["consequence"]
    work.run("plan", "--out", "plan.json")

    assert made == work.run("show", "plan.json", "--json").json["changes"][0]["consequence"]
    paying = f"the {made['audience']['enrolled']} learners who are enrolled pay nothing more"
    assert paying in work.run("show", "plan.json").out


def test_without_events_it_says_once_how_to_get_them(work: Workspace, school: str) -> None:
    """Nobody is counted without an index, and the text names the command one time."""
    sell(work, "2900")
    write(work, RULE + MOST, "most", percent="90")
    for file in (work.root / ".lmssync").glob("*.learners.db*"):
        file.unlink()

    assert 1 == work.run("plan").out.count("lmssync events pull")
    assert [None, None] == [one["consequence"]["audience"] for one in work.plan()["changes"]]


def test_a_price_says_who_has_bought_in_the_last_week(work: Workspace, instance: Platform) -> None:
    """Buyers are counted from the feed of purchases, where an instance has one."""
    sell(work, "1900")
    assert 0 == work.apply().code
    (course,) = (one["id"] for one in instance.dump("courses"))
    user = instance.dump("users")[5]["id"]
    bought = {"kind": "coursePurchase", "events": [{"courseId": course, "userId": user}]}
    instance.order("events", bought)
    assert (
        0 == work.run("events", "pull", "--kind", "courseAction", "--kind", "coursePurchase").code
    )
    sell(work, "2900")

    said = meaning(work, "course.safety")["says"]

    assert "1 learner has bought it in the last 7 days" in said


def cards(work: Workspace) -> dict[str, str]:
    """The sections of the plan for a reviewer, by their headings."""
    sections = work.run("plan", "--format", "markdown").out.split("\n#### ")[1:]
    return {section.partition(" (")[0]: section for section in sections}


def test_each_card_has_the_facts_of_its_fields(work: Workspace, school: str) -> None:
    """A text, a price and a deletion by hand: each card has its own effect, people and undo."""
    sell(work, "2900", "description: What everybody should know.\n")
    text = (work.root / "safety.yaml").read_text()
    hello = "          - {id: hello, title: Hello, type: text, markdown: Good morning}\n"
    work.write("safety.yaml", text.replace(hello, ""))

    seen = cards(work)
    learners = seen["What learners will notice"]
    customers = seen["What customers will notice"]
    people = seen["What people must do by hand"]

    assert "· editorial" in learners
    assert "learners are enrolled; they read the new text at once" in learners
    assert "Hello" not in learners
    assert "· commerce" in customers
    assert "learners who are enrolled pay nothing more" in customers
    assert "learners are enrolled" not in customers
    assert "put the removed parts back" not in customers
    assert "· structural" in people
    assert "put the removed parts back into the catalog before somebody deletes them" in people


def test_one_change_is_saved_with_its_cards(work: Workspace, school: str) -> None:
    """A saved plan shows the same cards."""
    sell(work, "2900", "description: What everybody should know.\n")
    assert {"learners", "customers"} == meaning(work, "course.safety")["cards"].keys()
    before = cards(work)
    work.run("plan", "--out", "plan.json")
    shown = work.run("show", "plan.json", "--format", "markdown").out

    assert before
    assert all(section.partition("\n\n\n")[0] in shown for section in before.values())


def test_the_first_publication_breaks_nothing(work: Workspace, school: str) -> None:
    """Nobody is enrolled in a draft: to publish it takes nothing from anybody."""
    work.course("new", "status: draft\n", edit=ATTESTED)
    assert 0 == work.apply().code
    work.course("new", "status: published\n", edit=ATTESTED)

    assert "additive" == meaning(work, "course.new")["version"]
    assert "Versions: minor (additive) for course.new." in work.run("plan", "--full").out


FIELDS = {
    "editorial": ("description: Old.", "description: New."),
    "progress": ("forceLinearProgress: false", "forceLinearProgress: true"),
    "access": ("enrollmentLimit: 300", "enrollmentLimit: 400"),
    "commerce": ("priceInCents: 1900", "priceInCents: 2900"),
    "cosmetic": ("metaTitle: Old", "metaTitle: New"),
}
"""A field of each class, before and after."""
ALL = "".join(f"{before}\n" for before, _ in FIELDS.values()) + "purchasable: true\n"
LISTS = ("courseGroups", "courses", "sections", "lessons", "topics", "completionCriteria")


def kept(platform: Platform) -> list[Any]:
    """The course and its rules as the sandbox keeps them."""
    rows = [row for name in LISTS for row in platform.dump(name)]
    return [{name: row[name] for name in row if name != "updatedAt"} for row in rows]


@pytest.mark.parametrize("effect", sorted(FIELDS))
def test_what_is_reversible_can_be_undone(
    work: Workspace, platform: Platform, school: str, effect: str
) -> None:
    """A change of each class counts who is enrolled; its recipe leaves everything as it was."""
    work.course("safety", ALL, edit=ATTESTED)
    assert 0 == work.apply().code
    before = kept(platform)
    work.course("safety", ALL.replace(*FIELDS[effect]), edit=ATTESTED)
    (change,) = work.plan()["changes"]
    assert 0 == work.apply().code
    assert before != kept(platform)
    work.course("safety", ALL, edit=ATTESTED)

    assert (effect, "reversible") == (change["effect"], change["consequence"]["undo"])
    assert held(platform, school) == told(change["consequence"])
    assert (0, before) == (work.apply().code, kept(platform))


def said(work: Workspace, word: str) -> str:
    """The sentence of a plan with a word; empty if there is none."""
    meant = [one["consequence"] for one in work.plan()["changes"] if one["consequence"]]
    return next((text for one in meant for text in one["says"] if word in text), "")


def add_exam(work: Workspace) -> None:
    """A page that nobody has seen, in place of nothing, and the rule that it is passed."""
    file = work.root / "safety.yaml"
    file.write_text(file.read_text("utf-8").replace(PAGE, QUIZ + PAGE), "utf-8")
    write(work, RULE + CHECK.replace("check", "exam"), "exam")


def read_course(platform: Platform, id_: str) -> dict[str, Any]:
    """The course as the sandbox has it now, with its parts and rules."""

    def list_below(name: str, parent: str, of: str) -> list[dict[str, Any]]:
        return [one for one in platform.dump(name) if one[parent] == of]

    sections = list_below("sections", "courseId", id_)
    for section in sections:
        section["lessons"] = list_below("lessons", "sectionId", section["id"])
        for lesson in section["lessons"]:
            lesson["topics"] = list_below("topics", "lessonId", lesson["id"])
    return {"sections": sections, "criteria": list_below("completionCriteria", "courseId", id_)}


def count_lost(platform: Platform, id_: str) -> tuple[int, int]:
    """Of those who have finished, how many have not by the rules that the sandbox has now."""
    course, done = read_course(platform, id_), []
    topics = [t["id"] for s in course["sections"] for one in s["lessons"] for t in one["topics"]]
    tried = [one for one in platform.dump("attempts") if one["courseId"] == id_]
    for learner in platform.dump("progress"):
        if learner["courseId"] == id_ and learner["completedAt"]:
            passed = {a["assessmentId"] for a in tried if a["userId"] == learner["userId"]}
            done.append({t: {"percent": 100, "seconds": 1, "passes": t in passed} for t in topics})
    return sum(not is_course_complete(course, one) for one in done), len(done)


def test_a_plan_says_whom_its_changes_take_something_from(
    work: Workspace, platform: Platform, school: str
):
    """Of a percentage, a date and a rule: as many as the sandbox counts once it is applied."""
    enrolled = held(platform, school)[0]
    for percent in ("50", "100"):  # whoever has seen 80 percent of two pages has seen both
        write(work, RULE + MOST, "most", percent=percent)
        assert said(work, "finished") == ""
    write(work, RULE + MOST, "most", percent="80")
    sell(work, "1900", 'courseEndDate: "2026-01-01"\n')
    lost = f"{enrolled} of {enrolled} learners who learn by it are locked out (by the events of 60"
    assert lost in said(work, "locked out")
    assert enrolled == meaning(work, "course.safety")["replayed"]["lockedOut"]
    sell(work, "1900")
    add_exam(work)
    sentence = said(work, "finished")
    assert 0 == work.apply().code
    assert "{} of {} learners".format(*count_lost(platform, school)) in sentence


def test_what_must_be_completed_first_locks_out(work: Workspace, platform: Platform, school: str):
    """Nobody has completed a course that the plan makes; of a learning path no event tells."""
    enrolled = held(platform, school)[0]
    work.course("first")
    sell(work, "1900", "prerequisiteCourses: [first]\n")
    assert enrolled == meaning(work, "course.safety")["replayed"]["lockedOut"]
    (uuid, *_) = (one["id"] for one in platform.dump("learningPaths"))
    sell(work, "1900", f"prerequisiteLearningPaths: [{uuid}]\n")
    counted = meaning(work, "course.safety")["replayed"]
    assert (0, enrolled) == (counted["lockedOut"], counted["unclearInside"])
    assert f"events do not tell how many of {enrolled} learners" in said(work, "locked out")


def test_of_renamed_pages_nobody_is_judged(work: Workspace, school: str):
    """The plan says so, and counts who is locked out all the same."""
    file = work.root / "safety.yaml"
    work.write("safety.yaml", file.read_text().replace("{id: hello,", "{id: hi,"))
    made = work.run("plan", "--json", "--allow", "course.safety").json
    meant = made["changes"][0]["consequence"]
    assert meant["replayed"]["finished"] == meant["replayed"]["unclear"] > 0
    assert "events do not tell how many of" in meant["says"][-1]
