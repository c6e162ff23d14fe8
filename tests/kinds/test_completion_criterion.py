"""Completion criteria: what each type needs, sends and is recognised by (spec 2.3)."""

from typing import Any

import pytest

from lmssync.kind import Ambiguity, Ids
from lmssync.kinds import KINDS
from lmssync.kinds.completion_criterion.criterion_manifest import FITS, criterion_title
from lmssync.vocabulary.enums import PERCENT_CRITERIA, TOPIC_CRITERIA, CriterionType
from tests import making
from tests.making import UUID, codes, criterion, described

KIND = KINDS["criterion"]
OTHER = "7d1c0000-0000-4000-8000-000000000002"


def of_type(type_: str, **fields: Any) -> dict[str, Any]:
    """A criterion without a value, and the fields that are given."""
    return criterion(**{"percent": None, "type": type_} | fields)


NEEDS = (
    [(str(type_), {"topic": "s/l/t"}) for type_ in sorted(TOPIC_CRITERIA, key=str)]
    + [(str(t), {"percent": 5}) for t in ("coursePercentViewed", "articlePercentViewed")]
    + [
        ("videoPercentViewed", {"percent": 5, "topic": "s/l/t"}),
        ("articleTimeViewedInSeconds", {"seconds": 5}),
    ]
)


@pytest.mark.parametrize(("type_", "fields"), NEEDS)
def test_each_type_is_right_with_what_it_needs(type_: str, fields: dict[str, Any]):
    """Those fields and no others."""
    assert [] == codes(of_type(type_, **fields))


@pytest.mark.parametrize(("type_", "fields"), NEEDS)
def test_each_type_needs_its_fields(type_: str, fields: dict[str, Any]):
    """Each one that is left out is told."""
    assert ["criterion-needs"] * len(fields) == codes(of_type(type_))


@pytest.mark.parametrize(("type_", "fields"), NEEDS)
def test_each_type_refuses_other_fields(type_: str, fields: dict[str, Any]):
    """Each one that does not belong is told."""
    every = {"percent": 5, "seconds": 5, "topic": "s/l/t"}
    assert ["criterion-field"] * (3 - len(fields)) == codes(of_type(type_, **every))


def test_every_type_was_tried():
    """The list above holds all thirteen."""
    assert {type_.value for type_ in CriterionType} == {type_ for type_, _ in NEEDS}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"percent": 1}, []),
        ({"percent": 100}, []),
        ({"percent": 0}, ["percent-range"]),
        ({"percent": 101}, ["percent-range"]),
        ({"percent": 50.5}, ["percent-type"]),
        ({"percent": "50"}, ["percent-type"]),
        ({"type": "coursePercent"}, ["type-value"]),
    ],
)
def test_values_on_both_sides(fields: dict[str, Any], expected: list[str]):
    """1 to 100, whole (spec 8)."""
    assert expected == codes(criterion(**fields))


TOPIC_NODE = {"$ref": "course.safety", "id": "id", "part": "s/l/t"}
COURSE_NODE = {"$ref": "course.safety", "id": "course"}


@pytest.mark.parametrize(("type_", "fields"), NEEDS)
def test_what_is_sent(type_: str, fields: dict[str, Any]):
    """The value goes into the field that is named like the type (spec 2.3)."""
    (entry,) = making.created(of_type(type_, **fields))["criteria"]
    value: Any = TOPIC_NODE if CriterionType(type_) in TOPIC_CRITERIA else 5
    more = {"videoTopicId": TOPIC_NODE} if type_ == "videoPercentViewed" else {}
    assert {"courseId": COURSE_NODE, "type": type_, type_: value, **more} == entry


def test_a_course_that_is_not_managed():
    """Its uuid is sent as it is and needs nothing to be made before."""
    made = making.resource(criterion(course=UUID))
    assert ((), UUID) == (made.references, made.form["course"])


def test_a_topic_is_a_reference_to_a_part():
    """With the types by which the rule can be met."""
    *_, reference = making.resource(of_type("scormComplete", topic="s/l/t")).references
    assert ("course", "safety", "s/l/t", ["shareableContentObject"]) == (
        reference.kind,
        reference.name,
        reference.part,
        list(reference.part_types),
    )


def test_every_rule_about_a_topic_says_which_topics_fit():
    """So that a rule that nobody can meet is found before it is sent."""
    about = TOPIC_CRITERIA | {CriterionType.VIDEO_PERCENT_VIEWED}
    assert about == FITS.keys()


def test_an_update_names_the_criterion():
    """With its type, since the platform clears the fields of an old type itself (spec 4)."""
    (piece,) = described(criterion(), criterion(percent=90)).calls
    own = {"$ref": "criterion.safety.most", "id": "id"}
    entry = {"id": own, "type": "coursePercentViewed", "coursePercentViewed": 90}
    assert {"criteria": [entry]} == piece.body
    assert (False, True) == (piece.adds, piece.repeatable)


def test_a_change_of_type_is_one_update():
    """The new field goes along."""
    after = of_type("articleTimeViewedInSeconds", seconds=60)
    (piece,) = described(criterion(), after).calls
    assert 60 == piece.body["criteria"][0]["articleTimeViewedInSeconds"]


def test_another_course_needs_another_key():
    """A criterion belongs to its course for ever: it would be recorded as the other course's."""
    found = described(criterion(), criterion(course="other"))
    assert ([], "cannot move" in found.undecided) == (list(found.calls), True)


def live(**fields: Any) -> dict[str, Any]:
    """A criterion as it is read: every type field, unused ones null (O25)."""
    unused = dict.fromkeys((t.value for t in CriterionType), None)
    return {"id": "1", "type": "coursePercentViewed", **unused, "coursePercentViewed": 80} | fields


@pytest.mark.parametrize(
    ("there", "taken", "expected"),
    [
        ([live()], set(), Ids({"id": "1"})),
        ([live()], {"1"}, None),
        ([live(id="1"), live(id="2")], {"1"}, Ids({"id": "2"})),
        ([live(coursePercentViewed=81)], set(), None),
        ([live(type="articlePercentViewed")], set(), None),
        ([], set(), None),
    ],
)
def test_how_it_is_recognised(there: Any, taken: set[str], expected: Ids | None):
    """Same type, same value, and not taken by another."""
    form = making.form(criterion())
    assert expected == KIND.reads.match(form, None, {"completionCriteria": there}, taken)


def test_a_course_without_its_list_of_criteria_proves_nothing():
    """Absence is only what a list shows."""
    assert isinstance(KIND.reads.match(making.form(criterion()), None, {}, set()), Ambiguity)


def test_a_topic_is_part_of_what_is_recognised():
    """Two videos may ask for the same share."""
    form = making.form(of_type("videoPercentViewed", percent=5, topic="s/l/t")) | {"topic": OTHER}
    there = {"type": "videoPercentViewed", "coursePercentViewed": None, "videoPercentViewed": 5}
    for topic, expected in ((UUID, None), (OTHER, Ids({"id": "1"}))):
        read = {"completionCriteria": [live(**there, videoTopicId=topic)]}
        assert expected == KIND.reads.match(form, None, read, set())


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ([], {}),
        (None, {}),
        ([{"courseId": "b", "type": "y", "error": "no"}], {1: "no"}),
        (
            [
                {"courseId": "a", "type": "x", "error": "no"},
                {"courseId": "a", "type": "x", "error": "nor this"},
            ],
            {0: "no", 2: "nor this"},
        ),
        ([{"courseId": "c", "type": "x", "error": "no"}], {}),
        ([{"error": "gone", "record": '{"id": "7"}'}], {3: "gone"}),
    ],
)
def test_refusals_inside_a_successful_answer(errors: Any, expected: dict[int, str]):
    """Each error is laid at the first entry that it fits and that has none yet (spec 4)."""
    entries = [
        {"courseId": "a", "type": "x"},
        {"courseId": "b", "type": "y"},
        {"courseId": "a", "type": "x"},
        {"id": "7", "type": "x"},
    ]
    assert expected == KIND.calls.failures({"errors": errors}, entries)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"type": "coursePercentViewed", "percent": 5}, "View 5 % of the course"),
        (
            {"type": "articleTimeViewedInSeconds", "seconds": 5},
            "View the article for 5 seconds",
        ),
        (
            {"type": "videoPercentViewed", "percent": 5, "topic": "s/l/t"},
            "View 5 % of the video s/l/t",
        ),
        ({"type": "scormComplete", "topic": UUID}, f"Complete the SCORM package {UUID}"),
    ],
)
def test_people_call_it_by_what_learners_do(fields: dict[str, Any], told: str):
    """In plans, and where somebody has to find it: by its rule, and by its type."""
    form = making.form(criterion(**{"percent": None} | fields))
    (step,) = KIND.calls.removal(form).manual
    assert told == KIND.authoring.title(form)
    assert f"“{told}” (`{fields['type']}`) of course `safety`" in step.text


def test_every_type_has_its_words():
    """None is told by its own name."""
    form = {"percent": 1, "seconds": 1, "topic": {"$ref": "course.a", "part": "b"}}
    assert [] == [
        kind for kind in CriterionType if kind in KIND.authoring.title({**form, "type": kind})
    ]


@pytest.mark.parametrize("type_", ["videoPercentViewed", "ofAnotherVersion", ""])
def test_a_record_of_another_version_is_told_by_its_type(type_: str):
    """Where it lacks what the words need, or is of a type that nobody knows."""
    assert type_ == KIND.authoring.title({"type": type_})


def test_percentages_are_told_apart_from_topics():
    """The three groups of types do not overlap."""
    assert set() == PERCENT_CRITERIA & TOPIC_CRITERIA


@pytest.mark.parametrize(
    ("form", "title"),
    [
        ({"title": "Fire", "topics": [{"id": "film", "title": "The drill"}]}, "The drill"),
        ({"title": "Fire"}, "Fire"),
    ],
)
def test_a_rule_is_named_by_the_title_of_its_topic(form: dict[str, Any], title: str):
    """A course that is one topic lends its title; a part without a title keeps its path."""
    rule = {"type": "courseTopicViewed", "topic": {"$ref": "course.fire", "part": "film"}}
    assert title in criterion_title(rule, form)
    assert "View film" == criterion_title(rule, {"topics": [{"id": "film"}]})
