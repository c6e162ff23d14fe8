"""License create: fields, references, the client's assignments (spec 2.5, 4)."""

import pytest

UNKNOWN = "00000000-0000-4000-8000-000000000000"
PATH = "7d1c0000-0000-4000-8000-000000000101"
ASSIGNMENTS = {
    "courseIds": "replaceCourseIds",
    "learningPathIds": "replaceLearningPathIds",
    "courseTagIds": "replaceCourseTagIds",
}


def body_of(platform, **fields):
    return {
        "clientId": platform.client("acme"),
        "courseIds": [],
        "learningPathIds": [],
        "courseTagIds": [],
        "name": "Acme, all",
        **fields,
    }


def send(platform, **fields):
    return platform.call("license.create", body_of(platform, **fields))


def assigned(platform):
    return next(one for one in platform.dump("clients") if one["slug"] == "acme")


def test_license_comes_back_whole(platform):
    """All fields of spec 2.5 (spec 1 licensing; spec 2.5 fields; spec 4 licenses.answer)."""
    course = platform.course()
    answer = send(platform, courseIds=[course], learningPathIds=[PATH], seatsLimit=5, ref10="x")
    license_ = answer.json()
    assert (200, [course], [PATH], 5, "x") == (
        answer.status_code,
        *(license_[name] for name in ("courseIds", "learningPathIds", "seatsLimit", "ref10")),
    )
    assert {"id", "label", "isDefault", "parentLicenseId", "ref1"} < set(license_)


def test_zero_seats_are_unlimited(platform):
    """0 is the same as none (spec 2.5 seats; O32)."""
    assert send(platform, seatsLimit=0).json()["seatsLimit"] is None


def two_of(platform, field):
    """Two ids that a list of assignments can hold."""
    lists = {"courseIds": "courses", "learningPathIds": "learningPaths", "courseTagIds": "tags"}
    platform.course(), platform.course()
    return [one["id"] for one in platform.dump(lists[field])[:2]]


@pytest.mark.parametrize("field", ASSIGNMENTS)
def test_assignments_are_appended(platform, field):
    """A second license adds to what the client has (spec 4 licenses.append)."""
    ids = two_of(platform, field)
    for id_ in ids:
        send(platform, **{field: [id_]})
    assert ids == assigned(platform)[field][-2:]


@pytest.mark.parametrize(("field", "flag"), ASSIGNMENTS.items())
def test_each_flag_replaces_its_list(platform, field, flag):
    """Three flags, one for each list (spec 4 licenses.replace)."""
    first, second = two_of(platform, field)
    send(platform, **{field: [first]})
    send(platform, **{field: [second], flag: True})
    assert [second] == assigned(platform)[field]


def test_assignments_are_replaced_where_asked(platform):
    """replaceCourseIds replaces the client's courses and nothing else (spec 4 licenses.replace)."""
    first, second = platform.course(), platform.course()
    send(platform, courseIds=[first], learningPathIds=[PATH])
    send(platform, courseIds=[second], replaceCourseIds=True)
    client = assigned(platform)
    assert ([second], [PATH]) == (client["courseIds"], client["learningPathIds"])


@pytest.mark.parametrize(
    "field", ["clientId", "courseIds", "learningPathIds", "courseTagIds", "name"]
)
def test_required_fields(platform, field):
    """Five fields are required; empty lists are lists (spec 4 licenses.required)."""
    assert [f"{field}: is required"] == platform.errors(send(platform, **{field: None}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("clientId", UNKNOWN),
        ("courseIds", [UNKNOWN]),
        ("learningPathIds", [UNKNOWN]),
        ("courseTagIds", [UNKNOWN]),
        ("parentLicenseId", UNKNOWN),
        ("seatsLimit", -1),
        ("accessDays", 1.5),
        ("expirationDate", "never"),
        ("isDefault", "yes"),
        ("ref11", "x"),
        ("name", ""),
    ],
)
def test_bad_values_are_named(platform, field, value):
    """What does not exist or does not fit is refused with its field (spec 2.5 fields; spec 7 A)."""
    assert platform.errors(send(platform, **{field: value}))[0].startswith(f"{field}: ")


def test_client_has_one_default_license(platform):
    """The newest default takes the place of the one before (spec 2.5 default)."""
    first, second = (send(platform, isDefault=True).json()["id"] for _ in range(2))
    acme = platform.client("acme")
    found = [one for one in platform.dump("licenses") if one["clientId"] == acme]
    flags = {one["id"]: one["isDefault"] for one in found}
    assert {first: False, second: True} == flags


def test_key_of_another_client_is_refused(platform):
    """A client-scoped key licenses its own clients only (spec 5 403)."""
    body = body_of(platform)
    scope = {"scope": "client", "clientIds": [platform.client("hillside")]}
    platform.key = platform.control("keys", scope)["key"]
    assert 403 == platform.call("license.create", body).status_code
