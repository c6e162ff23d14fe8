"""External activity on learning paths and assignments (spec 3, 4)."""

import pytest

from lmssync.sandbox.seeds.demo_company import topic_id

from .school import DELETE, assigned, demo, jwt, person, records, user

UNKNOWN = "00000000-0000-4000-8000-000000000000"
PATH = {"userId": demo(408), "learningPathId": demo(102)}
DAY = "2026-01-31T12:00:00.000Z"
REPORT = topic_id("shift", "assignment")
DONE = {"status": "completed", "assignmentId": REPORT, "learnerId": demo(411)}


pytestmark = pytest.mark.usefixtures("school")


def told(platform, kind):
    return platform.call("event.list", kind=kind).json()["events"][0]


def path_status(platform, number, path):
    """The status of a learning path in a profile, or None."""
    paths = platform.call("user.read", id=demo(number)).json()["allocatedLearningPaths"]
    return {one["learningPathId"]: one["status"] for one in paths}.get(demo(path))


def act(platform, **fields):
    return platform.call("activity.learningPath", {**PATH, **fields})


def hand_in(platform, **fields):
    return platform.call("activity.assignment", {**DONE, **fields})


def submission(platform):
    return records(platform, "submissions", 411, "shift")


@pytest.mark.parametrize("name", ["activity.learningPath", "activity.assignment"])
def test_feature_that_is_off_is_400(platform, name):
    """Without externalActivity an errors list says that the feature is not enabled.

    (spec 4 pathActivity.feature, assignmentActivity.feature)
    """
    platform.control("features", {"externalActivity": False})
    body = PATH if name == "activity.learningPath" else DONE
    errors = platform.errors(platform.call(name, body))
    assert ["The external activity feature is not enabled"] == errors


# Learning paths.


def test_path_activity_answers_200_with_an_empty_body(platform):
    """Success (spec 1 activity; spec 4 pathActivity.success; spec 7 success)."""
    response = act(platform)
    assert (200, b"") == (response.status_code, response.content)


@pytest.mark.parametrize("status", ["not-started", "completed", "started", "not-completed"])
def test_path_status_is_set_directly(platform, status):
    """To any of the four values, whatever it was (spec 3 activity)."""
    act(platform, status="started")
    assert 200 == act(platform, status=status).status_code
    assert status == path_status(platform, 408, 102)


def test_path_status_is_completed_by_default(platform):
    """`status` may be left out and is then completed (spec 4 pathActivity.body)."""
    act(platform)
    assert "completed" == path_status(platform, 408, 102)


def test_path_activity_keeps_its_date(platform):
    """completionDate with completed, timeStampDate with the others (spec 4)."""
    act(platform, completionDate=DAY)
    first = platform.dump("learningPathActivities")
    act(platform, status="started", timeStampDate="2026-02-01")
    second = platform.dump("learningPathActivities")
    dates = [[one["at"] for one in seen] for seen in (first, second)]
    assert [[DAY], ["2026-02-01T00:00:00.000Z"]] == dates


def test_path_activity_is_told(platform):
    """An activity on a path emits a learningPathAction (spec 6; not shown)."""
    act(platform, status="not-completed")
    event = told(platform, "learningPathAction")
    assert (demo(102), "not-completed", demo(408)) == (
        event["notifiableId"],
        event["status"],
        event["userDetail"]["id"],
    )


@pytest.mark.parametrize(
    ("fields", "start"),
    [
        ({"status": "started", "completionDate": DAY}, "completionDate: can only be given"),
        ({"status": "done"}, 'status: "done" is not accepted'),
        ({"status": "completed", "timeStampDate": DAY}, "timeStampDate: cannot be given"),
        ({"timeStampDate": DAY}, "timeStampDate: cannot be given"),
        ({"completionDate": "31.1.2026"}, 'completionDate: is "31.1.2026"; it must be a date'),
        ({"status": "started", "timeStampDate": "x"}, 'timeStampDate: is "x"; it must be a date'),
        ({"userId": UNKNOWN}, "userId: "),
        ({"userId": None}, "userId: is required"),
        ({"learningPathId": UNKNOWN}, "learningPathId: "),
        ({"learningPathId": None}, "learningPathId: is required"),
        ({"progress": 5}, "progress: not a field here"),
    ],
)
def test_path_activity_that_is_wrong(platform, fields, start):
    """400 with errors: the five kinds of messages, and ids that mean nothing.

    (spec 4 pathActivity.completionDate, pathActivity.status, pathActivity.timeStampDate,
    pathActivity.body; spec 7 A)
    """
    (error,) = platform.errors(act(platform, **fields))
    assert error.startswith(start)


def test_all_that_is_wrong_is_told_at_once(platform):
    """The answer lists every error in `errors` (spec 4)."""
    response = act(platform, status="x", completionDate="y", userId=UNKNOWN)
    assert 4 == len(platform.errors(response))


def test_refused_path_activity_changes_nothing(platform):
    """A refused activity does not change the status (spec 4)."""
    act(platform, completionDate="x")
    assert None is path_status(platform, 408, 102)


def test_users_outside_the_scope_are_unknown(platform):
    """A client-scoped key records for users of its clients (spec 4, 5)."""
    scope = {"scope": "client", "clientIds": [platform.client("hillside")]}
    platform.key = platform.control("keys", scope)["key"]
    assert [400, 200, 400] == [
        act(platform).status_code,
        act(platform, userId=demo(420)).status_code,
        hand_in(platform).status_code,
    ]


# Assignments.


@pytest.mark.parametrize(
    ("fields", "location"),
    [
        ({}, "/learn"),
        ({"returnUrl": "/courses/5?from=tool#end"}, "/courses/5?from=tool#end"),
        ({"returnUrl": "courses/5"}, "courses/5"),
        ({"returnUrl": "/kurs/größe"}, "/kurs/gr%C3%B6%C3%9Fe"),
    ],
)
def test_assignment_activity_redirects(platform, fields, location):
    """302 to returnUrl, or to /learn where none is given; no body.

    (spec 1 activity; spec 4 assignmentActivity.redirect; spec 7 success)
    """
    response = hand_in(platform, **fields)
    assert (302, location, b"") == (
        response.status_code,
        response.headers["location"],
        response.content,
    )


@pytest.mark.parametrize("status", ["completed", "incomplete"])
def test_submission_is_recorded(platform, status):
    """A submission keeps its status, grade and feedback (spec 4)."""
    hand_in(platform, status=status, grade=87.5, gradeFeedback="Well done")
    (kept,) = submission(platform)
    assert (status, 87.5, "Well done", REPORT) == (
        kept["status"],
        kept["grade"],
        kept["gradeFeedback"],
        kept["assignmentId"],
    )


def test_second_submission_takes_the_place_of_the_first(platform):
    """One for a learner and an assignment (spec 4; not shown)."""
    for grade in (1, 2):
        hand_in(platform, grade=grade)
    assert [2] == [one["grade"] for one in submission(platform)]


def test_submission_is_told(platform):
    """A submission emits an assignmentSubmission (spec 6; not shown)."""
    hand_in(platform, grade=5)
    event = told(platform, "assignmentSubmission")
    assert (REPORT, 5, demo(411)) == (
        event["assignmentId"],
        event["grade"],
        event["userDetail"]["id"],
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/x", "//evil.example", "/\\evil.example", "\\\\evil.example",
        "javascript:alert(1)", " /learn", "/learn\r\nSet-Cookie: a=b", "///evil.example", "", 5,
        "http:/x", "/\tevil",
    ],
)  # fmt: skip
def test_return_url_is_relative(platform, url):
    """What leads elsewhere is refused (spec 4 assignmentActivity.body)."""
    (error,) = platform.errors(hand_in(platform, returnUrl=url))
    assert error.startswith("returnUrl: ")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("assignmentId", UNKNOWN),
        ("assignmentId", "x"),
        ("assignmentId", None),
        ("assignmentId", topic_id("shift", "text")),
        ("learnerId", UNKNOWN),
        ("learnerId", "x"),
        ("learnerId", None),
        ("status", "started"),
        ("status", None),
        ("grade", "1"),
        ("grade", True),
        ("gradeFeedback", 1),
        ("points", 1),
    ],
)
def test_assignment_activity_that_is_wrong(platform, field, value):
    """A bad assignmentId or learnerId, and values that do not fit: 400 with errors.

    (spec 4 assignmentActivity.ids, assignmentActivity.body; spec 7 A)
    """
    (error,) = platform.errors(hand_in(platform, **{field: value}))
    assert error.startswith(f"{field}: ")


def disable(platform):
    platform.control("edit", {"list": "users", "id": demo(411), "set": {"disabled": True}})


def shut_out(platform):
    assigned(platform, user(411, remove=(613,)), options=DELETE)


@pytest.mark.parametrize("spoil", [disable, shut_out])
def test_recording_that_fails(platform, spoil):
    """400 with valid false, errors and no submission (spec 4 assignmentActivity.failed)."""
    spoil(platform)
    before = submission(platform)
    response = hand_in(platform, grade=1)
    body = response.json()
    assert (400, False, 1, None) == (
        response.status_code,
        body["valid"],
        len(body["errors"]),
        body["assignmentSubmission"],
    )
    assert before == submission(platform)


def test_attributes_in_a_signed_jwt(platform):
    """They may be carried in the jwt query parameter instead (spec 4 assignmentActivity.jwt)."""
    claims = {**DONE, "grade": 77, "returnUrl": "/back", "iss": "a tool"}
    query = {"jwt": jwt(claims, platform.key)}
    response = platform.http.post("/incoming/v2/assignmentExternalActivity", params=query)
    assert (302, "/back") == (response.status_code, response.headers["location"])
    assert [77] == [one["grade"] for one in submission(platform)]


def test_token_may_authenticate_alone(platform):
    """Then the body has the attributes (spec 4, 5)."""
    query = {"jwt": jwt({"iss": "a tool"}, platform.key)}
    address = "/incoming/v2/assignmentExternalActivity"
    response = platform.http.post(address, params=query, json={**DONE, "grade": 12})
    assert (302, [12]) == (response.status_code, [one["grade"] for one in submission(platform)])


def test_signed_attributes_win(platform):
    """A body beside the token cannot change what was signed (spec 4; not shown)."""
    query = {"jwt": jwt({**DONE, "grade": 10}, platform.key)}
    platform.call("activity.assignment", {"grade": 100}, query=query)
    assert [10] == [one["grade"] for one in submission(platform)]


@pytest.mark.parametrize(
    ("claims", "secret"), [(DONE, "another"), ({**DONE, "exp": 1_000_000_000}, None)]
)
def test_token_that_is_not_good(platform, claims, secret):
    """Signed by somebody else or expired: 401, whatever the header says (spec 5 401)."""
    query = {"jwt": jwt(claims, secret or platform.key)}
    assert 401 == platform.call("activity.assignment", {}, query=query).status_code


def test_status_of_a_path_is_seen_in_the_profile_once(platform):
    """A path that a license gave is not listed twice (spec 2.4)."""
    act(platform, learningPathId=demo(101), status="started")
    paths = [one["learningPathId"] for one in person(platform, 408)["allocatedLearningPaths"]]
    assert 1 == paths.count(demo(101))
