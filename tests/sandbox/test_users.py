"""User read: the full profile, who may see it, addresses in the place of ids (spec 2.4, 4)."""

import pytest

from lmssync.sandbox import run_sandbox

from .conftest import Platform
from .school import demo

UNKNOWN = "00000000-0000-4000-8000-000000000000"
PROFILE = [
    "id", "learnerUserId", "managerUserId", "clientId", "createdAt", "lastActiveAt", "disabled",
    "crmAccountId", "crmContactId", "roleKey", "address1", "address2", "city", "state", "zipCode",
    "country", "telephone", "paymentCustomerId", "externalCustomerId", "shippingName", "asset",
    "email", "firstName", "lastName", "ref1", "ref2", "ref3", "ref4", "ref5", "ref6", "ref7",
    "ref8", "ref9", "ref10", "language", "customFields", "purchasedBundles", "allocatedLicenses",
    "allocatedLearningPaths", "purchasedCourses", "waitlistedCourses", "balance",
    "preferredCurrency",
]  # fmt: skip


def read(platform, number):
    return platform.answer("user.read", id=demo(number))


@pytest.mark.parametrize("number", [401, 408, 412, 425, 440])
def test_profile_has_every_field(platform, number):
    """Every account shows the fields of the full profile and no other.

    (spec 1 reads; spec 2.4 fields; spec 4 user)
    """
    assert PROFILE == list(read(platform, number))


def test_profile_of_somebody_known_well(platform):
    """Text, references, custom fields and amounts come back as they are kept (spec 2.4)."""
    user = read(platform, 408)
    assert ("Amara", "Nwosu", "amara.nwosu@brightwater.example", "EXT-408", "P-408") == tuple(
        user[name] for name in ("firstName", "lastName", "email", "externalCustomerId", "ref1")
    )
    assert ({"shift": "night", "badges": ["forklift", "first-aid"]}, 12.5, "GBP") == (
        user["customFields"],
        user["balance"],
        user["preferredCurrency"],
    )


def test_profile_of_somebody_hardly_known(platform):
    """What is not known is null, lists are empty, nobody owes anything (spec 2.4)."""
    user = read(platform, 438)
    empty = ("purchasedBundles", "allocatedLicenses", "purchasedCourses", "waitlistedCourses")
    assert [[]] * 4 == [user[name] for name in empty]
    assert (None, None, False, {}, 0) == tuple(
        user[name] for name in ("clientId", "ref10", "disabled", "customFields", "balance")
    )


def test_lists_of_the_profile_hold_objects(platform):
    """Bundles, licenses and learning paths are objects that hold an id (spec 2.4 lists)."""
    user = read(platform, 408)
    assert [{"bundleId": demo(201)}] == user["purchasedBundles"]
    assert [{"licenseId": demo(611)}, {"licenseId": demo(612)}] == user["allocatedLicenses"]
    path = next(p for p in user["allocatedLearningPaths"] if p["learningPathId"] == demo(101))
    assert ["learningPathId", "status"] == list(path)


def test_two_records_of_one_person_name_each_other(platform):
    """The learner's record has managerUserId, the manager's learnerUserId (spec 2.4 dual)."""
    learner, manager = read(platform, 411), read(platform, 412)
    assert (demo(412), None) == (learner["managerUserId"], learner["learnerUserId"])
    assert (None, demo(411)) == (manager["managerUserId"], manager["learnerUserId"])


@pytest.mark.parametrize(
    ("number", "role", "language"),
    [
        (401, "companyAdmin", None),
        (403, "manager", None),
        (407, "instructor", None),
        (420, "student", "de"),
    ],
)
def test_language_is_null_for_who_does_not_learn(platform, number, role, language):
    """`language` is a BCP 47 tag for learners and null for every other role (spec 2.4 language)."""
    user = read(platform, number)
    assert (role, language) == (user["roleKey"], user["language"])


def test_language_of_a_manager_is_not_shown(platform):
    """Even where the account has one from its time as a learner (spec 2.4 language)."""
    users = [{"id": UNKNOWN, "email": "m@x.example", "roleKey": "manager", "language": "en"}]
    platform.control("reset", {"seed": {"users": users}})
    assert platform.call("user.read", id=UNKNOWN).json()["language"] is None


def test_disabled_account_is_read(platform):
    """A disabled account is there and says so (spec 2.4 disabled)."""
    assert read(platform, 434)["disabled"] is True


@pytest.mark.parametrize("id_", [UNKNOWN, "nonsense", "%00", "x" * 3000])
def test_unknown_user_is_404(platform, id_):
    """An unknown user is a 404 with envelope A (spec 7 404, A)."""
    response = platform.call("user.read", id=id_)
    assert (404, ["errors"]) == (response.status_code, list(response.json()))
    assert all(isinstance(error, str) for error in response.json()["errors"])


def test_no_permission_is_named_for_the_route(platform):
    """A key without any permission reads users (spec 4)."""
    platform.key = platform.control("keys", {"permissions": []})["key"]
    assert 200 == platform.call("user.read", id=demo(408)).status_code


@pytest.mark.parametrize(("number", "status"), [(408, 200), (420, 404), (438, 404)])
def test_key_of_a_client_reads_its_users(platform, number, status):
    """Users of other clients and of none are not there for a client's key (spec 5)."""
    scope = {"scope": "client", "clientIds": [platform.client("brightwater")]}
    platform.key = platform.control("keys", scope)["key"]
    assert status == platform.call("user.read", id=demo(number)).status_code


@pytest.mark.parametrize("email", ["tara.singh@acme.example", "Tara.Singh@Acme.Example"])
def test_address_in_the_place_of_the_id(platform, email):
    """The extended profile finds a user by address, whatever its case (O35)."""
    assert demo(429) == platform.call("user.read", id=email).json()["id"]


@pytest.mark.parametrize(
    ("email", "number"),
    [
        ("dara.quinn@brightwater.example", 411),
        ("paula.reyes@hillside.example", 424),
        ("rosa.blanco@hillside.example", 427),
    ],
)
def test_address_of_several_accounts(platform, email, number):
    """The student, the account that is no shadow, the one with it as primary address (O35)."""
    assert demo(number) == platform.call("user.read", id=email).json()["id"]


def test_address_is_looked_up_inside_the_scope(platform):
    """A client's key finds only its own users by address (O35)."""
    scope = {"scope": "client", "clientIds": [platform.client("brightwater")]}
    platform.key = platform.control("keys", scope)["key"]
    found = platform.call("user.read", id="paula.reyes@hillside.example").json()
    other = platform.call("user.read", id="tara.singh@acme.example")
    assert (demo(425), 404) == (found["id"], other.status_code)


def test_core_profile_takes_ids_alone():
    """Without the extended profile an address is an unknown id (spec 4, O35)."""
    with run_sandbox() as ready:
        core = Platform(ready)
        assert 404 == core.call("user.read", id="tara.singh@acme.example").status_code
        assert 200 == core.call("user.read", id=demo(429)).status_code
        core.http.close()


def test_missing_user_can_be_200_with_errors(platform):
    """missingUser: the answer is 200 and holds `errors: [{message}]` (O35)."""
    platform.control("switches", {"missingUser": "errors"})
    response = platform.call("user.read", id=UNKNOWN)
    assert (200, ["errors"]) == (response.status_code, list(response.json()))
    assert [["message"]] == [list(error) for error in response.json()["errors"]]


def test_user_reads_are_not_throttled_at_first(platform):
    """Most GET routes have no throttle: no header tells of one (spec 8 free)."""
    response = platform.call("user.read", id=demo(408))
    assert "X-RateLimit-Limit" not in response.headers


def test_user_reads_can_count_against_the_user_tier(platform):
    """userTierOnReads: the twenty-first read of a minute is a 429 (O36)."""
    platform.control("switches", {"userTierOnReads": True})
    seen = [platform.call("user.read", id=demo(408)).status_code for _ in range(21)]
    assert [*[200] * 20, 429] == seen


def test_the_demo_company_has_forty_accounts(platform):
    """The forty accounts have every role, in every client and in none (spec 2.4)."""
    users = platform.dump("users")
    assert 40 == len(users)
    assert {"student", "manager", "companyAdmin", "instructor"} == {u["roleKey"] for u in users}
    clients = {client["id"] for client in platform.dump("clients")}
    assert clients | {None} == {user["clientId"] for user in users}


def test_seats_of_the_demo_company_suffice(platform):
    """No license of the seed has more holders than seats, and its client's users hold it
    (spec 4, bulk sublicense rule 7)."""
    licenses = {license_["id"]: license_ for license_ in platform.dump("licenses")}
    taken = dict.fromkeys(licenses, 0)
    for user in platform.dump("users"):
        for held in user["allocatedLicenses"]:
            taken[held["licenseId"]] += 1
            assert user["clientId"] == licenses[held["licenseId"]]["clientId"]
    assert [] == [
        id_ for id_, count in taken.items() if count > licenses[id_].get("seatsLimit", 99)
    ]


@pytest.mark.parametrize(
    ("kind", "field", "value", "told"),
    [
        ("users", "balance", "much", '"much"; it must be a number'),
        ("users", "allocatedLicenses", {}, "an object; it must be a list"),
        ("users", "disabled", 1, "1; it must be true or false"),
        ("users", "customFields", [], "a list; it must be an object"),
        ("users", "roleKey", 5, "5; it must be text"),
        ("users", "email", None, None),
    ],
)
def test_seed_of_the_wrong_shape_is_refused(platform, kind, field, value, told):
    """The error has the place, the value and what is allowed (spec 2.4)."""
    seed = {kind: [{"email": "a@x.example", field: value}]}
    response = platform.http.post("/_sandbox/reset", json={"seed": seed})
    words = f"seed: {kind}[0].{field}: is {told}" if told else "seed: users[0].email: is required"
    assert [words] == platform.errors(response)


def test_purchased_and_waitlisted_courses(platform):
    """`{courseId, status}` and `{courseId}` (spec 2.4)."""
    lists = {
        "purchasedCourses": [{"courseId": demo(901), "status": "completed"}],
        "waitlistedCourses": [{"courseId": demo(902)}],
    }
    platform.control("reset", {"seed": {"users": [{"id": demo(900), "email": "a@x", **lists}]}})
    user = read(platform, 900)
    assert lists == {name: user[name] for name in lists}
