"""`field: null` in a manifest is refused by `validate`, or an apply leaves nothing to do."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from lmssync.catalog.manifests.schemas.field_descriptions import all_fields
from lmssync.catalog.manifests.yaml.yaml_writer import write_yaml_document
from lmssync.cli.exits import Exit
from tests.served_catalog import COURSE, Workspace

JOBS = "https://media.example/"
Doc = dict[str, Any]


def _course(**fields: Any) -> Doc:
    return {"resource": "course", "key": "a", "kind": "courseGroup", "title": "A"} | fields


def _topic(type_: str, **fields: Any) -> Doc:
    topic = {"id": "hello", "title": "Hello", "type": type_} | fields
    return _course(kind="microCourse", topics=[topic])


_LESSON = {"id": "one", "title": "One", "openType": "open", "topics": []}
_VARIANT = {
    "language": "en", "label": "English", "title": "T", "subtitle": "S", "body": "<p>B</p>",
    "copyright": "C", "externalUrl": "https://x.example", "externalUrlCallToAction": "More",
}  # fmt: skip
_GERMAN = _VARIANT | {"language": "de"}
_LEADERS = "7d1c0000-0000-4000-8000-000000000613"
_TARGET = {"url": "https://x.example", "title": "T"}
_VIDEO = {
    "videoAsset": "7d1c0000-0000-4000-8000-000000000302",
    "assetType": "generated",
    "preAsset": "7d1c0000-0000-4000-8000-000000000303",
    "postAsset": "7d1c0000-0000-4000-8000-000000000304",
    "posterImageAsset": f"{JOBS}p.png",
}
_PACKAGE = {"scormUrl": f"{JOBS}p.zip", "width": 10, "height": 10, "embeddedEnabled": True}

_ATTESTED = {"by": "Ann", "on": "2027-01-01", "updatedAt": "2027-01-01T09:00Z"}
DOCS: Mapping[str, Doc] = {
    "course": _course(
        moved=[{"from": "course.b"}],
        lifecycle={"protect": False, "ignore": ["isbn"]},
        description="D", tags=["Safety"], authors=["Ann"], source="S", contentType="Course",
        ribbon="new", isbn="978-3-16-148410-0", publishDate="2027-01-31", asset=f"{JOBS}a.png",
        assetAltText="A", detailAsset=f"{JOBS}b.png", detailAssetAltText="B", metaTitle="M",
        metaDescription="M", customFields={"owner": "Ann"}, relatedCourses=["other"],
        status="draft", sku="SKU-A", priceInCents=100, freeWithRegistration=False,
        purchasable=True, discussionsEnabled=True, availableToPublic=True, enrollmentLimit=5,
        enrollmentStartDate="2027-01-01", enrollmentEndDate="2027-02-01",
        courseStartDate="2027-01-01", courseEndDate="2027-03-01", gracePeriodEndDate="2027-04-01",
        sessionCustomFields={"room": "1"}, forceLinearProgress=True, showProgress=False,
        prerequisiteCourses=["other"],
        prerequisiteLearningPaths=["7d1c0000-0000-4000-8000-000000000101"],
        sections=[{"id": "s", "title": "S", "releaseDate": "2027-01-31", "lessons": [_LESSON]}],
        completionCriteria=[{"id": "most", "type": "coursePercentViewed", "percent": 80}],
        purchasePaths=[{"id": "p", "label": "L", "target": _TARGET}],
    ),
    "later": _course(futurePublishDate="2027-01-31"),
    "article": _course(kind="article", articleVariant=_VARIANT | {"languages": [_GERMAN]}),
    "video": _course(kind="video", articleVariant={"body": "<p>x</p>"}, **_VIDEO),
    "video of an address": _course(kind="video", videoUrl=f"{JOBS}v.mp4"),
    "package": _course(kind="shareableContentObject", resetSessionAfterComplete=True, **_PACKAGE),
    "text": _topic("text", body="<p>B</p>", preTextBlock="<p>b</p>", postTextBlock="<p>b</p>"),
    "markdown": _topic("text", markdown="B"),
    "quiz": _topic("quiz", attested=_ATTESTED),
    "article topic": _topic("article", body="<p>B</p>", languages=[_GERMAN]),
    "video topic": _topic("video", **_VIDEO),
    "video topic of an address": _topic("video", videoUrl=f"{JOBS}v.mp4"),
    "package topic": _topic("shareableContentObject", **_PACKAGE),
    "pdf topic": _topic("pdfViewer", pdfUrl=f"{JOBS}p.pdf"),
    "license": {
        "resource": "license", "key": "a", "client": "acme", "name": "N", "label": "L",
        "courses": ["other"], "learningPaths": [], "courseTags": ["Safety"],
        "replaceCourseIds": False, "replaceLearningPathIds": False, "replaceCourseTagIds": False,
        "sku": "LIC", "parentLicense": "above", "seatsLimit": 5, "accessDays": 30,
        "expirationDate": "2030-01-01", "enableBranding": True, "isDefault": False,
        **{f"ref{n}": f"R{n}" for n in range(1, 11)},
    },
    "criterion": {
        "resource": "completionCriterion", "key": "a", "course": "other",
        "type": "courseAssessmentPassed", "topic": "start/one/check",
    },
    "criterion of percent": {
        "resource": "completionCriterion", "key": "a", "course": "other",
        "type": "coursePercentViewed", "percent": 80,
    },
    "path": {
        "resource": "purchasePath", "key": "a", "course": "other", "label": "L",
        "target": _TARGET, "displayOrder": 1,
        "hidePrimaryCta": False,
    },
    "path to an item": {
        "resource": "purchasePath", "key": "a", "course": "other", "label": "L",
        "target": {"item": "7d1c0000-0000-4000-8000-000000000202"},
    },
    "client": {
        "resource": "client", "key": "a", "cloneOf": "golden", "name": "N", "slug": "n",
        "disabled": False, "sku": "CL-A", "seatsLimit": 5, "licenseEndDate": "2030-01-01",
        "customHost": "learn.a.example", "enableCustomEmailSettings": True,
        "enableContentDetailPage": True, "enableLicenseDashboards": True,
        "enableCreditPurchasing": True,
    },
    "assignment": {
        "resource": "licenseAssignment", "key": "a", "licenses": [_LEADERS],
        "users": [{"email": "amara.nwosu@brightwater.example", "externalCustomerId": "EXT-408"}],
        "enrollmentOptions": {"preserveEnrollments": True, "preserveProgress": True},
    },
}  # fmt: skip
"""Manifests with a value in every field, each with what its kind takes."""
ABOVE = """\
resource: license
key: above
client: acme
name: Above
courses: [other]
learningPaths: []
courseTags: []
"""


def _spots(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of each field; for a list, only of its first item."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield (*path, name)
            yield from _spots(inner, (*path, name))
    elif isinstance(value, list) and value:
        yield from _spots(value[0], (*path, 0))


SPOTS = [(name, path) for name, doc in DOCS.items() for path in _spots(doc)]
SAMPLE = [
    ("course", ("ribbon",)),
    ("course", ("showProgress",)),
    ("course", ("status",)),
    ("markdown", ("topics", 0, "markdown")),
    ("license", ("isDefault",)),
    ("path", ("displayOrder",)),
]
SLOW = [pytest.param(*spot, marks=pytest.mark.slow) for spot in SPOTS if spot not in SAMPLE]


def _named(value: Any) -> str:
    return value if isinstance(value, str) else ".".join(map(str, value))


def _with_null(name: str, path: tuple[Any, ...]) -> str:
    """The manifest with one value replaced by null."""
    doc = deepcopy(DOCS[name])
    here: Any = doc
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = None
    return write_yaml_document(doc)


def _refused_or_done(work: Workspace, text: str) -> bool:
    """True if `validate` refuses it, or an apply leaves only changes that a person makes."""
    work.write("a.yaml", text)
    if work.run("validate").code == Exit.INVALID:
        return True
    done = work.apply()
    for change in work.plan()["changes"]:
        assert change["manual"], change
        work.run("resolve", change["address"], "--done")
    return done.code == 0 and [] == work.plan()["changes"]


@pytest.fixture
def prepared(work: Workspace) -> Workspace:
    """A catalog with the resources that the manifests refer to."""
    work.write("other.yaml", COURSE.replace("KEY", "other"))
    work.write("above.yaml", ABOVE)
    return work


@pytest.mark.parametrize(("name", "path"), [*SAMPLE, *SLOW], ids=_named)
def test_null_from_the_beginning(prepared: Workspace, name: str, path: tuple[Any, ...]) -> None:
    """Null in the first manifest of a resource is refused or applied completely."""
    assert _refused_or_done(prepared, _with_null(name, path))


@pytest.mark.parametrize(("name", "path"), [*SAMPLE, *SLOW], ids=_named)
def test_null_later(prepared: Workspace, name: str, path: tuple[Any, ...]) -> None:
    """Null in place of a value that was applied is refused or applied completely."""
    assert _refused_or_done(prepared, write_yaml_document(DOCS[name]))
    assert _refused_or_done(prepared, _with_null(name, path))


def test_every_field_that_may_be_left_out_is_in_the_table() -> None:
    """Every optional field occurs in one of the manifests."""
    known = {step for _, path in SPOTS for step in path}
    optional = {field.name for field in all_fields() if field.kind and not field.required}
    elsewhere = {
        "sessions"
    }  # this instance has no list of them: tests/kinds/test_course_sessions.py
    assert {"bodyFile", "usersFile", "seconds"} | elsewhere == optional - known
