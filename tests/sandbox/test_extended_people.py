"""Users, attempts, meetings, coupons, activity on courses: the extended profile (O51, O54, O55)."""

import pytest

from .. import patient_http

UNKNOWN = "00000000-0000-4000-8000-000000000000"
SAM = {"email": "Sam.Reed@new.example", "firstName": "Sam", "lastName": "Reed"}
QUIZ = {"title": "Check", "type": "quiz"}


def walk(platform, name, key):
    """Everything that a list by cursor holds, two a page."""
    platform.control("switches", {"pageSize": 2})
    found, cursor = [], ""
    while cursor is not None:
        answer = platform.call(name, query={"cursor": cursor} if cursor else None).json()
        found += answer[key]
        cursor = answer["pageInfo"]["cursor"]
    return found


def scoped(platform, client):
    """Take a key of scope `client`."""
    wish = {"scope": "client", "clientIds": [client]}
    platform.key = platform.control("keys", wish)["key"]


def created(platform, **fields):
    return platform.answer("user.create", {**SAM, **fields})


def test_users_are_walked_by_cursor(platform):
    """The list shows every account once and in full (O51; spec 2.4)."""
    users = walk(platform, "user.list", "users")
    assert sorted(user["id"] for user in platform.dump("users")) == sorted(u["id"] for u in users)
    assert platform.call("user.read", id=users[0]["id"]).json() == users[0]


def test_a_key_of_a_client_lists_its_users(platform):
    """A key of a client lists only the users of its clients (O51)."""
    client = platform.client("acme")
    scoped(platform, client)
    users = platform.call("user.list").json()["users"]
    assert {client} == {user["clientId"] for user in users}


def test_a_user_is_created(platform):
    """With the five fields that clients send; the answer is the profile (O51)."""
    user = created(platform, externalCustomerId="E-9", sendInvite=True)
    assert ("Sam", "Reed", "E-9", "student", False) == tuple(
        user[name]
        for name in ("firstName", "lastName", "externalCustomerId", "roleKey", "disabled")
    )
    assert user == platform.call("user.read", id=user["id"]).json()
    assert user == platform.call("user.read", id="sam.reed@new.example").json()


def test_an_address_is_taken_once(platform):
    """409 for a duplicate, whatever the case, on create and on change (O51; spec 7)."""
    created(platform)
    second = created(platform, email="other@new.example")
    again = platform.call("user.create", {"email": SAM["email"].upper()})
    moved = platform.call("user.change", {"email": SAM["email"]}, id=second["id"])
    assert [409, 409] == [again.status_code, moved.status_code]
    assert (
        200 == platform.call("user.change", {"email": "O@new.example"}, id=second["id"]).status_code
    )


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, "email: is required"),
        ({"email": "nobody"}, 'email: is "nobody"; it must be an e-mail address'),
        ({"email": "a@b.example", "clientId": UNKNOWN}, f'clientId: "{UNKNOWN}" is not a client'),
        ({"email": "a@b.example", "sendInvite": "yes"}, "sendInvite: "),
        ({"email": "a@b.example", "colour": "red"}, "colour: not a field here"),
    ],
)
def test_users_that_cannot_be(platform, body, error):
    """A bad user is a 400 that names the field (O51)."""
    (said,) = platform.errors(platform.call("user.create", body))
    assert said.startswith(error)


def test_a_change_is_partial(platform):
    """What is absent stays, null clears, and the answer is the whole user (O51)."""
    user = created(platform, externalCustomerId="E-9")
    change = {"firstName": "Samuel", "externalCustomerId": None, "disabled": True}
    answer = platform.call("user.change", change, id=user["id"]).json()
    assert {**user, **change} == answer
    assert answer == platform.call("user.read", id=user["id"]).json()


def test_an_address_that_two_share_may_stay(platform):
    """An account keeps its address where it is sent again, whoever else has it (O51)."""
    emails = [user["email"] for user in platform.dump("users")]
    shared = next(user for user in platform.dump("users") if emails.count(user["email"]) > 1)
    change = {"email": shared["email"], "lastName": "New"}
    assert 200 == platform.call("user.change", change, id=shared["id"]).status_code


def test_a_change_of_nobody(platform):
    """Changing an unknown user is a 404 (O51)."""
    assert 404 == platform.call("user.change", {"firstName": "A"}, id=UNKNOWN).status_code


def test_what_a_user_cannot_be_without(platform):
    """The e-mail address and other required fields cannot be cleared (O51)."""
    user = created(platform)
    said = platform.errors(platform.call("user.change", {"email": None}, id=user["id"]))
    assert ["email: cannot be cleared"] == said


@pytest.mark.parametrize(("name", "path"), [("user.create", {}), ("user.change", {"id": UNKNOWN})])
def test_users_are_changed_by_permission(platform, name, path):
    """Changing a user needs `users.edit` (O51; spec 5 permissions)."""
    platform.key = platform.control("keys", {"permissions": ["courses.edit"]})["key"]
    assert 403 == platform.call(name, SAM, **path).status_code


def test_a_key_of_a_client_creates_there_alone(platform):
    """A key of a client creates users only in its clients (O51)."""
    other, client = platform.client("golden"), platform.client("acme")
    scoped(platform, client)
    answers = [platform.call("user.create", {**SAM, "clientId": id_}) for id_ in (None, other)]
    assert [403, 403] == [answer.status_code for answer in answers]
    assert client == created(platform, clientId=client)["clientId"]


def test_user_writes_count_against_their_tier(platform):
    """The user tier binds create and update (spec 8 tiers.user; O51)."""
    answer = platform.call("user.create", SAM)
    change = platform.call("user.change", {"firstName": "A"}, id=answer.json()["id"])
    assert ["19", "18"] == [one.headers["X-RateLimit-Remaining"] for one in (answer, change)]


@pytest.fixture
def attempt(platform, tree):
    """An attempt at a quiz, and who made it."""
    course = platform.course(sections=tree(QUIZ))
    topic = platform.read(course)["sections"][0]["lessons"][0]["topics"][0]["id"]
    user = next(one for one in platform.dump("users") if one["clientId"])
    made = {"userId": user["id"], "courseId": course, "assessmentId": topic}
    made |= {"grade": 10, "passed": False}
    platform.control("attempts", {"attempts": [made, {**made, "grade": 90, "passed": True}]})
    return user


def test_attempts_are_listed(platform, attempt):
    """The record, with what was measured (O54; spec 2.6)."""
    found = walk(platform, "attempt.list", "assessmentAttempts")
    assert [(10, False), (90, True)] == sorted((one["grade"], one["passed"]) for one in found)
    assert ("completed", None, [], attempt["email"]) == (
        found[0]["status"],
        found[0]["timeElapsedInSeconds"],
        found[0]["answers"],
        found[0]["user"]["email"],
    )


def test_a_key_of_a_client_lists_the_attempts_of_its_learners(platform, attempt):
    """A key of a client lists only the attempts of its learners (O54)."""
    clients = [one["id"] for one in platform.dump("clients")]
    other = next(id_ for id_ in clients if id_ != attempt["clientId"])
    seen = []
    for client in (attempt["clientId"], other):
        scoped(platform, client)
        seen.append(len(platform.call("attempt.list").json()["assessmentAttempts"]))
    assert [2, 0] == seen


@pytest.mark.parametrize(
    ("name", "list_"), [("meeting.list", "meetings"), ("coupon.list", "coupons")]
)
def test_meetings_and_coupons_are_listed(platform, name, list_):
    """Following the cursor shows every meeting and coupon once (O54)."""
    held = platform.dump(list_)
    assert held
    assert sorted(one["id"] for one in held) == sorted(
        one["id"] for one in walk(platform, name, list_)
    )


def test_meetings_have_their_tier(platform):
    """The meeting tier binds meeting routes (spec 8 tiers; O54)."""
    assert "40" == platform.call("meeting.list").headers["X-RateLimit-Limit"]


def completed(platform, course, email):
    return platform.call("activity.course", {"courseId": course, "userEmail": email})


def test_activity_completes_a_course(platform):
    """Progress and the event of a completion, once (O55)."""
    course, user = platform.course(), platform.dump("users")[-1]
    for _ in range(2):
        answer = completed(platform, course, user["email"].upper())
        assert (200, b"") == (answer.status_code, answer.content)
    rows = [row for row in platform.dump("progress") if row["courseId"] == course]
    assert [(user["id"], 100)] == [(row["userId"], row["percent"]) for row in rows]
    events = platform.call(
        "event.list", kind="courseCompletion", query={"notifiableId": course}
    ).json()["events"]
    assert [(user["email"], "external")] == [(one["user"], one["source"]) for one in events]


def test_activity_of_nobody(platform):
    """400 names what is wrong; the id of a group is told apart (O30, O55)."""
    course = platform.course()
    group = platform.read(course)["courseGroupId"]
    email = platform.dump("users")[0]["email"]
    assert platform.errors(completed(platform, course, "nobody@x.example")) == [
        'userEmail: "nobody@x.example" is not a user of this company'
    ]
    assert platform.errors(completed(platform, group, email)) == [
        f'courseId: "{group}" is not a course of this company (it is the id of a course group)'
    ]


def test_activity_needs_its_feature(platform):
    """Activity on a course needs its feature, like the other two activities (O55)."""
    platform.control("features", {"externalActivity": False})
    course, user = platform.course(), platform.dump("users")[0]
    assert 400 == completed(platform, course, user["email"]).status_code


def test_a_plain_client_walks_the_users(platform):
    """A stranger's loop: follow the cursor until there is no more (O51)."""
    headers = {"Authorization": f"Bearer {platform.key}"}
    platform.control("switches", {"pageSize": 10})
    emails, params = [], {}
    while True:
        url = f"{platform.ready['baseUrl']}/incoming/v2/users"
        page = patient_http.get(url, params=params, headers=headers).json()
        emails += [user["email"] for user in page["users"]]
        if not page["pageInfo"]["hasMore"]:
            break
        params = {"cursor": page["pageInfo"]["cursor"]}
    assert len(platform.dump("users")) == len(emails)
