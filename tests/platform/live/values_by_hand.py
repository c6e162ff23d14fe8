"""What is applied of each field, what git wants later, and what a person sets on the platform."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from lmssync.kinds.client.client_manifest import SETTINGS
from lmssync.kinds.course.course_manifest import SESSION_FIELDS

Json = Any
MEDIA = "https://media.example.com/"
PATHS = [f"7d1c0000-0000-4000-8000-00000000010{n}" for n in (1, 2)]
"""Learning paths of the demo company."""
VIDEOS = [f"7d1c0000-0000-4000-8000-00000000030{n}" for n in (1, 3, 4)]
"""Its hosted videos."""
GENERATED = "7d1c0000-0000-4000-8000-000000000302"
"""Its generated one."""


class Edit(NamedTuple):
    """What a person sets on the platform, by names of the wire."""

    fields: Mapping[str, Json]


class Values(NamedTuple):
    """What is applied, what git wants later, and what a person sets."""

    ours: Json
    git: Json
    hand: Json | Edit
    """The value under the same name, or the edit."""
    of: str = ""
    """The document that can have such a field; that of the kind if it is empty."""
    along: Mapping[str, Json] = MappingProxyType({})
    """What git must change with it."""


class Fixed(NamedTuple):
    """A field that nobody can change on the platform, and why."""

    because: str


def _course(kind: str, **fields: Json) -> Json:
    return {"kind": kind, "title": "A course"} | fields


def _with(*names: str, **fields: Json) -> Json:
    """A standard course with topics."""
    topics = [{"id": name, "title": name, **fields} for name in names or ("t",)]
    lesson = {"id": "l", "title": "Lesson", "openType": "open", "topics": topics}
    section = {"id": "s", "title": "Section", "lessons": [lesson]}
    return _course("courseGroup", sections=[section])


_DOCUMENTS: Mapping[str, Json] = {
    "course": _with(type="text", body="<p>Text</p>"),
    "article": _course(
        "article", articleVariant={"language": "en", "title": "Article", "body": "<p>Text</p>"}
    ),
    "video": _course("video", videoAsset=VIDEOS[0]),
    "videoUrl": _course("video"),
    "package": _course("shareableContentObject", scormUrl=f"{MEDIA}a.zip"),
    "topic of languages": _with(type="article", body="<p>Text</p>"),
    "topic of a video": _with(type="video", videoAsset=VIDEOS[0]),
    "topic of a video by url": _with(type="video"),
    "topic of a package": _with(type="shareableContentObject", scormUrl=f"{MEDIA}a.zip"),
    "topic of a pdf": _with(type="pdfViewer"),
    "completionCriterion": {"course": "x", "type": "coursePercentViewed", "percent": 50},
    "criterion of a number": {"course": "y", "type": "coursePercentViewed"},
    "criterion of a topic": {"course": "x", "type": "courseTopicViewed"},
    "criterion of an article": {"course": "x-article", "percent": 50},
    "criterion of a time": {"course": "x-article", "type": "articleTimeViewedInSeconds"},
    "purchasePath": {"course": "x", "label": "Buy", "target": {"url": MEDIA, "title": "Shop"}},
    "path to an item": {"course": "x", "label": "Buy", "target": {}},
    "license": {
        "client": "acme",
        "name": "A license",
        "courses": ["x"],
        "learningPaths": [],
        "courseTags": [],
        "seatsLimit": 10,
    },
    "client": {"cloneOf": "golden", "name": "A client", "slug": "a-client"},
}
_SESSION = {"course": "x", "title": "A session"}
DOCUMENTS = _DOCUMENTS | {
    "session": _SESSION | {"sections": _DOCUMENTS["course"]["sections"]},
    **{
        f"session: {name}": _SESSION | {"sections": document["sections"]}
        for name, document in _DOCUMENTS.items()
        if name.startswith("topic of")
    },
}
"""The rest of each manifest."""
HELPERS: Sequence[Json] = [
    {
        "resource": "course",
        "key": "x",
        **_with(*"tuv", type="text", body="<p>Text</p>"),
    },
    *(
        {
            "resource": "course",
            "key": key,
            "priceInCents": 900,
            "purchasable": True,
            "status": "published",
            **DOCUMENTS["course"],
        }
        for key in "yz"
    ),
    {"resource": "course", "key": "x-article", **DOCUMENTS["article"]},
    *(
        {
            "resource": "license",
            **DOCUMENTS["license"],
            "key": f"parent-{n}",
            "name": n,
            "seatsLimit": 99,
        }
        for n in "xyz"
    ),
]
"""What others name."""
HELD: Json = {
    "licenses": ["parent-x"],
    "users": [{"email": "omar.said@acme.example"}],
    "enrollmentOptions": {"preserveEnrollments": True, "preserveProgress": True},
}
"""A license assignment."""


def _text(of: str = "") -> Values:
    return Values("Ours", "From git", "By hand", of)


def _html(of: str = "") -> Values:
    return Values("<p>Ours</p>", "<p>From git</p>", "<p>By hand</p>", of)


def _number(of: str = "") -> Values:
    return Values(10, 20, 30, of)


def _date() -> Values:
    return Values("2031-01-01", "2032-01-01", "2033-01-01T00:00:00Z")


def _url(ending: str, of: str = "") -> Values:
    ours, git, hand = (f"{MEDIA}{name}.{ending}" for name in ("ours", "git", "hand"))
    return Values(ours, git, hand, of)


def _switch(of: str = "", *, ours: bool = False) -> Values:
    """There is no third value: git wants what the person sets."""
    return Values(ours, not ours, not ours, of)


def _video(of: str) -> Values:
    ours, git, hand = VIDEOS
    return Values(ours, git, hand, of)


def _languages(of: str) -> Values:
    rows = [[{"language": "de", "body": f"<p>{who}</p>"}] for who in ("Ours", "Git", "Hand")]
    return Values(rows[0], rows[1], rows[2], of)


def _videos(of: str, by_url: str) -> Mapping[str, Values]:
    return {
        "videoUrl": Values(f"{MEDIA}ours.mp4", f"{MEDIA}git.mp4", f"{MEDIA}hand.mp4", by_url),
        "videoAsset": _video(of),
        "assetType": Values(
            "hosted",
            "generated",
            Edit({"assetType": "generated", "videoAsset": GENERATED}),
            of,
            {"videoAsset": GENERATED},
        ),
        "preAsset": _video(of),
        "postAsset": _video(of),
        "posterImageAsset": _url("png", of),
    }


def _packages(of: str) -> Mapping[str, Values]:
    return {
        "scormUrl": _url("zip", of),
        "width": _number(of),
        "height": _number(of),
        "embeddedEnabled": _switch(of),
    }


def _under(prefix: str, values: Mapping[str, Values | Fixed]) -> Mapping[str, Values | Fixed]:
    return {f"{prefix}.{name}": value for name, value in values.items()}


def _in_session(values: Values | Fixed) -> Values | Fixed:
    """The same field of a further session, in a document of its own."""
    if isinstance(values, Values) and values.of:
        return values._replace(of=f"session: {values.of}")
    return values


LEADERSHIP = "ff092d9b-c7d4-5253-83bd-52092f8322c8"
"""The id of a tag."""
_Y = {"$ref": "course.y", "id": "course"}
_ORDER = "an order to the platform, which keeps no such value"
_FIELDS: Mapping[str, Mapping[str, Values | Fixed]] = {
    "course": {
        "kind": Fixed("a course stays of its kind"),
        "title": _text(),
        "description": _text(),
        "tags": Values(["Safety"], ["Sales"], Edit({"tagIds": [LEADERSHIP]})),
        "authors": Values(["Ours"], ["From git"], ["By hand"]),
        "source": _text(),
        "contentType": Values("Course", "Policy", "Webinar"),
        "ribbon": Values("new", "popular", "updated"),
        "isbn": Values("9783161484100", "9780306406157", "9781861972712"),
        "publishDate": _date(),
        "asset": _url("png"),
        "assetAltText": _text(),
        "detailAsset": _url("png"),
        "detailAssetAltText": _text(),
        "metaTitle": _text(),
        "metaDescription": _text(),
        "customFields": Values({"owner": "Ours"}, {"owner": "From git"}, {"owner": "By hand"}),
        "relatedCourses": Values(
            ["x"],
            ["z"],
            Edit({"relatedCourseGroupIds": [_Y | {"id": "courseGroup"}]}),
        ),
        "status": Values("draft", "published", "archived"),
        "futurePublishDate": _date(),
        "sku": Values("S-OURS", "S-GIT", "S-HAND"),
        "priceInCents": _number(),
        "freeWithRegistration": _switch(),
        "purchasable": _switch(),
        "discussionsEnabled": _switch(),
        "availableToPublic": _switch(),
        "enrollmentLimit": _number(),
        "enrollmentStartDate": _date(),
        "enrollmentEndDate": _date(),
        "courseStartDate": _date(),
        "courseEndDate": _date(),
        "gracePeriodEndDate": _date(),
        "sessionCustomFields": Values({"room": "Ours"}, {"room": "Git"}, {"room": "Hand"}),
        "forceLinearProgress": _switch(),
        "showProgress": _switch(ours=True),
        "prerequisiteCourses": Values(["x"], ["z"], Edit({"prerequisiteCourseIds": [_Y]})),
        "prerequisiteLearningPaths": Values(
            PATHS[:1], PATHS[1:], Edit({"prerequisiteLearningPathIds": PATHS})
        ),
        **_videos("video", "videoUrl"),
        **_packages("package"),
        "resetSessionAfterComplete": _switch("package"),
        **_under(
            "articleVariant",
            {
                "body": _html("article"),
                "language": Values("en", "fr", "es", "article"),
                "label": _text("article"),
                "title": _text("article"),
                "subtitle": _text("article"),
                "copyright": _text("article"),
                "externalUrl": _url("html", "article"),
                "externalUrlCallToAction": _text("article"),
                "languages": _languages("article"),
            },
        ),
        **_under("section", {"title": _text(), "releaseDate": _date()}),
        **_under(
            "lesson",
            {"title": _text(), "openType": Values("open", "studentsOnly", "emailCaptureOpen")},
        ),
        **_under(
            "topic",
            {
                "title": _text(),
                "type": Fixed("a topic stays of its type"),
                "body": _html(),
                "preTextBlock": _html(),
                "postTextBlock": _html(),
                "languages": _languages("topic of languages"),
                **_videos("topic of a video", "topic of a video by url"),
                **_packages("topic of a package"),
                "pdfUrl": _url("pdf", "topic of a pdf"),
            },
        ),
    },
    "completionCriterion": {
        "course": Fixed("a criterion stays in its course"),
        "type": Values(
            "coursePercentViewed",
            "articlePercentViewed",
            Edit({"type": "articleTimeViewedInSeconds", "articleTimeViewedInSeconds": 60}),
            "criterion of an article",
        ),
        "percent": Values(50, 60, Edit({"coursePercentViewed": 70}), "criterion of a number"),
        "seconds": Values(50, 60, Edit({"articleTimeViewedInSeconds": 70}), "criterion of a time"),
        "topic": Values(
            "s/l/t",
            "s/l/u",
            Edit({"courseTopicViewed": {"$ref": "course.x", "id": "course", "part": "s/l/v"}}),
            "criterion of a topic",
        ),
    },
    "purchasePath": {
        "course": Fixed("a path of another course is one that is gone from this one"),
        "label": _text(),
        "target.item": Values(
            "y", "z", Edit({"targetId": "7d1c0000-0000-4000-8000-000000000101"}), "path to an item"
        ),
        "target.url": Values(f"{MEDIA}a", f"{MEDIA}b", Edit({"targetUrl": f"{MEDIA}c"})),
        "target.title": Values("Ours", "From git", Edit({"targetUrlTitle": "By hand"})),
        "displayOrder": Values(1, 2, 3),
        "hidePrimaryCta": _switch(),
    },
    "license": {
        "client": Fixed("a license of another client is one that is gone from this one"),
        "name": _text(),
        "label": _text(),
        "courses": Values(["x"], ["x", "z"], Edit({"courseIds": [_Y]})),
        "learningPaths": Values(PATHS[:1], PATHS, Edit({"learningPathIds": []})),
        "courseTags": Values(["Safety"], ["Safety", "Sales"], Edit({"courseTagIds": [LEADERSHIP]})),
        "sku": _text(),
        "parentLicense": Values(
            "parent-x",
            "parent-y",
            Edit({"parentLicenseId": {"$ref": "license.parent-z", "id": "id"}}),
        ),
        "seatsLimit": _number(),
        "accessDays": _number(),
        "expirationDate": _date(),
        "enableBranding": _switch(),
        "isDefault": _switch(),
        "replaceCourseIds": Fixed(_ORDER),
        "replaceLearningPathIds": Fixed(_ORDER),
        "replaceCourseTagIds": Fixed(_ORDER),
        **{f"ref{n}": _text() for n in range(1, 11)},
    },
    "client": {
        "cloneOf": Fixed("where a client comes from stays as it was"),
        "name": _text(),
        "slug": Values("f-client-slug", "f-from-git", "f-by-hand"),
        "disabled": _switch(),
        **dict.fromkeys(
            SETTINGS, Fixed("no call sets it: see tests/kinds/test_clients_applied.py")
        ),
    },
    "licenseAssignment": {
        "licenses": Fixed("what people hold stands with them: see tests/sync/test_holders.py"),
        "users": Fixed("what people hold stands with them: see tests/sync/test_holders.py"),
        "enrollmentOptions.preserveEnrollments": Fixed(_ORDER),
        "enrollmentOptions.preserveProgress": Fixed(_ORDER),
    },
}
FIELDS = _FIELDS | {
    "session": {
        "course": Fixed("a session stays in its course"),
        **{
            name: _in_session(values)
            for name, values in _FIELDS["course"].items()
            if name in {"title", *SESSION_FIELDS}
            or name.startswith(("section.", "lesson.", "topic."))
        },
        "sku": Values("N-OURS", "N-GIT", "N-HAND"),
        "topic.languages": Fixed("an update adds a page without its further languages"),
    }
}
ALONE = {"sku", "freeWithRegistration", "isDefault", "slug", "assetType"}
"""Fields that git does not change beside others: only one resource can have such a value, or it
needs others."""
ALWAYS = {
    "course": "title",
    "session": "title",
    "purchasePath": "hidePrimaryCta",
    "license": "label",
}
"""A field that each document of a kind has."""
