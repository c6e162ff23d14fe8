"""What the other tests of content leave out: that each field of a create entry is kept."""

import pytest

from .test_course_create import GENERATED, VIDEO

JOBS = "https://files.example/"
GROUP = {
    "description": "Text",
    "authors": ["One", "Two"],
    "source": "The academy",
    "customFields": {"owner": "A", "audience": ["managers"]},
    "assetAltText": "A door",
    "detailAssetAltText": "Another door",
    "ribbon": "new",
    "metaTitle": "Meta",
    "metaDescription": "More",
    "contentType": "Policy",
    "isbn": "978-3-16-148410-0",
    "publishDate": "2030-01-02T00:00:00.000Z",
}
SESSION = {
    "priceInCents": 1200,
    "freeWithRegistration": True,
    "purchasable": True,
    "sku": "S-1",
    "discussionsEnabled": True,
    "availableToPublic": True,
    "enrollmentLimit": 12,
    "enrollmentStartDate": "2030-01-01T00:00:00.000Z",
    "enrollmentEndDate": "2030-02-01T00:00:00.000Z",
    "courseStartDate": "2030-01-15T00:00:00.000Z",
    "courseEndDate": "2030-03-01T00:00:00.000Z",
    "gracePeriodEndDate": "2030-04-01T00:00:00.000Z",
    "sessionCustomFields": {"room": "12"},
    "forceLinearProgress": True,
    "showProgress": False,
}


@pytest.mark.parametrize("field", GROUP)
def test_group_field_is_kept(platform, field):
    """Every field of the catalog level comes back as it was sent.

    (spec 2.2 description, authors, source, customFields, isbn, publishDate, contentType, ribbon)
    """
    platform.course(**{field: GROUP[field]})
    assert GROUP[field] == platform.dump("courseGroups")[0][field]


@pytest.mark.parametrize("field", SESSION)
def test_session_field_is_kept(platform, field):
    """Every field of the session level comes back as it was sent.

    (spec 2.2 price, free, purchasable, sku, discussions, seats, dates, sessionCustomFields,
    linear, progress)
    """
    platform.course(**{field: SESSION[field]})
    assert SESSION[field] == platform.dump("courses")[0][field]


def test_limit_is_told_as_seats(platform):
    """An enrollment limit is a limit of seats where sessions are listed (spec 2.2 seats; O23)."""
    platform.course(enrollmentLimit=12)
    group = platform.dump("courseGroups")[0]["id"]
    (session,) = platform.call("group.courses", id=group).json()["courses"]
    assert 12 == session["seatsLimit"]


def test_course_may_be_created_published(platform):
    """With status published and no later date it is live at once (spec 3 published; 2.2 status)."""
    assert "published" == platform.read(platform.course(status="published"))["status"]


@pytest.mark.parametrize("field", ["asset", "detailAsset"])
def test_images_are_fetched_by_a_job(platform, field):
    """The answer names the job that fetches an image (spec 2.2 asset)."""
    platform.control("switches", {"jobSeconds": 1000})
    answer = platform.create(**{field: f"{JOBS}a.png"}).json()
    assert "queued" == platform.call("job.read", id=answer["backgroundJob"]["id"]).json()["status"]


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("shareableContentObject", "scormUrl"),
        ("xApiObject", "scormUrl"),
        ("pdfViewer", "pdfUrl"),
        ("video", "videoUrl"),
    ],
)
def test_files_of_topics_are_fetched_by_a_job(platform, tree, kind, field):
    """So are packages, documents and videos of topics (spec 2.2 filled.jobs, filled)."""
    answer = platform.create(sections=tree({"type": kind, field: f"{JOBS}file"})).json()
    assert {"id", "description", "errorMessage", "status"} >= set(answer["backgroundJob"])


def test_package_fields_are_kept(platform):
    """The flags of a SCORM object are kept (spec 2.2 scorm, scorm.flags)."""
    flags = {"embeddedEnabled": True, "resetSessionAfterComplete": True}
    fields = {"scormUrl": f"{JOBS}p.zip", "width": 800, "height": 600, **flags}
    platform.course(kind="shareableContentObject", **fields)
    topic = platform.dump("topics")[0]
    assert fields == {name: topic[name] for name in fields}


def test_package_fields_belong_to_packages(platform):
    """Flags of a SCORM object are refused elsewhere (spec 2.2 scorm.flags)."""
    response = platform.create(resetSessionAfterComplete=True)
    assert "not a field here" in platform.errors(response)[0]


def test_video_fields_are_kept(platform):
    """The source, the rolls and the poster of a video (spec 2.2 video, rolls, assetType)."""
    fields = {
        "videoAsset": GENERATED,
        "assetType": "generated",
        "preAsset": VIDEO,
        "postAsset": VIDEO,
        "posterImageAsset": f"{JOBS}poster.png",
    }
    platform.course(kind="video", **fields)
    topic = platform.dump("topics")[0]
    assert fields == {name: topic[name] for name in fields}


@pytest.mark.parametrize("id_", ["k3v9q2m7xw", "Ab-9_z"])
def test_ids_of_videos_are_short_texts(platform, id_):
    """A video of the library need not have a uuid (O49)."""
    video = {"title": "Drill", "source": "hosted", "id": id_}
    platform.control("edit", {"list": "videoAssets", "add": video})
    platform.course(kind="video", videoAsset=id_, preAsset=id_, postAsset=id_)
    topic = platform.dump("topics")[0]
    assert [id_] * 3 == [topic[name] for name in ("videoAsset", "preAsset", "postAsset")]


def test_what_no_video_is_called_is_refused(platform):
    """An address is refused as the id of a video (O49)."""
    refused = platform.create(kind="video", videoAsset="https://x.example/v")
    assert (400, True) == (refused.status_code, "must be the id of a video" in refused.text)


@pytest.mark.parametrize(("video", "status"), [(VIDEO, 200), (GENERATED, 400)])
def test_video_is_hosted_at_first(platform, video, status):
    """Without `assetType` only an asset of the hosted source is taken (spec 2.2 assetType)."""
    assert status == platform.create(kind="video", videoAsset=video).status_code


def test_section_may_have_a_release_date(platform, tree):
    """The release date of a section is read back under the name of reads.

    (spec 2.2 section; O23)
    """
    section = {**tree({"type": "text"})[0], "releaseDate": "2030-01-01"}
    read = platform.read(platform.course(sections=[section]))
    assert "2030-01-01T00:00:00.000Z" == read["sections"][0]["releaseAt"]


def test_same_entry_twice_is_two_courses(platform):
    """Sending an entry twice makes two courses (O17)."""
    assert platform.course() != platform.course()


def test_titles_repeat(platform, tree):
    """Titles may repeat, even within one lesson (O18)."""
    platform.course(sections=tree({"type": "text", "title": "A"}, {"type": "text", "title": "A"}))
    assert ["A", "A"] == [topic["title"] for topic in platform.dump("topics")]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("text", {"title": "New", "body": "<p>y</p>", "preTextBlock": "a", "postTextBlock": "b"}),
        ("embed", {"body": "<iframe></iframe>", "searchDisabled": True}),
        ("shareableContentObject", {"width": 10, "height": 20, "embeddedEnabled": True}),
        ("video", {"posterImageAsset": f"{JOBS}p.png", "preAsset": VIDEO, "postAsset": VIDEO}),
        ("audio", {"audioUrl": f"{JOBS}a.mp3"}),
        ("pdfViewer", {"pdfUrl": f"{JOBS}a.pdf", "preventProgression": True}),
    ],
)
def test_topic_fields_are_updated(platform, tree, kind, fields):
    """Each type of topic keeps the fields that an update can set (O9)."""
    read = platform.read(platform.course(sections=tree({"type": kind})))
    id_ = read["sections"][0]["lessons"][0]["topics"][0]["id"]
    assert 200 == platform.update(topics=[{"id": id_, **fields}]).status_code
    topic = platform.dump("topics")[0]
    assert fields == {name: topic[name] for name in fields}
