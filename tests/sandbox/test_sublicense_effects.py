"""What a change of licenses does to enrollments and to what learners left (spec 3)."""

import pytest

from lmssync.sandbox.seeds.demo_company import course_id

from .school import DELETE, KEEP, LEAVE, assigned, demo, enrollment, kept, person, records, user

UNKNOWN = "00000000-0000-4000-8000-000000000000"
EVERY = pytest.mark.parametrize("options", [KEEP, LEAVE, DELETE], ids=["keep", "leave", "delete"])


pytestmark = pytest.mark.usefixtures("school")


def feed(platform, kind):
    """Type and subject of the newest events of a feed about a person."""
    events = platform.call("event.list", kind=kind).json()["events"]
    return [(event["type"], event["notifiableId"], event["userDetail"]["id"]) for event in events]


def path_enrollments(platform, number):
    """Path, license number or None, status."""
    return [
        (row["learningPathId"], row["licenseId"] and int(row["licenseId"][-12:]), row["status"])
        for row in platform.dump("learningPathEnrollments")
        if row["userId"] == demo(number)
    ]


# Source-only content: reached through nothing but the licenses that are removed.


def test_true_true_makes_enrollments_direct(platform):
    """Access and progress are kept (spec 3 options.keep)."""
    before = kept(platform, 409, "waste")
    assigned(platform, user(409, remove=(612,)), options=KEEP)
    assert ("direct", None, "active") == enrollment(platform, 409, "waste")
    assert before == kept(platform, 409, "waste")


def test_false_true_takes_access_and_keeps_progress(platform):
    """Progress and completion history are kept (spec 3 options.access)."""
    before = kept(platform, 409, "waste")
    assigned(platform, user(409, remove=(612,)), options=LEAVE)
    assert "revoked" == enrollment(platform, 409, "waste")[2]
    assert (before, 100) == (kept(platform, 409, "waste"), before["progress"][0]["percent"])


def test_false_true_clears_courses_that_restart(platform):
    """Saved progress, attempts and submissions are cleared and the transcript completion entry is
    removed where progress restarts on re-enrollment.

    (spec 3 options.restart)
    """
    before = set(kept(platform, 420, "first-aid"))
    assigned(platform, user(420, remove=(622,)), options=LEAVE)
    assert {"progress", "transcripts", "attempts", "scormAttempts", "certificates"} == before
    assert {"certificates"} == set(kept(platform, 420, "first-aid"))


def test_courses_that_restart_are_not_cleared_while_access_stays(platform):
    """Only when access is lost (spec 3 options.restart)."""
    before = kept(platform, 420, "first-aid")
    assigned(platform, user(420, remove=(622,)), options=KEEP)
    assert before == kept(platform, 420, "first-aid")


@pytest.mark.parametrize(
    ("number", "license_", "course", "gone"),
    [
        (409, 612, "waste", {"progress", "attempts"}),
        (420, 622, "first-aid", {"progress", "attempts", "scormAttempts"}),
        (411, 613, "shift", {"progress", "submissions"}),
    ],
)
def test_false_false_deletes_what_was_left(platform, number, license_, course, gone):
    """Progress, quiz attempts, SCORM attempts and submissions are deleted; certificates and
    transcript completion records are not changed.

    (spec 3 options.delete, overlap.awards)
    """
    before = kept(platform, number, course)
    assigned(platform, user(number, remove=(license_,)), options=DELETE)
    after = kept(platform, number, course)
    assert gone == set(before) - set(after)
    assert {"transcripts", "certificates"} == set(after)
    assert all(before[kind] == after[kind] for kind in after)


def test_other_learners_keep_theirs(platform):
    """Only the users of the request are touched (spec 3)."""
    before = kept(platform, 413, "waste")
    assigned(platform, user(409, remove=(612,)), options=DELETE)
    assert ("license", 612, "active") == enrollment(platform, 413, "waste")
    assert before == kept(platform, 413, "waste")


def test_other_courses_of_the_learner_stay(platform):
    """Content of licenses that are not removed is not touched (spec 3)."""
    before = kept(platform, 420, "data")
    assigned(platform, user(420, remove=(622,)), options=DELETE)
    assert ("license", 621, "active") == enrollment(platform, 420, "data")
    assert before == kept(platform, 420, "data")


@pytest.mark.parametrize(
    ("options", "path", "course"),
    [
        (KEEP, (None, "active"), ("direct", None, "active")),
        (LEAVE, (602, "revoked"), ("learningPath", 602, "revoked")),
        (DELETE, (602, "revoked"), ("learningPath", 602, "revoked")),
    ],
)
def test_learning_paths_follow_their_courses(platform, options, path, course):
    """A learning path that only the license led to is kept as a direct one or lost (spec 3)."""
    assigned(platform, user(435, remove=(602,)), options=options)
    assert (demo(102), *path) == path_enrollments(platform, 435)[1]
    assert course == enrollment(platform, 435, "shift")


# Overlap: never removed or reset, only the license association changes.


@EVERY
def test_overlap_with_a_retained_license(platform, options):
    """611 goes, 612 leads to the course too (spec 3 overlap.license)."""
    before = kept(platform, 409, "safety")
    assigned(platform, user(409, remove=(611,)), options=options)
    assert ("license", 612, "active") == enrollment(platform, 409, "safety")
    assert before == kept(platform, 409, "safety") != {}


@EVERY
def test_overlap_with_an_added_license(platform, options):
    """612 goes, 611 comes and leads to the course too (spec 3 overlap.license)."""
    before = kept(platform, 414, "safety")
    assigned(platform, user(414, add=(611,), remove=(612,)), options=options)
    assert ("license", 611, "active") == enrollment(platform, 414, "safety")
    assert before == kept(platform, 414, "safety") != {}


@EVERY
def test_overlap_with_a_surviving_learning_path(platform, options):
    """The learner is in the path on another account than the license's (spec 3 overlap.path)."""
    own = next(
        row["id"]
        for row in platform.dump("learningPathEnrollments")
        if (row["userId"], row["learningPathId"]) == (demo(411), demo(102))
    )
    edit = {"list": "learningPathEnrollments", "id": own, "set": {"licenseId": None}}
    platform.control("edit", edit)
    before = kept(platform, 411, "shift")
    assigned(platform, user(411, remove=(613,)), options=options)
    assert ("learningPath", None, "active") == enrollment(platform, 411, "shift")
    assert before == kept(platform, 411, "shift") != {}


@EVERY
def test_learning_path_of_two_licenses_survives(platform, options):
    """It changes its license and keeps its courses (spec 3 overlap.path)."""
    fields = {"clientId": platform.client("brightwater"), "name": "Starters", "courseIds": []}
    paths = {"learningPathIds": [demo(101)], "courseTagIds": []}
    starters = platform.call("license.create", {**fields, **paths}).json()["id"]
    entry = {**user(408, remove=(611,)), "licenseIdsToAdd": [starters]}
    assigned(platform, entry, options=options)
    (path,) = [
        row for row in platform.dump("learningPathEnrollments") if row["userId"] == demo(408)
    ]
    (course,) = records(platform, "enrollments", 408, "welcome")
    assert {(starters, "active")} == {(row["licenseId"], row["status"]) for row in (path, course)}


def test_only_what_overlaps_is_spared(platform):
    """Access that does not overlap is lost in the same change (spec 3)."""
    assigned(platform, user(414, add=(611,), remove=(612,)), options=DELETE)
    assert "revoked" == enrollment(platform, 414, "waste")[2]
    assert ["certificates", "transcripts"] == sorted(kept(platform, 414, "waste"))


@EVERY
def test_enrollment_that_is_there_twice_keeps_the_other(platform, options):
    """A course with an enrollment on another account loses the license's one alone (spec 3)."""
    row = {"userId": demo(409), "courseId": course_id("waste"), "status": "active"}
    direct = {"source": "direct", "licenseId": None, "learningPathId": None}
    platform.control("edit", {"list": "enrollments", "add": {**row, **direct}})
    before = kept(platform, 409, "waste")
    assigned(platform, user(409, remove=(612,)), options=options)
    (left,) = records(platform, "enrollments", 409, "waste")
    assert ("direct", "active") == (left["source"], left["status"])
    assert before == kept(platform, 409, "waste")


# Never affected.


@EVERY
@pytest.mark.parametrize(
    ("number", "course", "source"),
    [(419, "welcome", "direct"), (408, "waste", "bundle"), (429, "welcome", "purchase")],
)
def test_other_sources_are_never_affected(platform, options, number, course, source):
    """Direct purchases, bundle access and enrollments without a license association: a license
    that leads to the same course comes and goes.

    (spec 3 overlap.direct)
    """
    client = person(platform, number)["clientId"]
    fields = {"clientId": client, "name": "For a while", "learningPathIds": [], "courseTagIds": []}
    made = platform.call("license.create", {**fields, "courseIds": [course_id(course)]}).json()[
        "id"
    ]
    before = kept(platform, number, course)
    assigned(platform, {"id": demo(number), "licenseIdsToAdd": [made]})
    assigned(platform, {"id": demo(number), "licenseIdsToRemove": [made]}, options=options)
    assert (source, None, "active") == enrollment(platform, number, course)
    assert before == kept(platform, number, course) != {}


@EVERY
@pytest.mark.parametrize(
    ("bought", "source"),
    [
        ({"purchasedCourses": [{"courseId": course_id("waste"), "status": "active"}]}, "purchase"),
        ({"purchasedBundles": [{"bundleId": demo(201)}]}, "bundle"),
    ],
)
def test_what_was_bought_besides_stays(platform, options, bought, source):
    """A license goes, and the learner had bought the course too (spec 3 overlap.direct)."""
    platform.control("edit", {"list": "users", "id": demo(409), "set": bought})
    before = kept(platform, 409, "waste")
    assigned(platform, user(409, remove=(612,)), options=options)
    assert (source, None, "active") == enrollment(platform, 409, "waste")
    assert before == kept(platform, 409, "waste")


# Grants.


def test_license_enrolls_in_its_courses(platform):
    """Those it names, those of its tags, those of its learning paths (spec 2.5)."""
    fields = {"clientId": platform.client("acme"), "name": "Acme, all"}
    content = {
        "courseIds": [course_id("data")],
        "courseTagIds": [platform.tag("Sustainability")],
        "learningPathIds": [demo(102)],
    }
    made = platform.call("license.create", {**fields, **content}).json()["id"]
    assigned(platform, {"id": demo(430), "licenseIdsToAdd": [made]})
    rows = [row for row in platform.dump("enrollments") if row["userId"] == demo(430)]
    assert {
        course_id("data"): ("license", None),
        course_id("waste"): ("license", None),
        course_id("shift"): ("learningPath", demo(102)),
    } == {row["courseId"]: (row["source"], row["learningPathId"]) for row in rows}


def test_courses_that_came_later_belong_to_the_license(platform):
    """A course tagged after the learner got the license is kept like the others (spec 3)."""
    later = platform.course(tagIds=[platform.tag("Sustainability")])
    assigned(platform, user(409, remove=(612,)), options=KEEP)
    (row,) = [row for row in platform.dump("enrollments") if row["courseId"] == later]
    assert ("direct", None, demo(409)) == (row["source"], row["licenseId"], row["userId"])


def test_license_that_comes_back_finds_the_progress(platform):
    """A new enrollment continues with the old progress (spec 3)."""
    before = kept(platform, 409, "waste")
    assigned(platform, user(409, remove=(612,)), options=LEAVE)
    assigned(platform, user(409, add=(612,)))
    assert ("license", 612, "active") == enrollment(platform, 409, "waste")
    assert before == kept(platform, 409, "waste")


# Events: which are emitted is not stated (spec 6).


def test_enrollments_are_told(platform):
    """Enrollments in courses and learning paths emit events (spec 6; not shown)."""
    assigned(platform, user(410, add=(613,)))
    told = ("enrolled", course_id("shift"), demo(410))
    assert told == feed(platform, "courseAction")[0] == feed(platform, "courseEnrollment")[0]
    assert ("enrolled", demo(102), demo(410)) == feed(platform, "learningPathEnrollment")[0]


def test_lost_access_is_told(platform):
    """Lost access to courses and learning paths emits events (spec 6; not shown)."""
    assigned(platform, user(411, remove=(613,)), options=LEAVE)
    assert ("accessRevoked", course_id("shift"), demo(411)) == feed(platform, "courseAction")[0]
    assert ("accessRevoked", demo(102), demo(411)) == feed(platform, "learningPathAction")[0]


def test_what_is_kept_is_not_told(platform):
    """An enrollment that only changes its license has no event (spec 6; not shown)."""
    before = feed(platform, "courseAction")
    assigned(platform, user(409, remove=(611, 612)), options=KEEP)
    assert before == feed(platform, "courseAction")
