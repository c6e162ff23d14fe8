"""Course create: kinds, fields, limits, references (spec 2.2, 4)."""

import pytest

from lmssync.vocabulary.enums import FILLED_TOPICS, RefusedKind, TopicType

UNKNOWN = "00000000-0000-4000-8000-000000000000"
VIDEO, GENERATED = (f"7d1c0000-0000-4000-8000-000000000{n}" for n in (301, 302))


def group_of(platform, **fields):
    platform.course(**fields)
    return platform.dump("courseGroups")[0]


def session_of(platform, **fields):
    platform.course(**fields)
    return platform.dump("courses")[0]


def only_error(platform, **fields):
    (error,) = platform.errors(platform.create(**fields))
    return error


def test_ids_come_back_in_pairs(platform):
    """One course id and one course group id for each entry, and no child ids.

    (spec 4 create.answer, 2.1 one; O15)
    """
    entries = [{"title": f"C{n}", "kind": "courseGroup"} for n in range(3)]
    answer = platform.call("course.create", {"courseAttributes": entries}).json()
    assert {"courseIds": 3, "courseGroupIds": 3} == {k: len(v) for k, v in answer.items()}


def test_course_group_keeps_its_tree(platform, tree):
    """Sections, lessons and topics stand as they were sent (spec 2.1 levels, 2.2 courseGroup)."""
    sections = tree({"type": "text", "title": "One"}, {"type": "quiz", "title": "Two"})
    read = platform.read(platform.course(sections=sections))
    topics = read["sections"][0]["lessons"][0]["topics"]
    assert [("One", "text"), ("Two", "quiz")] == [(t["title"], t["type"]) for t in topics]


def test_micro_course_is_one_section_main(platform):
    """A microCourse is flattened into one section `Main` with one lesson.

    (spec 2.2 microCourse; O19)
    """
    topics = [{"title": "A", "type": "text"}, {"title": "B", "type": "text"}]
    read = platform.read(platform.course(kind="microCourse", topics=topics))
    (section,) = read["sections"]
    assert ("Main", 1, 2) == (
        section["title"],
        len(section["lessons"]),
        len(section["lessons"][0]["topics"]),
    )


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("article", {"articleVariant": {"body": "<p>x</p>", "languages": [{"language": "de"}]}}),
        ("video", {"videoAsset": VIDEO}),
        ("shareableContentObject", {"scormUrl": "https://x.example/p.zip", "width": 800}),
    ],
)
def test_flat_kinds_make_one_topic(platform, kind, fields):
    """Article, video and SCORM object have one section, one lesson, one topic of their type.

    (spec 2.2 article, video, scorm)
    """
    read = platform.read(platform.course(kind=kind, **fields))
    assert [kind] == [
        topic["type"]
        for section in read["sections"]
        for lesson in section["lessons"]
        for topic in lesson["topics"]
    ]


def test_article_languages_are_kept(platform):
    """The variants of an article stand in its topic (O20)."""
    variant = {"body": "<p>x</p>", "languages": [{"language": "de", "body": "<p>y</p>"}]}
    platform.course(kind="article", articleVariant=variant)
    assert variant["languages"] == platform.dump("topics")[0]["languages"]


@pytest.mark.parametrize("kind", [*RefusedKind, "nonsense", 7])
def test_other_kinds_are_refused(platform, kind):
    """Kinds that create does not accept get 400 that names the entry and the field.

    (spec 2.2 kinds, kinds.refused; spec 4 create.errors)
    """
    assert only_error(platform, kind=kind).startswith("courseAttributes[0].kind: ")


@pytest.mark.parametrize("missing", ["title", "kind"])
def test_required_fields(platform, missing):
    """Title and kind are required; null is absent (spec 2.2 required)."""
    assert f"courseAttributes[0].{missing}: is required" in only_error(platform, **{missing: None})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", " "),
        ("description", "x" * 5001),
        ("authors", ["A", ""]),
        ("authors", [" \t"]),
        ("metaTitle", "x" * 201),
        ("metaDescription", "x" * 501),
        ("priceInCents", -1),
        ("priceInCents", 100_000_000),
        ("priceInCents", 9.5),
        ("priceInCents", True),
        ("freeWithRegistration", "false"),
        ("status", "pending"),
        ("futurePublishDate", "2026-02-30"),
        ("sku", "x" * 37),
        ("sku", ""),
        ("enrollmentLimit", "7"),
        ("asset", "ftp://x.example/a.png"),
        ("asset", "not an address"),
        ("tagIds", "Safety"),
        ("tagIds", [UNKNOWN]),
        ("relatedCourseGroupIds", [UNKNOWN]),
        ("prerequisiteCourseIds", [UNKNOWN]),
        ("prerequisiteLearningPathIds", [UNKNOWN]),
        ("contentType", "Novel"),
        ("customFields", {"nobody": "x"}),
        ("customFields", {"audience": ["martians"]}),
        ("customFields", {"owner": ["a", "b"]}),
        ("sessionCustomFields", {"owner": "belongs to the group"}),
        ("sections", {}),
        ("unheardOf", 1),
        ("videoUrl", "https://x.example/v.mp4"),
    ],
)
def test_bad_values_are_named(platform, field, value):
    """A value that breaks a rule is refused with its place.

    (spec 2.2 description, tags, authors, price, metaTitle, metaDescription, customFields,
    contentType, related, prerequisites; spec 8 fields.course; spec 4 create.errors)
    """
    assert only_error(platform, **{field: value}).startswith(f"courseAttributes[0].{field}: ")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("description", "x" * 5000),
        ("authors", []),
        ("priceInCents", 99_999_999),
        ("sku", "x" * 36),
        ("metaTitle", "<b>" + "x" * 200 + "</b>"),
        ("customFields", {"owner": "A", "audience": ["managers"], "review-cycle": None}),
        ("prerequisiteLearningPathIds", ["7d1c0000-0000-4000-8000-000000000101"]),
    ],
)
def test_values_at_the_limit_are_taken(platform, field, value):
    """The limits themselves are allowed; markup does not count in meta fields.

    (spec 2.2 description, price, metaTitle, authors; spec 8 fields.course)
    """
    assert 200 == platform.create(**{field: value}).status_code


def test_at_most_ten_tags(platform):
    """Ten existing tags are taken, eleven refused (spec 2.2 tags; spec 8 fields.course)."""
    ids = [tag["id"] for tag in platform.dump("tags")]
    statuses = [platform.create(tagIds=ids[:n]).status_code for n in (10, 11)]
    assert [200, 400] == statuses


def test_meta_fields_lose_their_markup(platform):
    """metaTitle and metaDescription are kept without HTML (spec 2.2 metaTitle, metaDescription)."""
    group = group_of(platform, metaTitle="<b>Safe</b> work", metaDescription="<p>Now</p>")
    assert ("Safe work", "Now") == (group["metaTitle"], group["metaDescription"])


def test_ribbon_must_exist(platform):
    """A bad ribbon is answered with the platform's own words (spec 2.2 ribbon; O14)."""
    expected = "Invalid ribbon slug `x`. Available ribbons: new, popular, mandatory, updated"
    assert expected == only_error(platform, ribbon="x")


def test_content_type_is_derived_from_the_kind(platform):
    """Left out, contentType is the company's label for the kind (spec 2.2 contentType)."""
    assert "Micro course" == group_of(platform, kind="microCourse", topics=[])["contentType"]


def test_asset_alt_text_defaults_to_empty(platform):
    """assetAltText is empty text where an asset is given (spec 2.2 assetAlt)."""
    assert "" == group_of(platform, asset="https://x.example/a.png")["assetAltText"]


def test_session_defaults(platform):
    """Draft, not purchasable, not free, progress shown, dates now.

    (spec 2.2 free, purchasable, status, linear, progress, dates; spec 3 draft)
    """
    session = session_of(platform)
    names = ("status", "freeWithRegistration", "purchasable", "forceLinearProgress", "showProgress")
    assert ["draft", False, False, False, True] == [session[name] for name in names]
    assert session["createdAt"] == session["enrollmentStartDate"] == session["courseStartDate"]


def test_future_date_makes_it_pending(platform):
    """A futurePublishDate makes the session pending (spec 2.2 future; spec 3 pending)."""
    course = platform.course(futurePublishDate="2999-01-01")
    assert "pending" == platform.read(course)["status"]


def test_future_date_and_published_exclude_each_other(platform):
    """Together they are refused (spec 2.2 future; spec 4 create.errors)."""
    error = only_error(platform, futurePublishDate="2999-01-01", status="published")
    assert "cannot be combined" in error


def test_sku_is_unique(platform):
    """A second course with the sku is refused, also within one request (spec 2.2 sku; O18)."""
    entry = {"title": "C", "kind": "courseGroup", "sku": "S-1"}
    response = platform.call("course.create", {"courseAttributes": [entry, entry]})
    assert platform.errors(response)[0].startswith("courseAttributes[1].sku: ")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"videoUrl": "https://x.example/v", "videoAsset": VIDEO}, "videoAsset"),
        ({"videoUrl": "https://x.example/v", "assetType": "hosted"}, "assetType"),
        ({"videoAsset": GENERATED}, "videoAsset"),
        ({"videoAsset": VIDEO, "assetType": "generated"}, "videoAsset"),
        ({"videoAsset": UNKNOWN}, "videoAsset"),
        ({"videoAsset": VIDEO, "preAsset": UNKNOWN}, "preAsset"),
        ({"assetType": "other"}, "assetType"),
    ],
)
def test_video_fields_must_go_together(platform, fields, field):
    """videoUrl, videoAsset and assetType exclude each other as the specification says.

    (spec 2.2 videoSources, assetType, rolls)
    """
    assert f".{field}: " in only_error(platform, kind="video", **fields)


def test_generated_video_needs_its_asset_type(platform):
    """Sent explicitly, the generated source is taken (spec 2.2 assetType)."""
    fields = {"videoAsset": GENERATED, "assetType": "generated"}
    assert 200 == platform.create(kind="video", **fields).status_code


def test_video_may_bring_a_text(platform):
    """articleVariant.body of a video is the text under the player (O20)."""
    platform.course(kind="video", videoAsset=VIDEO, articleVariant={"body": "<p>x</p>"})
    assert "<p>x</p>" == platform.dump("topics")[0]["body"]


@pytest.mark.parametrize("kind", TopicType)
def test_every_topic_type_is_created(platform, tree, kind):
    """Filled, shell or placeholder: a topic of every type can be created empty.

    (spec 2.2 topicTypes, shells, placeholders)
    """
    assert 200 == platform.create(sections=tree({"type": kind})).status_code


@pytest.mark.parametrize("kind", sorted(set(TopicType) - FILLED_TOPICS))
def test_shells_take_no_content(platform, tree, kind):
    """Shells and placeholders have no population fields (spec 2.2 shells, placeholders)."""
    error = only_error(platform, sections=tree({"type": kind, "body": "x"}))
    assert ".topics[0].body: not a field here" in error


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("text", {"body": "<p>x</p>"}),
        ("article", {"body": "x", "languages": [{"language": "fr", "title": "t"}]}),
        ("video", {"videoUrl": "https://x.example/v.mp4"}),
        ("shareableContentObject", {"scormUrl": "https://x.example/p", "embeddedEnabled": True}),
        ("xApiObject", {"scormUrl": "https://x.example/p.zip"}),
        ("pdfViewer", {"pdfUrl": "https://x.example/p.pdf"}),
        ("embed", {"body": "<iframe></iframe>"}),
    ],
)
def test_topics_are_filled(platform, tree, kind, fields):
    """What a type can be filled with is kept (spec 2.2 filled, kinds.xapi)."""
    platform.course(sections=tree({"type": kind, **fields}))
    topic = platform.dump("topics")[0]
    assert fields == {name: topic[name] for name in fields}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"title": None}, "sections[0].title"),
        ({"lessons": None}, "sections[0].lessons"),
        ({"lessons": [{"title": "L", "topics": []}]}, "sections[0].lessons[0].openType"),
        ({"lessons": [{"title": "L", "openType": "closed", "topics": []}]}, "openType"),
        ({"lessons": [{"title": "L", "openType": "open"}]}, "sections[0].lessons[0].topics"),
        ({"lessons": [7]}, "sections[0].lessons[0]"),
        ({"releaseDate": "soon"}, "sections[0].releaseDate"),
    ],
)
def test_tree_errors_name_their_place(platform, tree, change, place):
    """A mistake deep in the tree is found where it is (spec 2.2 section, lesson; O37)."""
    section = {**tree()[0], **change}
    assert place in only_error(platform, sections=[section])


def test_topic_needs_a_known_type(platform, tree):
    """`type` is required and closed (spec 2.2 topicTypes)."""
    found = [only_error(platform, sections=tree(topic)) for topic in ({}, {"type": "poem"})]
    assert ["is required", True] == [found[0].split(": ")[1], '"poem" is not accepted' in found[1]]


def test_all_or_nothing(platform):
    """One bad entry leaves nothing behind, and every bad entry is told (O16)."""
    entries = [{"title": "A", "kind": "courseGroup"}, {"title": "B"}, {"kind": "video"}]
    told = platform.errors(platform.call("course.create", {"courseAttributes": entries}))
    assert (2, []) == (len(told), platform.dump("courses"))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "must be a list"),
        ({"courseAttributes": {"courses": []}}, "create takes a list"),
        ({"courseAttributes": []}, "is empty"),
        ({"courseAttributes": [{}] * 101}, "the most is 100"),
        ({"courseAttributes": [7]}, "must be an object"),
    ],
)
def test_wrapper_is_checked(platform, body, words):
    """The list of entries: an object is the form of update, 100 is the most.

    (spec 4 create.limit; spec 8 route.create; O1)
    """
    assert words in platform.errors(platform.call("course.create", body))[0]


def test_a_hundred_entries_are_taken(platform):
    """The limit itself (spec 1 courses; spec 4 create.limit; spec 8 route.create)."""
    entries = [{"title": f"C{n}", "kind": "courseGroup"} for n in range(100)]
    answer = platform.call("course.create", {"courseAttributes": entries})
    assert 100 == len(set(answer.json()["courseIds"]))


def test_references_to_existing_things(platform):
    """Related groups and prerequisites that exist are taken; a group is no course.

    (spec 2.2 related, prerequisites; O30)
    """
    course = platform.course()
    group = platform.dump("courseGroups")[0]["id"]
    fields = {"relatedCourseGroupIds": [group], "prerequisiteCourseIds": [course]}
    assert 200 == platform.create(**fields).status_code
    assert "it is the id of a course group" in only_error(platform, prerequisiteCourseIds=[group])
