"""User writes that give access, roles and statuses: the extended profile (O58 to O61, O64)."""

import pytest

from .school import demo, licenses, person

UNKNOWN = "00000000-0000-4000-8000-000000000000"
SAM = {"email": "sam.reed@new.example", "firstName": "Sam", "lastName": "Reed"}
OF_BRIGHTWATER = {**SAM, "clientSku": "CL-BRIGHTWATER"}


def access(platform, user):
    """Courses that a user is enrolled in, with the source of each enrollment."""
    rows = [row for row in platform.dump("enrollments") if row["userId"] == user["id"]]
    return {row["courseId"]: row["source"] for row in rows if row["status"] == "active"}


def clients_with_licenses(platform):
    return [one["clientId"] for one in platform.dump("licenses")]


def held(user):
    return [one["licenseId"] for one in user["allocatedLicenses"]]


def test_a_user_is_put_into_a_client_by_its_sku(platform):
    """`clientSku` names the client, `role` the role; others are refused (O58)."""
    user = platform.answer("user.create", {**OF_BRIGHTWATER, "role": "customer-admin"})
    assert platform.client("brightwater") == user["clientId"]
    assert "customer-admin" == user["roleKey"]
    wrong = {**SAM, "email": "b@new.example"}
    for field in ("clientSku", "role"):
        (error,) = platform.errors(platform.call("user.create", {**wrong, field: "none"}))
        assert error.startswith(f"{field}: ")


def test_an_account_is_made_or_changed(platform):
    """With `upsert` a second create changes the account that has the address (O58)."""
    made = platform.answer("user.create", {**SAM, "upsert": True})
    again = platform.answer("user.create", {**SAM, "lastName": "Read", "upsert": True})
    assert {**made, "lastName": "Read"} == again


def test_courses_come_with_an_account(platform):
    """By id and by slug, directly; with `replaceCourseAccess` the others go (O58)."""
    first, second = platform.course(title="One"), platform.course(title="Two")
    user = platform.answer("user.create", {**SAM, "courseIds": [first], "courseSlugs": ["two"]})
    assert {first: "direct", second: "direct"} == access(platform, user)
    change = {"courseIds": [second], "replaceCourseAccess": True}
    platform.answer("user.change", change, id=user["id"])
    assert {second: "direct"} == access(platform, user)


def test_learning_paths_come_with_an_account(platform, school):
    """By slug, with their courses (O58)."""
    slugs = {"learningPathSlugs": ["new-starter-path"]}
    user = platform.answer("user.create", {**SAM, **slugs})
    assert [demo(101)] == [one["learningPathId"] for one in user["allocatedLearningPaths"]]
    assert {"learningPath"} == set(access(platform, user).values())


def test_licenses_come_with_an_account(platform, school):
    """`studentLicenseIds` enroll; with `replaceLicenseAccess` the others go (O58)."""
    user = platform.answer("user.create", {**OF_BRIGHTWATER, "studentLicenseIds": [demo(613)]})
    before = access(platform, user)
    change = {"studentLicenseIds": [demo(614)], "replaceLicenseAccess": True}
    user = platform.answer("user.change", change, id=user["id"])
    assert [demo(614)] == held(user)
    assert before
    assert before.keys().isdisjoint(access(platform, user))


def test_who_moves_to_another_client_leaves_its_licenses(platform, school):
    """Their courses go with them; what was given directly stays, and the seat is free (spec 4)."""
    course = platform.course()
    own = {"studentLicenseIds": [demo(613)], "courseIds": [course]}
    user = platform.answer("user.create", {**OF_BRIGHTWATER, **own})
    assert len(access(platform, user)) > 1
    user = platform.answer("user.change", {"clientId": None}, id=user["id"])
    assert [] == held(user)
    assert {course: "direct"} == access(platform, user)


def test_a_move_may_bring_licenses_of_the_new_client(platform, school):
    """Both accounts of a person move, and one write gives them what is there (O58)."""
    learner = platform.answer("user.create", {**OF_BRIGHTWATER, "dualRole": True})
    client = next(id_ for id_ in clients_with_licenses(platform) if id_ != learner["clientId"])
    there = [one["id"] for one in platform.dump("licenses") if one["clientId"] == client][:1]
    move = {"clientId": client, "studentLicenseIds": there, "managerLicenseIds": there}
    learner = platform.answer("user.change", move, id=learner["id"])
    manager = platform.answer("user.read", id=learner["managerUserId"])
    assert [there, there] == [held(learner), held(manager)]
    assert client == manager["clientId"]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"courseSlugs": ["none"]}, 'courseSlugs: no course has the slug "none"'),
        ({"learningPathSlugs": ["none"]}, "learningPathSlugs: no learning path has the slug"),
        ({"courseIds": [UNKNOWN]}, f'courseIds: "{UNKNOWN}" is not a course'),
        ({"studentLicenseIds": [demo(621)]}, f'studentLicenseIds: "{demo(621)}" is not a license'),
        ({"studentLicenseIds": [demo(612)]}, 'studentLicenseIds: "Brightwater, plant" has 5 seats'),
        ({"managerLicenseIds": [demo(611)]}, "managerLicenseIds: needs a role that manages"),
        ({"clientId": demo(401)}, "clientSku: is that of another client than clientId"),
    ],
)
def test_access_that_cannot_be_given(platform, fields, error):
    """The place is named, and no account is made (O58)."""
    for number in (415, 418):
        change = {"studentLicenseIds": [demo(612)]}
        platform.call("user.change", change, id=demo(number))
    before = len(platform.dump("users"))
    (said,) = platform.errors(platform.call("user.create", {**OF_BRIGHTWATER, **fields}))
    assert said.startswith(error)
    assert before == len(platform.dump("users"))


def test_who_learns_and_manages_has_two_accounts(platform):
    """`dualRole` makes both; each gets its own licenses, and a manager no courses (O58, O60)."""
    roles = {"dualRole": True, "role": "customer-reporting-only"}
    own = {"studentLicenseIds": [demo(613)], "managerLicenseIds": [demo(611)]}
    learner = platform.answer("user.create", {**OF_BRIGHTWATER, **roles, **own})
    manager = platform.answer("user.read", id=learner["managerUserId"])
    assert (learner["id"], "customer-reporting-only") == (
        manager["learnerUserId"],
        manager["roleKey"],
    )
    assert ([demo(613)], [demo(611)]) == (held(learner), held(manager))
    assert {} == access(platform, manager)


def test_a_user_gets_a_second_role(platform):
    """Both ids, the same ones for a second request and by either of them (O60)."""
    role = {"role": "sublicense-manager"}
    ids = platform.answer("user.dualRole", role, id=demo(415))
    assert demo(415) == ids["learnerId"]
    manager = platform.answer("user.read", id=ids["managerId"])
    assert ("sublicense-manager", "gita.rao@brightwater.example") == (
        manager["roleKey"],
        manager["email"],
    )
    for id_ in ids.values():
        assert ids == platform.answer("user.dualRole", role, id=id_)
    assert 400 == platform.call("user.dualRole", {"role": "student"}, id=demo(415)).status_code


def test_one_account_of_two_keeps_its_role(platform):
    """It would learn and manage at once; a manager may get another role that manages (O60)."""
    ids = platform.answer("user.dualRole", {"role": "sublicense-manager"}, id=demo(415))
    for name, role in (("learnerId", "sublicense-manager"), ("managerId", "student")):
        answer = platform.call("user.change", {"role": role}, id=ids[name])
        assert ["role: is that of the other account of this person"] == platform.errors(answer)
    platform.answer("user.change", {"role": "customer-admin"}, id=ids["managerId"])


def test_an_account_that_learns_and_manages_has_the_licenses_of_both(platform, school):
    """Also where they take the place of others (O58)."""
    own = {"studentLicenseIds": [demo(613)], "managerLicenseIds": [demo(611)]}
    role = {"role": "customer-admin", "replaceLicenseAccess": True}
    user = platform.answer("user.create", {**OF_BRIGHTWATER, **role, **own})
    assert {demo(611), demo(613)} == set(held(user))


def test_managers_are_removed(platform, school):
    """By the id of either account; whoever is no such person is named (O60)."""
    ids = {"userIds": [demo(412), demo(413), "nobody"]}
    answer = platform.answer("user.removeManagers", ids)
    assert {"updatedRecordCount": 1, "invalidUserIds": [demo(413), "nobody"]} == answer
    assert 404 == platform.call("user.read", id=demo(412)).status_code
    assert person(platform, 411)["managerUserId"] is None
    assert [611, 613] == licenses(platform, 411)


def test_a_user_is_disabled_and_made_active(platform):
    """`disabled` or `active`, and no other word (O59)."""
    seen = [
        platform.answer("user.status", {"status": status}, id=demo(410))["disabled"]
        for status in ("disabled", "active")
    ]
    assert [True, False] == seen
    assert 400 == platform.call("user.status", {"status": "gone"}, id=demo(410)).status_code


def test_content_is_assigned_to_many(platform, school):
    """By id or e-mail; an entry that is wrong is told of and the others are done (O61)."""
    paths = {"learningPathIds": [demo(102)]}
    users = [
        {"id": demo(438), **paths},
        {"email": "Ida.Berg@brightwater.example", **paths},
        {"email": "nobody@x.example", **paths},
        {"id": demo(410), "learningPathIds": [UNKNOWN]},
    ]
    answer = platform.answer("user.assignContent", {"users": users})
    assert 2 == answer["updatedRecordCount"]
    assert ["nobody@x.example", demo(410)] == [error["user"] for error in answer["errors"]]
    for number in (438, 417):
        entries = person(platform, number)["allocatedLearningPaths"]
        assert demo(102) in [one["learningPathId"] for one in entries]


def test_what_many_have_is_replaced(platform, school):
    """Learning paths and courses that no license leads to end, where the flags say so (O61)."""
    entry, course = {"id": demo(438)}, platform.course()
    first = {**entry, "learningPathIds": [demo(101)], "courseIds": [course]}
    flags = {"replaceCourseAccess": True, "replaceLearningPathAccess": True}
    platform.answer("user.assignContent", {"users": [first]})
    before = access(platform, entry)
    platform.answer("user.assignContent", {"users": [{**entry, **flags}]})
    assert {"direct", "learningPath"} == set(before.values())
    assert {} == access(platform, entry)
    assert [] == person(platform, 438)["allocatedLearningPaths"]


def test_an_entry_of_many_names_a_user(platform):
    """A request with an entry that names nobody is refused whole (O61)."""
    said = platform.errors(platform.call("user.assignContent", {"users": [{}]}))
    assert ["users[0]: needs one of id, email"] == said


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("errors", {"errors": [{"message": "email: cannot be cleared"}]}),
        ("list", [{"message": "email: cannot be cleared"}]),
    ],
)
def test_a_refusal_inside_a_success(platform, form, body):
    """userRefusals: a user write that is refused has the status of a success (O64)."""
    platform.control("switches", {"userRefusals": form})
    assert body == platform.answer("user.change", {"email": None}, id=demo(410))
    assert 404 == platform.call("user.read", id=UNKNOWN).status_code
