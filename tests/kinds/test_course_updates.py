"""Changes of a course that is there already."""

from typing import Any

import orjson

from tests.served_catalog import COURSE, Platform, Workspace

LICENSE = """\
resource: license
key: staff
client: acme
name: Staff
courses: [a]
learningPaths: []
courseTags: []
"""


def fields(work: Workspace) -> dict[str, tuple[Any, Any]]:
    """Every field that the plan shows, with before and after."""
    return {
        field["path"]: (field["before"], field["after"])
        for change in work.plan()["changes"]
        for field in change["fields"]
    }


def outline(platform: Platform) -> list[str]:
    return sorted(topic["title"] for topic in platform.dump("topics"))


def test_null_clears_a_field(work: Workspace, platform: Platform) -> None:
    """An explicit null removes a value (O2)."""
    work.course("a", "ribbon: new\n")
    work.apply()
    work.course("a", "ribbon: null\n")

    assert {"ribbon": ("new", None)} == fields(work)
    work.apply()
    assert [None] == [group.get("ribbon") for group in platform.dump("courseGroups")]


def test_a_field_that_leaves_the_manifest_is_not_touched(
    work: Workspace, platform: Platform
) -> None:
    """A field that leaves the manifest is no longer managed: the plan says so, without a call."""
    work.course("a", "ribbon: new\n")
    work.apply()
    work.course("a")

    plan = work.plan()
    assert 0 == plan["calls"]["total"]
    assert "ribbon left the manifest" in plan["changes"][0]["reasons"][0]
    assert 0 == work.apply().code
    assert "new" == platform.dump("courseGroups")[0]["ribbon"]
    assert [] == work.plan()["changes"]


def test_a_whole_new_section_takes_a_call_a_level(work: Workspace, platform: Platform) -> None:
    """A new section takes a call per level, since new parents have no id to name yet (O4)."""
    work.course("a")
    work.apply()
    more = COURSE.partition("sections:\n")[2].replace("start", "more").replace("Start", "More")
    work.course("a", more)

    assert 0 == work.apply().code
    assert 3 == len(platform.requests(route="course.update"))
    assert ["Check", "Check", "Hello", "Hello"] == outline(platform)
    assert [] == work.plan()["changes"]


def test_a_topic_that_leaves_is_a_step_for_a_person(work: Workspace, platform: Platform) -> None:
    """No route deletes a topic (O11): the step stays in every plan until it is confirmed."""
    work.course("a")
    work.apply()
    work.course("a", edit=("          - {id: check, title: Check, type: quiz}\n", ""))

    (change,) = work.plan()["changes"]
    assert "manual" == change["action"]
    assert "delete the page “Check” of “One”" in change["manual"][0]["text"]
    assert 0 == work.apply().code
    assert 1 == work.plan()["summary"]["manual"]
    assert 0 == work.run("resolve", "course.a", "--done").code
    assert [] == work.plan()["changes"]


def test_a_new_order_sends_positions(work: Workspace, platform: Platform) -> None:
    """A new order of topics is sent as `position` (O7)."""
    work.course("a")
    work.apply()
    topics = [line for line in COURSE.splitlines(keepends=True) if "- {id:" in line]
    work.course("a", edit=("".join(topics), "".join(reversed(topics))))

    assert {"sections[start].lessons[one].topics.order"} == set(fields(work))
    assert 0 == work.apply().code
    assert ["Check", "Hello"] == platform.topics("Title of a")
    assert [] == work.plan()["changes"]


def test_a_license_is_changed_by_hand(work: Workspace) -> None:
    """A changed license is a step for a person, since the specification shows no update of one."""
    work.course("a")
    work.write("l.yaml", LICENSE)
    work.apply()
    work.write("l.yaml", LICENSE.replace("name: Staff", "name: All staff"))

    (change,) = work.plan()["changes"]

    assert "manual" == change["action"]
    assert ["name"] == [step["field"] for step in change["manual"]]


def test_a_criterion_is_updated_by_its_id(work: Workspace, platform: Platform) -> None:
    """A criterion is updated by the id that was read back with its course (O25)."""
    rule = "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n"
    work.course("a", rule)
    work.apply()
    work.course("a", rule.replace("80", "90"))

    assert {"percent": (80, 90)} == fields(work)
    assert 0 == work.apply().code
    assert [90] == [c["coursePercentViewed"] for c in platform.dump("completionCriteria")]


ARTICLE = "resource: course\nkey: a\nkind: article\ntitle: NAME\n"


def test_a_part_is_added_beside_one_renamed_by_hand(work: Workspace, platform: Platform) -> None:
    """Recorded parts are recognised by their ids, even if somebody changed their titles."""
    work.course("a")
    work.apply()
    (section,) = [s for s in platform.dump("sections") if s["title"] == "Start"]
    platform.change({"sections": [{"id": section["id"], "title": "By hand"}]})
    work.course("a", "          - {id: more, title: More, type: survey}\n")

    assert 0 == work.apply().code
    assert ["Hello", "Check", "More"] == platform.topics("Title of a")


def test_a_twin_under_a_new_id_gets_an_id_of_its_own(work: Workspace, platform: Platform) -> None:
    """A new topic with the title of one that left gets its own id."""
    work.course("a")
    work.apply()
    (old,) = [topic["id"] for topic in platform.dump("topics") if topic["title"] == "Check"]
    work.course("a", edit=("id: check, title", "id: exam, title"))
    work.apply()

    parts = orjson.loads(work.run("state", "show", "course.a").out)["parts"]

    assert (True, True) == (parts["start/one/check"] == old, parts["start/one/exam"] != old)


def test_a_variant_that_leaves_the_manifest_is_not_cleared(
    work: Workspace, platform: Platform
) -> None:
    """A variant that leaves the manifest is no longer managed, even if other fields change."""
    work.write("a.yaml", ARTICLE + "articleVariant: {title: X, body: <p>Kept</p>}\n")
    work.apply()
    work.write("a.yaml", ARTICLE.replace("NAME", "Other"))

    assert 0 == work.apply().code
    assert "topics" not in str(platform.requests(route="course.update")[0]["body"])
    assert [] == work.plan()["changes"]


def test_null_takes_all_sections_away_by_hand(work: Workspace) -> None:
    """No route deletes a section (O11), so null leaves a step for a person, like an empty list."""
    work.course("a")
    work.apply()
    work.write("a.yaml", COURSE.partition("sections")[0].replace("KEY", "a") + "sections: null\n")

    (change,) = work.plan()["changes"]

    assert ("manual", 1) == (change["action"], len(change["manual"]))


def test_a_part_that_was_deleted_by_hand_may_come_back(work: Workspace, platform: Platform) -> None:
    """If a part deleted by hand comes back, a criterion waits for its new id."""
    work.course("a")
    work.apply()
    (old,) = [topic["id"] for topic in platform.dump("topics") if topic["title"] == "Check"]
    work.course("a", edit=("          - {id: check, title: Check, type: quiz}\n", ""))
    platform.order("edit", {"list": "topics", "id": old, "delete": True})
    work.run("resolve", "course.a", "--done")
    rule = "completionCriteria: [{id: q, type: courseAssessmentPassed, topic: start/one/check}]\n"
    work.course("a", rule)

    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_a_uuid_in_capitals_is_the_same_uuid(work: Workspace, platform: Platform) -> None:
    """A uuid in capitals matches the platform's answer in small letters."""
    work.course("a")
    work.apply()
    course = platform.dump("courses")[0]["id"].upper()
    topic = platform.dump("topics")[0]["id"].upper()
    rule = f"course: {course}\ntype: courseTopicViewed\ntopic: {topic}\n"
    work.write("c.yaml", f"resource: completionCriterion\nkey: k\n{rule}")

    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_a_part_is_added_beside_one_deleted_by_hand(work: Workspace, platform: Platform) -> None:
    """A part that was deleted by hand does not keep a new one from being recognised."""
    work.course("a")
    work.apply()
    platform.delete("topics", title="Check")
    work.course("a", "          - {id: twin, title: Check, type: quiz}\n")

    assert 0 == work.apply().code
    assert ["Hello", "Check"] == platform.topics("Title of a")
    assert [] == work.plan()["changes"]


def test_null_clears_the_body_of_an_article(work: Workspace, platform: Platform) -> None:
    """An explicit null removes the content of an article (O2), and the next plan is empty."""
    work.write("a.yaml", ARTICLE + "articleVariant: {body: <p>Gone</p>}\n")
    work.apply()
    work.write("a.yaml", ARTICLE + "articleVariant: null\n")

    assert 0 == work.apply().code
    assert "Gone" not in str(platform.dump("topics"))
    assert [] == work.plan()["changes"]


def test_nothing_in_other_words_is_nothing_to_do(work: Workspace) -> None:
    """`sections: []` and `sections: null` mean the same, so the plan between them is empty."""
    head = COURSE.partition("sections")[0].replace("KEY", "a")
    work.write("a.yaml", head + "sections: []\n")
    work.apply()
    work.write("a.yaml", head + "sections: null\n")

    assert {"unchanged": 1} == {k: v for k, v in work.plan()["summary"].items() if v}
    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_a_rule_of_a_topic_that_left_is_named_by_its_title(work: Workspace) -> None:
    """The topic and the rule leave together: the step still has the titles that were recorded."""
    work.course(
        "a",
        "completionCriteria: [{id: pass, type: courseAssessmentPassed, topic: start/one/check}]\n",
    )
    assert 0 == work.apply().code
    work.course("a", edit=("          - {id: check, title: Check, type: quiz}\n", ""))
    texts = [step["text"] for change in work.plan()["changes"] for step in change["manual"]]
    titled = "Pass \u2018Check\u2019 in \u2018One\u2019"
    assert f"completion criterion “{titled}”" in "".join(texts)
