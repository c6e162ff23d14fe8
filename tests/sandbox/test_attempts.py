"""Forgiving assessment attempts, and the order that makes them (spec 2.6, 3, 4)."""

import pytest

from lmssync.sandbox.seeds.demo_company import course_id, topic_id

from .school import demo

UNKNOWN = "00000000-0000-4000-8000-000000000000"
QUIZ = topic_id("safety", "quiz")
FAILED = {"userId": demo(408), "assessmentId": QUIZ, "grade": 40, "passed": False}


pytestmark = pytest.mark.usefixtures("school")


def made(platform, **fields):
    (attempt,) = platform.control("attempts", {**FAILED, **fields})["attempts"]
    return attempt


def forgive(platform, id_, body=None):
    return platform.call("attempt.forgive", body, id=id_)


def test_forgiven_attempt_is_passed_and_keeps_its_grade(platform):
    """passed and forgiven become true, the grade stays.

    (spec 1 activity; spec 3 forgiven; spec 4 forgive)
    """
    attempt = made(platform)
    response = forgive(platform, attempt["id"])
    assert (200, {**attempt, "passed": True, "forgiven": True}) == (
        response.status_code,
        response.json(),
    )


def test_attempt_has_every_field(platform):
    """User, course and assessment as they are shown in an attempt (spec 2.6 attempt)."""
    answer = forgive(platform, made(platform)["id"]).json()
    assert {
        "id": answer["id"],
        "user": {
            "id": demo(408),
            "email": "amara.nwosu@brightwater.example",
            "firstName": "Amara",
            "lastName": "Nwosu",
            "externalCustomerId": "EXT-408",
        },
        "course": {"id": course_id("safety"), "title": "Safety basics"},
        "assessment": {"id": QUIZ, "type": "quiz", "title": "Check: Safety basics"},
        "grade": 40,
        "passed": True,
        "forgiven": True,
    } == answer


def test_forgiving_twice_is_forgiving_once(platform):
    """The second answer is the first, and one event tells of it (spec 4)."""
    id_ = made(platform)["id"]
    answers = [forgive(platform, id_).json() for _ in range(2)]
    events = platform.call("event.list", kind="quizAttempt").json()["events"]
    assert answers[0] == answers[1]
    assert [True, False] == [one["forgiven"] for one in events if one["attemptId"] == id_]


def test_passed_attempt_can_be_forgiven(platform):
    """It is marked forgiven and stays passed (spec 4; not shown)."""
    answer = forgive(platform, made(platform, passed=True, grade=90)["id"]).json()
    assert (True, True, 90) == (answer["passed"], answer["forgiven"], answer["grade"])


@pytest.mark.parametrize("id_", [UNKNOWN, "x", QUIZ])
def test_unknown_attempt_is_404(platform, id_):
    """An unknown attempt is a 404 in the general envelope (spec 7 404)."""
    response = forgive(platform, id_)
    assert (404, 1) == (response.status_code, len(response.json()["errors"]))


def test_body_is_an_empty_object(platform):
    """A body with any field is refused (spec 4 forgive)."""
    id_ = made(platform)["id"]
    assert 1 == len(platform.errors(forgive(platform, id_, {"grade": 100})))


def test_attempt_outside_the_scope_is_404(platform):
    """A client-scoped key forgives users of its clients (spec 4, 5)."""
    id_ = made(platform)["id"]
    scope = {"scope": "client", "clientIds": [platform.client("hillside")]}
    platform.key = platform.control("keys", scope)["key"]
    assert 404 == forgive(platform, id_).status_code


def test_attempts_are_told(platform):
    """An attempt emits a quizAttempt (spec 6; not shown)."""
    attempt = made(platform)
    event = platform.call("event.list", kind="quizAttempt").json()["events"][0]
    assert (attempt["id"], course_id("safety"), 40, demo(408)) == (
        event["attemptId"],
        event["notifiableId"],
        event["grade"],
        event["userDetail"]["id"],
    )


def test_many_attempts_in_one_order(platform):
    """Several attempts of one order are added in order, with ids (spec 2.6)."""
    entries = [{**FAILED, "grade": grade, "courseId": course_id("safety")} for grade in (1, 2)]
    attempts = platform.control("attempts", {"attempts": entries})["attempts"]
    assert [1, 2] == [one["grade"] for one in attempts]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("userId", UNKNOWN),
        ("assessmentId", UNKNOWN),
        ("assessmentId", topic_id("safety", "text")),
        ("courseId", course_id("waste")),
        ("grade", "x"),
        ("passed", None),
        ("score", 1),
    ],
)
def test_bad_attempt_makes_none(platform, field, value):
    """If one attempt is wrong none is added, and the field is named (spec 2.6)."""
    before = len(platform.dump("attempts"))
    body = {"attempts": [FAILED, {**FAILED, field: value}]}
    response = platform.http.post("/_sandbox/attempts", json=body)
    assert f"attempts[1].{field}: " in platform.errors(response)[0]
    assert before == len(platform.dump("attempts"))


def test_school_comes_once(platform):
    """The school is added once and needs the demo company (spec 3)."""
    again = platform.http.post("/_sandbox/school", json={})
    platform.control("reset", {"seed": {"company": "Empty"}})
    alone = platform.http.post("/_sandbox/school", json={})
    assert [
        "the school already exists; reset the sandbox before you add it again"
    ] == platform.errors(again)
    assert ["the school needs the demo company; reset without a seed first"] == platform.errors(
        alone
    )


def test_certificates_of_the_school_are_told(platform):
    """Each stands in its own feed and among the courseActions (spec 6)."""
    made = {one["id"] for one in platform.dump("certificates")}
    told = platform.call("event.list", kind="courseCertificate").json()["events"]
    actions = [one["type"] for one in platform.dump("events") if one["kind"] == "courseAction"]
    assert made
    assert made == {one["certificateId"] for one in told}
    assert len(made) == actions.count("certificateGranted")


def test_school_is_consistent_with_the_licenses(platform):
    """Whoever is enrolled through a license holds it, and each holder is (spec 2.4, 3)."""
    users = platform.dump("users")
    held = {(one["id"], item["licenseId"]) for one in users for item in one["allocatedLicenses"]}
    rows = [row for row in platform.dump("enrollments") if row["licenseId"]]
    assert {(row["userId"], row["licenseId"]) for row in rows} <= held
    assert {user_id for user_id, _ in held} == {row["userId"] for row in rows}
