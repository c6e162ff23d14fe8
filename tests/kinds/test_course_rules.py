"""Rules of a course: what each finds, and a similar case that it accepts."""

from typing import Any

import pytest

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import CourseKind, TopicType
from tests.making import UUID, codes, course, found, lesson, micro, section, topic

OTHER = "7d1c0000-0000-4000-8000-000000000002"
URL = "https://media.example.com/x"
PACKAGE = f"{URL}.zip"


def of_kind(kind: str, **fields: Any) -> dict[str, Any]:
    """A course of a kind with the least that it needs."""
    least: dict[str, dict[str, Any]] = {
        "courseGroup": {"sections": [section()]},
        "microCourse": {"topics": [topic()]},
        "article": {"articleVariant": {"body": "x"}},
        "video": {"videoUrl": URL},
        "shareableContentObject": {"scormUrl": PACKAGE},
    }
    return course(kind=kind, **{"sections": None} | least[kind] | fields)


PICTURE = {"asset": URL, "assetAltText": "A green door"}


def with_topic(type: str = "text", **fields: Any) -> dict[str, Any]:  # noqa: A002
    return micro("safety", topic("a", type, **fields))


@pytest.mark.parametrize("kind", CourseKind)
def test_each_kind_is_right_with_its_own_fields(kind: str):
    """Each kind with its smallest set of fields breaks no rule."""
    assert [] == codes(of_kind(kind))


@pytest.mark.parametrize("kind", ["webinar", "xApiObject", "inPersonEvent", "course"])
def test_kinds_that_create_refuses(kind: str):
    """Only five kinds can be made (spec 2.2)."""
    assert ["kind-value"] == codes(course(kind=kind))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("courseGroup", {"topics": [topic()]}),
        ("courseGroup", {"videoUrl": URL}),
        ("courseGroup", {"scormUrl": PACKAGE}),
        ("microCourse", {"sections": [section()]}),
        ("microCourse", {"articleVariant": {"body": "x"}}),
        ("article", {"topics": [topic()]}),
        ("article", {"videoAsset": UUID}),
        ("video", {"width": 5}),
        ("video", {"sections": [section()]}),
        ("shareableContentObject", {"posterImageAsset": URL}),
    ],
)
def test_fields_of_another_kind(kind: str, fields: dict[str, Any]):
    """Structure and content fields belong to one kind each (spec 2.2)."""
    assert ["field-of-kind"] == codes(of_kind(kind, **fields))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("video", {"articleVariant": {"body": "under the player"}}),
        ("video", {"posterImageAsset": URL, "preAsset": UUID, "postAsset": UUID}),
        ("shareableContentObject", {"width": 5, "height": 5, "embeddedEnabled": True}),
        ("shareableContentObject", {"resetSessionAfterComplete": True}),
        ("courseGroup", {"topics": None}),
    ],
)
def test_fields_of_its_own_kind(kind: str, fields: dict[str, Any]):
    """Fields of the course's own kind are accepted (spec 2.2, O20)."""
    assert [] == codes(of_kind(kind, **fields))


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("courseGroup", "sections"),
        ("microCourse", "topics"),
        ("article", "articleVariant"),
        ("shareableContentObject", "scormUrl"),
    ],
)
def test_a_course_without_content_is_a_warning(kind: str, field: str):
    """A course without content is a warning, since the platform takes it."""
    assert ["no-content"] == codes(of_kind(kind, **{field: None}))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"videoUrl": URL}, []),
        ({"videoAsset": UUID}, []),
        ({"videoAsset": UUID, "assetType": "generated"}, []),
        ({"videoUrl": URL, "videoAsset": UUID}, ["one-video"]),
        ({"videoUrl": URL, "assetType": "hosted"}, ["asset-type-with-url"]),
        (
            {"videoUrl": URL, "videoAsset": UUID, "assetType": "hosted"},
            ["asset-type-with-url", "one-video"],
        ),
        ({}, ["no-video"]),
        ({"assetType": "hosted"}, ["no-video"]),
    ],
)
@pytest.mark.parametrize("where", ["kind", "topic"])
def test_where_a_video_comes_from(fields: dict[str, Any], expected: list[str], where: str):
    """videoUrl or videoAsset, never both; assetType goes with videoAsset (spec 2.2)."""
    data = (
        course(kind="video", sections=None, **fields)
        if where == "kind"
        else with_topic("video", **fields)
    )
    assert expected == codes(data)


@pytest.mark.parametrize("type_", ["text", "embed", "article"])
@pytest.mark.parametrize("way", ["body", "markdown"])
def test_topics_with_a_body(type_: str, way: str):
    """Topics of these types can have a body (spec 2.2)."""
    assert [] == codes(with_topic(type_, **{way: "x"}))


@pytest.mark.parametrize(
    "type_", sorted(set(TopicType) - {"text", "embed", "article", "video"}, key=str)
)
def test_topics_without_a_body(type_: str):
    """Topics of other types cannot have a body, which would be lost."""
    assert ["field-of-type"] == codes(with_topic(type_, body="x"))


@pytest.mark.parametrize(
    ("type_", "field", "value"),
    [
        ("article", "languages", [{"language": "de", "body": "x"}]),
        ("video", "videoUrl", URL),
        ("shareableContentObject", "scormUrl", PACKAGE),
        ("shareableContentObject", "width", 5),
        ("xApiObject", "scormUrl", PACKAGE),
        ("pdfViewer", "pdfUrl", URL),
        ("quiz", "preTextBlock", "x"),
        ("quiz", "postTextBlock", "x"),
    ],
)
def test_topics_with_fields_of_their_type(type_: str, field: str, value: Any):
    """Each type is filled with its own fields (spec 2.2)."""
    assert [] == codes(with_topic(type_, **{field: value}))


@pytest.mark.parametrize(
    ("type_", "field", "value"),
    [
        ("text", "languages", [{"language": "de"}]),
        ("text", "videoUrl", URL),
        ("xApiObject", "width", 5),
        ("pdfViewer", "scormUrl", PACKAGE),
        ("quiz", "pdfUrl", URL),
        ("discussionBoard", "markdown", "x"),
    ],
)
def test_topics_with_fields_of_another_type(type_: str, field: str, value: Any):
    """Fields of another type are refused."""
    assert ["field-of-type"] == codes(with_topic(type_, **{field: value}))


@pytest.mark.parametrize("second", ["markdown", "bodyFile"])
def test_a_body_is_written_once(second: str):
    """A topic with two bodies is refused."""
    assert "one-body" in codes(with_topic(body="x", **{second: "x.md"}))


def test_a_body_of_a_language_is_written_once():
    """Two bodies of one language are refused too."""
    language = {"language": "de", "body": "x", "markdown": "x"}
    assert ["one-body"] == codes(with_topic("article", languages=[language]))
    assert ["one-body"] == codes(of_kind("article", articleVariant={"body": "", "markdown": ""}))


@pytest.mark.parametrize(("second", "expected"), [("fr", []), ("de", ["language-twice"])])
def test_a_language_is_given_once(second: str, expected: list[str]):
    """Two variants of one language are refused."""
    languages = [{"language": "de", "body": "x"}, {"language": second, "body": "y"}]
    assert expected == codes(with_topic("article", languages=languages))
    variant = {"body": "x", "languages": languages}
    assert expected == codes(of_kind("article", articleVariant=variant))


def test_ids_differ_among_siblings():
    """Siblings with the same id are reported on every level."""
    other = {"title": "Other"}
    assert ["id-twice"] == codes(micro("safety", topic("a"), topic("a") | other))
    assert ["id-twice"] == codes(course(sections=[section("a"), section("a", **other)]))
    lessons = lesson("b"), lesson("b", **other)
    assert ["id-twice"] == codes(course(sections=[section("a", *lessons)]))
    twins = lesson("b", topic("c"), topic("c") | other)
    assert ["id-twice"] == codes(course(sections=[section("a", twins)]))


def test_ids_may_repeat_among_cousins():
    """Parts with different parents may have the same id."""
    assert [] == codes(course(sections=[section("a", lesson("x")), section("b", lesson("x"))]))


def test_titles_differ_among_siblings():
    """Siblings need different titles, by which they are found again (O15, O18)."""
    same = {"title": "Same"}
    assert ["title-twice"] == codes(course(sections=[section("a", **same), section("b", **same)]))
    lessons = lesson("a", **same), lesson("b", **same)
    assert ["title-twice"] == codes(course(sections=[section("a", *lessons)]))
    assert ["title-twice"] == codes(micro("safety", topic("a", **same), topic("b", **same)))


def test_topics_of_one_title_and_two_types_are_told_apart():
    """Topics with the same title are accepted if their types differ."""
    assert [] == codes(micro("safety", topic("a", title="A"), topic("b", "quiz", title="A")))


def test_each_repetition_of_a_title_is_told():
    """Each repetition of a title is reported at its own place."""
    topics = [topic(name, title="A") for name in "abc"]
    problems = found(micro("safety", *topics))[1]
    assert ["topics[1].title", "topics[2].title"] == [problem.path for problem in problems]


@pytest.mark.parametrize(
    ("sections", "path"),
    [
        ([section("a") | {"lessons": []}], "sections[0].lessons"),
        (
            [section("a"), section("b", lesson("c") | {"topics": []})],
            "sections[1].lessons[0].topics",
        ),
    ],
)
def test_a_part_with_nothing_in_it_is_a_warning(sections: list[dict[str, Any]], path: str):
    """An empty section or lesson is a warning, since the platform takes it."""
    (problem,) = found(course(sections=sections))[1]
    assert ("empty-part", path) == (problem.code, problem.path)


@pytest.mark.parametrize("field", ["tags", "relatedCourses", "prerequisiteCourses"])
def test_a_list_names_each_thing_once(field: str):
    """If a list names something twice, the second place is reported."""
    assert [] == codes(course(**{field: ["a", "b"]}))
    (problem,) = found(course(**{field: ["a", "b", "a"]}))[1]
    assert ("named-twice", f"{field}[2]") == (problem.code, problem.path)


def test_a_uuid_is_the_same_in_capitals():
    """A uuid in capitals is the same uuid."""
    paths = ["7d1c0000-0000-4000-8000-00000000000a", "7D1C0000-0000-4000-8000-00000000000A"]
    assert ["named-twice"] == codes(course(prerequisiteLearningPaths=paths))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (PICTURE, []),
        (PICTURE | {"assetAltText": ""}, []),
        ({"asset": URL}, ["no-alt-text"]),
        ({"detailAsset": URL}, ["no-alt-text"]),
        ({"detailAsset": URL, "detailAssetAltText": "A door"}, []),
        ({"assetAltText": "A door"}, ["alt-text-alone"]),
        ({"detailAssetAltText": "A door"} | PICTURE, ["alt-text-alone"]),
        ({"assetAltText": ""}, []),
    ],
)
def test_pictures_have_words(fields: dict[str, str], expected: list[str]):
    """Each image needs its own alternative text, which may be empty on purpose (spec 2.2)."""
    assert expected == codes(course(**fields))


@pytest.mark.parametrize(
    ("field", "value"),
    [("title", "A"), ("language", "de"), ("externalUrl", URL), ("languages", [])],
)
def test_the_text_of_a_video_is_a_body(field: str, value: Any):
    """The text of a video can only be a body; other fields of an article would be lost (O20)."""
    variant = {"body": "under the player", field: value}
    (problem,) = found(of_kind("video", articleVariant=variant))[1]
    assert ("text-of-video", f"articleVariant.{field}") == (problem.code, problem.path)
    assert [] == codes(of_kind("article", articleVariant=variant))


@pytest.mark.parametrize(
    ("field", "most", "code"),
    [
        ("description", limits.DESCRIPTION, "description-length"),
        ("metaTitle", limits.META_TITLE, "meta-title-length"),
        ("metaDescription", limits.META_DESCRIPTION, "meta-description-length"),
        ("sku", limits.SKU, "sku-length"),
    ],
)
def test_lengths(field: str, most: int, code: str):
    """A text may be as long as the platform allows, and not longer (spec 8, O18)."""
    assert [] == codes(course(**{field: "x" * most}))
    assert [code] == codes(course(**{field: "x" * (most + 1)}))


@pytest.mark.parametrize(
    ("field", "right", "wrong"),
    [
        ("priceInCents", 0, -1),
        ("priceInCents", 99_999_999, 100_000_000),
        ("enrollmentLimit", 1, 0),
        ("tags", list("abcdefghij"), list("abcdefghijk")),
        ("tags", [], [""]),
        ("authors", [], [" "]),
        ("customFields", {"a": ["b"], "c": None, "d": "e"}, {"a": 1}),
        ("publishDate", "2028-02-29", "2027-02-29"),
        ("publishDate", "2027-01-01T23:59:59+0200", "2027-01-01T24:00:01"),
        ("publishDate", "2027-01-01T09:00Z", "01.02.2027"),
        ("status", "draft", "pending"),
        ("prerequisiteLearningPaths", [UUID], ["some-path"]),
        ("key", "a.b-c_d", "-a"),
        ("key", "x" * 200, "x" * 201),
        ("title", "x", ""),
    ],
)
def test_values_on_both_sides(field: str, right: Any, wrong: Any):
    """Values that the platform takes are accepted, and others are refused."""
    assert [] == codes(course(**{field: right}))
    assert 1 == len(codes(course(**{field: wrong})))


def test_parts_of_a_live_course_have_ids():
    """Missing ids in a published course are one warning, at the first part, with its id."""
    parts = [{**lesson(), "id": None, "title": "Two words"}, {**lesson(), "id": None}]
    data = course(status="published", sections=[section("s", *parts)])
    (problem,) = (one for one in found(data)[1] if one.code == "part-id")
    assert ("sections[0].lessons[0]", "warning") == (problem.path, problem.severity)
    assert "“Two words” and 1 other part have no `id`" in problem.message
    assert "`id: two-words`" in problem.hint


@pytest.mark.parametrize("fields", [{}, {"status": "draft"}])
def test_parts_of_a_draft_need_none(fields: dict[str, Any]):
    """In a draft, parts need no ids."""
    data = course(sections=[section("s", {**lesson(), "id": None})], **fields)
    assert "part-id" not in codes(data)
