"""Whether learners can get through a course: what is empty, late, shut, or asked for first."""

from typing import Any

import pytest

from lmssync.catalog.graph import judge_catalog
from lmssync.kinds import KINDS
from lmssync.problems import Problem
from lmssync.vocabulary.enums import FILLED_TOPICS, TopicType
from tests import making
from tests.making import (
    UUID,
    catalog,
    codes,
    course,
    criterion,
    found,
    lesson,
    micro,
    section,
    topic,
)

URL = "https://media.example.com/x"
ATTESTED = {"by": "Ana", "on": "2027-01-31"}
LIVE = {"status": "published"}
PENDING = {"futurePublishDate": "2027-01-01"}


def judged(*documents: dict[str, Any]) -> list[Problem]:
    """What is wrong between documents."""
    return list(judge_catalog(catalog(*documents), frozenset()))


def broken(*documents: dict[str, Any]) -> list[str]:
    return [problem.code for problem in judged(*documents)]


def about(type_: str, topic_: str | None = None, **fields: Any) -> dict[str, Any]:
    """A criterion of the course, about one of its topics."""
    return criterion("safety.c", **{"type": type_, "topic": topic_, "percent": None} | fields)


def share(percent: int) -> dict[str, Any]:
    return about("coursePercentViewed", percent=percent)


HOLLOW = [
    ("courseAssessmentPassed", "quiz"),
    ("courseAssessmentPassed", "test"),
    ("proctoredTopicComplete", "test"),
    ("courseAssignmentComplete", "assignment"),
    ("courseMeetingAttended", "meetingInfo"),
    ("courseMeetingAttended", "inPersonEvent"),
    ("surveyToolComplete", "surveyTool"),
    ("partnerAssignmentCompleted", "partner"),
    ("scormComplete", "shareableContentObject"),
    ("xApiComplete", "xApiObject"),
]


@pytest.mark.parametrize(("rule", "type_"), HOLLOW)
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (LIVE, ["hollow-topic"]),
        (PENDING, ["hollow-topic"]),
        ({"status": "draft"}, ["hollow-draft"]),
        ({}, ["hollow-draft"]),
    ],
)
def test_a_rule_about_an_empty_topic(
    rule: str, type_: str, fields: dict[str, str], expected: list[str]
):
    """A rule about an empty topic is an error, but in a draft a warning (spec 2.2)."""
    empty = micro("safety", topic("t", type_), **fields)
    assert expected == broken(empty, about(rule, "t"))


@pytest.mark.parametrize(("rule", "type_"), HOLLOW)
def test_a_rule_about_a_topic_that_somebody_has_filled(rule: str, type_: str):
    """If the manifest says that somebody has filled the topic, there is no problem."""
    filled = micro("safety", topic("t", type_, attested=ATTESTED), **LIVE)
    assert [] == broken(filled, about(rule, "t"))


@pytest.mark.parametrize(
    ("rule", "type_"),
    [("scormComplete", "shareableContentObject"), ("xApiComplete", "xApiObject")],
)
def test_a_package_with_its_address_is_filled(rule: str, type_: str):
    """A package whose manifest has its address counts as filled."""
    filled = micro("safety", topic("t", type_, scormUrl=f"{URL}.zip"), **LIVE)
    assert [] == broken(filled, about(rule, "t"))


def test_to_look_at_an_empty_topic_is_enough_to_have_viewed_it():
    """An empty topic can be viewed, so a rule about viewing it can be met."""
    empty = micro("safety", topic("t", "quiz"), **LIVE)
    assert [] == broken(empty, about("courseTopicViewed", "t"))


def test_a_package_of_its_own_without_an_address():
    """Its one topic is empty too; nobody can attest that, the address is missing."""
    empty = course(kind="shareableContentObject", sections=None, **LIVE)
    assert ["hollow-topic"] == broken(empty, about("scormComplete", "main"))
    filled = empty | {"scormUrl": f"{URL}.zip"}
    assert [] == broken(filled, about("scormComplete", "main"))


def test_an_empty_topic_is_told_where_it_is_named():
    """The problem names the type of the empty topic and what to do until it is filled."""
    data = course(sections=[section("s", lesson("l", topic("q", "quiz")))], **LIVE)
    (problem,) = judged(data, about("courseAssessmentPassed", "s/l/q"))
    assert ("topic", "criterion.safety.c") == (problem.path, str(problem.address))
    assert "`s/l/q` (quiz) is created empty" in problem.message
    assert "keep the course `status: draft`" in problem.hint


def test_a_package_wants_its_address_first():
    """That the manifest can say, so it comes before what only a person can do."""
    data = micro("safety", topic("p", "xApiObject"), **LIVE)
    (problem,) = judged(data, about("xApiComplete", "p"))
    assert problem.hint.startswith("write its `scormUrl`, or fill it")


def test_a_draft_may_be_applied_first():
    """The hint says to apply a draft first, since its shell must exist to be filled."""
    (problem,) = judged(micro("safety", topic("q", "quiz")), about("courseAssessmentPassed", "q"))
    assert "warning" == problem.severity
    assert problem.hint.startswith("apply the draft")


def test_ids_that_were_derived_are_attested_too():
    """Parts with derived ids are attested by their place."""
    twins = [{"title": "Check", "type": "quiz"}, {"title": "Check", "type": "quiz"}]
    twins[1]["attested"] = ATTESTED  # type: ignore[assignment]
    facts = making.resource(micro("safety", *twins)).facts
    assert {"check": "quiz"} == facts["hollow"]


@pytest.mark.parametrize("type_", sorted(TopicType, key=str))
def test_what_is_made_empty(type_: str):
    """Shells and placeholders are, and packages without a file; a word for them fills them all."""
    fields = {"videoUrl": URL} if type_ == "video" else {}
    facts = making.resource(micro("safety", topic("t", type_, **fields))).facts
    files = {"shareableContentObject", "xApiObject", "pdfViewer"}
    empty = {"t": type_} if type_ not in FILLED_TOPICS or type_ in files else None
    assert empty == facts.get("hollow")
    attested = topic("t", type_, attested=ATTESTED, **fields)
    assert "hollow" not in making.resource(micro("safety", attested)).facts


def test_an_attestation_is_never_sent():
    """An attestation changes neither the form nor the fingerprint."""
    plain = making.resource(micro("safety", topic("t", "quiz")))
    filled = making.resource(micro("safety", topic("t", "quiz", attested=ATTESTED)))
    assert (plain.form, plain.fingerprint) == (filled.form, filled.fingerprint)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (LIVE, ["hollow-content"]),
        (PENDING, ["hollow-content"]),
        ({"status": "draft"}, []),
        ({}, []),
    ],
)
def test_empty_pages_of_what_is_published(fields: dict[str, str], expected: list[str]):
    """Empty pages of a published course are reported, since learners would open them."""
    assert expected == codes(micro("safety", topic("t", "flipCardSet"), **fields))


def test_empty_pages_are_told_once_a_course():
    """At the first of them; a few are named, the others counted."""
    pages = [topic(f"t{n}", "quiz") for n in range(7)]
    (problem,) = found(micro("safety", topic("a"), *pages, **LIVE))[1]
    assert "topics[1].type" == problem.path
    assert "“T0” (quiz)" in problem.message
    assert problem.message.endswith("and 2 more")


@pytest.mark.parametrize(
    ("type_", "fields", "expected"),
    [
        ("quiz", {}, []),
        ("text", {"markdown": "x"}, ["attested-content"]),
        ("text", {}, []),
        ("video", {"videoUrl": URL}, ["attested-content"]),
        ("shareableContentObject", {"scormUrl": f"{URL}.zip"}, ["attested-content"]),
        ("shareableContentObject", {}, []),
        ("discussionBoard", {}, ["attested-content"]),
    ],
)
def test_what_needs_nobodys_word(type_: str, fields: dict[str, str], expected: list[str]):
    """A topic with content in its manifest needs no attestation."""
    data = micro("safety", topic("t", type_, attested=ATTESTED, **fields))
    assert expected == codes(data)


def linear(**fields: Any) -> dict[str, Any]:
    """A course whose pages are taken in order; the second of four is an empty shell."""
    topics = [topic("a"), topic("gate", "quiz"), topic("b"), topic("c")]
    return micro("safety", *topics, forceLinearProgress=True, **fields)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (about("courseTopicViewed", "a"), []),
        (about("courseTopicViewed", "gate"), []),
        (about("courseTopicViewed", "b"), ["gate-shut"]),
        (share(50), []),
        (share(51), ["gate-shut"]),
    ],
)
def test_what_lies_behind_an_empty_shell(rule: dict[str, Any], expected: list[str]):
    """Nobody gets past it where pages are taken in order; up to it everybody does."""
    assert expected == broken(linear(**LIVE), rule)


def test_what_lies_behind_an_empty_shell_of_a_draft():
    """A warning: it may be filled before anybody comes."""
    (problem,) = judged(linear(), share(100))
    assert ("gate-draft", "warning", "percent") == (problem.code, problem.severity, problem.path)


@pytest.mark.parametrize(
    "change",
    [
        {"forceLinearProgress": False},
        {"topics": [topic("gate", "quiz", attested=ATTESTED), topic("b")]},
        {"topics": [topic("gate", "flipCardSet"), topic("b")]},
    ],
    ids=["any order", "attested", "a placeholder"],
)
def test_a_gate_that_is_open(change: dict[str, Any]):
    """In any order, past a shell that was filled, past a page that can be looked at."""
    assert [] == broken(linear(**LIVE) | change, about("courseTopicViewed", "b"))


END = {"courseEndDate": "2027-01-01"}


def late(release: str = "2027-01-02", **fields: Any) -> dict[str, Any]:
    """Four pages in two sections, of which the second opens on a date."""
    pages = lesson("l", topic("a"), topic("b"))
    sections = [section("early", pages), section("late", pages, releaseDate=release)]
    return course(sections=sections, **fields)


@pytest.mark.parametrize(
    ("end", "expected"),
    [({}, []), ({"courseEndDate": "2027-01-02"}, []), (END, ["topic-late"])],
)
def test_a_topic_that_opens_too_late(end: dict[str, str], expected: list[str]):
    """After the end nobody reaches it; judged where the section's own error was lowered."""
    assert expected == _judged_anyway(late(**end), about("courseTopicViewed", "late/l/a"))
    assert [] == _judged_anyway(late(**end), about("courseTopicViewed", "early/l/a"))


@pytest.mark.parametrize(("percent", "expected"), [(50, []), (51, ["percent-late"])])
def test_more_pages_than_will_ever_open(percent: int, expected: list[str]):
    """Half of the pages open in time, so half can be asked for."""
    assert expected == _judged_anyway(late(**END), share(percent))


def _judged_anyway(data: dict[str, Any], rule: dict[str, Any]) -> list[str]:
    """As if the rule about the section's date were switched off in the project file."""
    open_ = making.resource({**data, "courseEndDate": "2099-01-01"})
    shut = KINDS["course"].relations.facts(
        data, {**open_.form, **data, "sections": open_.form["sections"]}
    )
    resources = catalog(rule)
    resources[open_.address] = open_._replace(facts=shut)
    return [problem.code for problem in judge_catalog(resources, frozenset())]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"kind": "article", "sections": None, "articleVariant": {"body": "x"}}, []),
        ({"sections": [section("s", lesson("l", topic("t", "article")))]}, []),
        ({}, ["criterion-fit"]),
        ({"kind": "video", "sections": None, "videoUrl": URL}, ["criterion-fit"]),
    ],
)
@pytest.mark.parametrize(
    "rule",
    [
        about("articlePercentViewed", percent=80),
        about("articleTimeViewedInSeconds", seconds=60),
    ],
)
def test_rules_about_articles(fields: dict[str, Any], expected: list[str], rule: dict[str, Any]):
    """Rules about articles need an article (spec 2.3)."""
    assert expected == broken(course(**fields), rule)


def several(*rules: dict[str, Any]) -> list[str]:
    """What is wrong with several criteria of one course."""
    pages = [topic("a"), topic("b"), topic("v", "video", videoUrl=URL)]
    keyed = [rule | {"key": f"safety.c{number}"} for number, rule in enumerate(rules)]
    return broken(micro("safety", *pages, topic("w", "video", videoUrl=URL)), *keyed)


def test_two_rules_about_the_same_thing():
    """Two rules about the same thing are reported, since nobody knows which one holds."""
    assert ["criterion-twice"] == several(share(80), share(90))
    assert ["criterion-twice"] == several(share(80), share(80))
    seen = about("courseTopicViewed", "a")
    assert ["criterion-twice"] == several(seen, seen)


def test_rules_about_two_things():
    """Rules about different topics or of different types are accepted."""
    assert [] == several(about("courseTopicViewed", "a"), about("courseTopicViewed", "b"))
    videos = [about("videoPercentViewed", name, percent=90) for name in ("v", "w")]
    assert [] == several(*videos, share(80))


def test_rules_of_a_course_that_is_not_in_the_catalog():
    """Two rules of a course outside the catalog are compared as well."""
    rules = [share(80) | {"key": name, "course": UUID} for name in ("a", "b")]
    assert ["criterion-twice"] == broken(*rules)


def after(first: dict[str, Any], **fields: Any) -> list[str]:
    """What is wrong with a course that asks for another one first."""
    return broken(course("first", **first), course(prerequisiteCourses=["first"], **fields))


@pytest.mark.parametrize(
    ("first", "fields", "expected"),
    [
        ({"status": "draft"}, LIVE, ["prerequisite-draft"]),
        ({"status": "draft"}, PENDING, ["prerequisite-draft"]),
        ({"status": "draft"}, {"status": "draft"}, []),
        ({"status": "draft"}, {}, []),
        ({}, LIVE, []),
        (LIVE, LIVE, []),
        (PENDING, LIVE, []),
    ],
)
def test_what_is_asked_for_first_can_be_taken(
    first: dict[str, str], fields: dict[str, str], expected: list[str]
):
    """A draft cannot; a course that says nothing of its status may have been published by hand."""
    assert expected == after(first, **fields)


@pytest.mark.parametrize("opens", ["enrollmentStartDate", "courseStartDate", "futurePublishDate"])
@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ({"courseEndDate": "2027-01-31"}, ["prerequisite-late"]),
        ({"courseEndDate": "2027-02-01"}, []),
        ({"courseEndDate": "2027-01-31", "gracePeriodEndDate": "2027-02-01"}, []),
        ({}, []),
    ],
)
def test_what_is_asked_for_first_opens_in_time(
    opens: str, end: dict[str, str], expected: list[str]
):
    """Before the course is over."""
    assert expected == after({opens: "2027-02-01"}, **end)


@pytest.mark.parametrize(
    ("start", "expected"), [("2027-02-02", ["prerequisite-closed"]), ("2027-02-01", [])]
)
def test_what_is_asked_for_first_is_still_open(start: str, expected: list[str]):
    """Else nobody new can ever begin; those who have completed it can, so it is a warning."""
    assert expected == after({"courseEndDate": "2027-02-01"}, enrollmentStartDate=start)


def test_who_can_join_early_can_still_complete_it():
    """The start of the course does not matter, the day from which people can enrol does."""
    dates = {"enrollmentStartDate": "2027-01-01", "courseStartDate": "2027-03-01"}
    assert [] == after({"courseEndDate": "2027-02-01"}, **dates)


def test_related_courses_ask_for_nothing():
    """Only prerequisites are judged."""
    ended = course("first", status="draft", courseEndDate="2020-01-01")
    assert [] == broken(ended, course(relatedCourses=["first"], **LIVE))
