"""`field: null` in a manifest is refused by `validate`, or an apply leaves nothing to do."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from lmssync.catalog.manifests.schemas.field_descriptions import all_fields
from lmssync.catalog.manifests.yaml import load_yaml
from lmssync.catalog.manifests.yaml.yaml_writer import write_yaml_document
from lmssync.problems import only_errors
from tests import making
from tests.served_catalog import COURSE, Workspace

JOBS = "https://media.example/"
Doc = dict[str, Any]


def _course(**fields: Any) -> Doc:
    return {"resource": "course", "key": "KEY", "kind": "courseGroup", "title": "A"} | fields


def _topic(type_: str, **fields: Any) -> Doc:
    topic = {"id": "hello", "title": "Hello", "type": type_} | fields
    return _course(kind="microCourse", topics=[topic])


_LESSON = {"id": "one", "title": "One", "openType": "open", "topics": []}
_VARIANT = {
    "language": "en", "label": "English", "title": "T", "subtitle": "S", "body": "<p>B</p>",
    "copyright": "C", "externalUrl": "https://x.example", "externalUrlCallToAction": "More",
}  # fmt: skip
_GERMAN = _VARIANT | {"language": "de"}
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
    "text": _topic("text", body="<p>B</p>", preTextBlock="<p>b</p>", postTextBlock="<p>b</p>"),
    "course": _course(
        moved=[{"from": "course.KEY-before"}],
        lifecycle={"protect": False, "ignore": ["isbn"]},
        description="D", tags=["Safety"], authors=["Ann"], source="S", contentType="Course",
        ribbon="new", isbn="978-3-16-148410-0", publishDate="2027-01-31", asset=f"{JOBS}a.png",
        assetAltText="A", detailAsset=f"{JOBS}b.png", detailAssetAltText="B", metaTitle="M",
        metaDescription="M", customFields={"owner": "Ann"}, relatedCourses=["other"],
        status="draft", sku="SKU-KEY", priceInCents=100, freeWithRegistration=False,
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
    "markdown": _topic("text", markdown="B"),
    "quiz": _topic("quiz", attested=_ATTESTED),
    "article topic": _topic("article", body="<p>B</p>", languages=[_GERMAN]),
    "video topic": _topic("video", **_VIDEO),
    "video topic of an address": _topic("video", videoUrl=f"{JOBS}v.mp4"),
    "package topic": _topic("shareableContentObject", **_PACKAGE),
    "pdf topic": _topic("pdfViewer", pdfUrl=f"{JOBS}p.pdf"),
    "license": {
        "resource": "license", "key": "KEY", "client": "brightwater", "name": "N", "label": "L",
        "courses": ["other"], "learningPaths": [], "courseTags": ["Safety"],
        "replaceCourseIds": False, "replaceLearningPathIds": False, "replaceCourseTagIds": False,
        "sku": "LIC-KEY", "parentLicense": "above", "seatsLimit": 5, "accessDays": 30,
        "expirationDate": "2030-01-01", "enableBranding": True, "isDefault": False,
        **{f"ref{n}": f"R{n}" for n in range(1, 11)},
    },
    "criterion": {
        "resource": "completionCriterion", "key": "KEY", "course": "other",
        "type": "courseAssessmentPassed", "topic": "start/one/check",
    },
    "criterion of percent": {
        "resource": "completionCriterion", "key": "KEY", "course": "other",
        "type": "coursePercentViewed", "percent": 80,
    },
    "path": {
        "resource": "purchasePath", "key": "KEY", "course": "other", "label": "L",
        "target": _TARGET, "displayOrder": 1,
        "hidePrimaryCta": False,
    },
    "path to an item": {
        "resource": "purchasePath", "key": "KEY", "course": "other", "label": "L",
        "target": {"item": "7d1c0000-0000-4000-8000-000000000202"},
    },
    "client": {
        "resource": "client", "key": "KEY", "cloneOf": "golden", "name": "N", "slug": "KEY",
        "disabled": False, "sku": "CL-KEY", "seatsLimit": 5, "licenseEndDate": "2030-01-01",
        "customHost": "learn.KEY.example", "enableCustomEmailSettings": True,
        "enableContentDetailPage": True, "enableLicenseDashboards": True,
        "enableCreditPurchasing": True,
    },
    "assignment": {
        "resource": "licenseAssignment", "key": "KEY", "licenses": ["KEY"],
        "users": [{"email": "amara.nwosu@brightwater.example", "externalCustomerId": "EXT-408"}],
        "enrollmentOptions": {"preserveEnrollments": True, "preserveProgress": True},
    },
}  # fmt: skip
"""Manifests with a value in every field, with what its kind takes; KEY is another in each copy."""
LICENSE = """\
resource: license
key: KEY
client: brightwater
name: KEY
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


SPOTS = {name: list(_spots(doc)) for name, doc in DOCS.items()}


def _write(name: str, path: tuple[Any, ...], *, null: bool) -> str:
    """A manifest whose key names a field, with its value or with null."""
    doc = deepcopy(DOCS[name])
    here: Any = doc
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = None if null else here[path[-1]]
    beside = f"---\n{LICENSE}" if name == "assignment" else ""
    return (write_yaml_document(doc) + beside).replace("KEY", "-".join(map(str, path)).lower())


def _find_accepted(name: str) -> list[tuple[Any, ...]]:
    """The fields of a manifest in which null is not refused."""
    texts = {path: _write(name, path, null=True) for path in SPOTS[name]}
    read = {path: load_yaml(text.encode())[0] for path, text in texts.items()}
    return [path for path, data in read.items() if not only_errors(making.found(data)[1])]


@pytest.fixture
def prepared(work: Workspace) -> Workspace:
    """A catalog with the resources that the manifests refer to."""
    work.write("other.yaml", COURSE.replace("KEY", "other"))
    work.write("above.yaml", LICENSE.replace("KEY", "above"))
    return work


def _write_all(work: Workspace, name: str, *, null: bool) -> None:
    """A manifest for each field that may be null."""
    for number, path in enumerate(_find_accepted(name)):
        work.write(f"{number}.yaml", _write(name, path, null=null))


def _apply_all(work: Workspace) -> None:
    """An apply leaves only changes that a person makes, and nothing after these."""
    assert 0 == work.apply().code
    changes = work.plan()["changes"]
    assert [] == [change for change in changes if not change["manual"]]
    for change in changes:
        work.run("resolve", change["address"], "--done")
    assert [] == work.plan()["changes"]


@pytest.mark.parametrize("name", DOCS)
def test_null_from_the_beginning(prepared: Workspace, name: str) -> None:
    """Null in the first manifest of a resource is refused or applied completely."""
    _write_all(prepared, name, null=True)
    _apply_all(prepared)


@pytest.mark.parametrize("name", DOCS)
def test_null_later(prepared: Workspace, name: str) -> None:
    """Null in place of a value that was applied is refused or applied completely."""
    _write_all(prepared, name, null=False)
    _apply_all(prepared)
    _write_all(prepared, name, null=True)
    _apply_all(prepared)


def test_every_field_that_may_be_left_out_is_in_the_table() -> None:
    """Every optional field occurs in one of the manifests."""
    known = {step for paths in SPOTS.values() for path in paths for step in path}
    optional = {field.name for field in all_fields() if field.kind and not field.required}
    elsewhere = {
        "sessions"
    }  # this instance has no list of them: tests/kinds/test_course_sessions.py
    # `to` of a move needs the part that it names, whatever else is null.
    assert {"bodyFile", "usersFile", "seconds", "to"} | elsewhere == optional - known
