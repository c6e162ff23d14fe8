"""The extended profile's licenses and clients: list, update, delete, status (O32 to O34)."""

import pytest

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def license_(platform, **fields):
    body = {
        "clientId": platform.client("hillside"),
        "courseIds": [],
        "learningPathIds": [],
        "courseTagIds": [],
        "name": "L",
        **fields,
    }
    return platform.call("license.create", body).json()


def change(platform, id_, **fields):
    return platform.call("license.update", fields, id=id_).json()


def test_licenses_of_a_client(platform):
    """By page, with the fields of a license (spec 2.5, O33)."""
    made = license_(platform, name="Mine")
    answer = platform.call("license.list", id=platform.client("hillside")).json()
    assert made.items() <= answer["licenses"][-1].items()
    assert ["perPage", "currentPage", "total", "hasMore"] == list(answer["pageInfo"])


def test_the_list_of_licenses_says_whose_they_are(platform):
    """The client at the top, tags with labels and both dates in each license (O62)."""
    tag, client = platform.tag("Safety"), platform.client("hillside")
    license_(platform, courseTagIds=[tag])
    answer = platform.answer("license.list", id=client)
    assert (client, "Hillside Clinics") == (answer["id"], answer["name"])
    assert {"sku", "learningPathIds"} <= answer.keys()
    newest = answer["licenses"][-1]
    assert [{"id": tag, "label": "Safety"}] == newest["courseTags"]
    assert newest["createdAt"] == newest["updatedAt"]


def test_one_client(platform):
    """Flags stand flat beside tags, languages and the count of seats (O63)."""
    platform.control("school", {})
    answer = platform.answer("client.read", id=platform.client("brightwater"))
    assert {"enableSegmentation", "enableLicenseDashboards", "licenseEndDate"} <= answer.keys()
    assert ["Safety", "Leadership", "Sustainability"] == [
        tag["label"] for tag in answer["courseTags"]
    ]
    holders = [one for one in platform.dump("users") if one["clientId"] == answer["id"]]
    assert sum(len(one["allocatedLicenses"]) for one in holders) == answer["seatsUsedCount"]
    assert 17 == answer["seatsAllocatedCount"]
    assert 404 == platform.call("client.read", id=UNKNOWN).status_code


def test_update_appends(platform):
    """An update adds to the lists by default (O32)."""
    first, second = platform.course(), platform.course()
    made = license_(platform, courseIds=[first])
    assert [first, second] == change(platform, made["id"], courseIds=[second])["courseIds"]


@pytest.mark.parametrize(
    ("name", "flag"),
    [("courseIds", "replaceCourseIds"), ("courseTagIds", "replaceCourseTagIds")],
)
def test_update_replaces_where_told(platform, name, flag):
    """An update with the flag of a list replaces the list (O32)."""
    if name == "courseIds":
        first, second = platform.course(), platform.course()
    else:
        first, second = platform.tag("Safety"), platform.tag("Sales")
    made = license_(platform, **{name: [first]})
    assert [second] == change(platform, made["id"], **{name: [second], flag: True})[name]


def test_update_is_partial(platform):
    """Fields that are not sent stay; null clears (O2, O32)."""
    made = license_(platform, label="A", sku="B")
    changed = change(platform, made["id"], name="New", sku=None)
    assert ("New", "A", None) == (changed["name"], changed["label"], changed["sku"])


@pytest.mark.parametrize("sent", [{}, {"seatsLimit": 0}])
def test_seats_omitted_or_zero_are_unlimited(platform, sent):
    """An update without seatsLimit, or with 0, removes the limit (O32)."""
    made = license_(platform, seatsLimit=5)
    assert change(platform, made["id"], name="N", **sent)["seatsLimit"] is None


def test_seats_can_stay(platform):
    """A switch keeps the limit that an update does not name (O32)."""
    platform.control("switches", {"seatsOnUpdate": "keep"})
    made = license_(platform, seatsLimit=5)
    assert 5 == change(platform, made["id"], name="N")["seatsLimit"]


@pytest.mark.parametrize("field", ["courseIds", "parentLicenseId"])
def test_update_with_unknown_ids_is_refused(platform, field):
    """An update with unknown ids is refused and changes nothing (spec 7, O32)."""
    made = license_(platform)
    value = [UNKNOWN] if field == "courseIds" else UNKNOWN
    answer = platform.call("license.update", {"name": "N", field: value}, id=made["id"])
    platform.errors(answer)
    assert ["L"] == [one["name"] for one in platform.dump("licenses") if one["id"] == made["id"]]


def test_delete_returns_the_license(platform):
    """Deleting a license returns it, and then it is gone (O33)."""
    made = license_(platform)
    assert made == platform.call("license.delete", id=made["id"]).json()
    assert 404 == platform.call("license.delete", id=made["id"]).status_code


def test_delete_leaves_learners_their_courses(platform):
    """What a license gave becomes a direct enrollment, as a removal does by default (spec 2.7)."""
    course = platform.course()
    made = license_(platform, courseIds=[course])
    user = next(one for one in platform.dump("users") if one["roleKey"] == "student")
    held = {"allocatedLicenses": [{"licenseId": made["id"]}], "clientId": made_client(platform)}
    platform.control("edit", {"list": "users", "id": user["id"], "set": held})
    platform.call("license.delete", id=made["id"])
    (enrollment,) = [one for one in platform.dump("enrollments") if one["courseId"] == course]
    assert (None, "direct") == (enrollment["licenseId"], enrollment["source"])


def made_client(platform):
    return platform.client("hillside")


def test_client_scoped_key_changes_its_own_only(platform):
    """Another client's license is 403, its list 404 (spec 5)."""
    made = license_(platform)
    scope = {"scope": "client", "clientIds": [platform.client("acme")]}
    hillside = platform.client("hillside")
    platform.key = platform.control("keys", scope)["key"]
    assert [403, 403, 404, 404, 403] == [
        platform.call("license.update", {"name": "N"}, id=made["id"]).status_code,
        platform.call("license.delete", id=made["id"]).status_code,
        platform.call("license.list", id=hillside).status_code,
        platform.call("client.read", id=hillside).status_code,
        platform.call("client.status", {"status": "disabled"}, id=hillside).status_code,
    ]


@pytest.mark.parametrize("other", ["enabled", "active", "anything"])
def test_client_is_disabled_and_enabled(platform, other):
    """`disabled` disables, every other value enables (O34)."""
    acme = platform.client("acme")
    seen = [
        platform.call("client.status", {"status": status}, id=acme).json()["disabled"]
        for status in ("disabled", other)
    ]
    assert [True, False] == seen


def test_client_status_needs_a_status(platform):
    """A request without a status is refused and changes nothing (spec 7)."""
    acme = platform.client("acme")
    platform.errors(platform.call("client.status", {}, id=acme))
    assert 404 == platform.call("client.status", {"status": "x"}, id=UNKNOWN).status_code


def test_licenses_by_cursor(platform):
    """A page names the cursor of the next one, and the last page names none (O62)."""
    client = max(platform.dump("clients"), key=lambda one: len(owned(platform, one["id"])))["id"]
    ids, query = [], {"perPage": 1}
    while query:
        answer = platform.answer("license.list", query=query, id=client)
        ids += [one["id"] for one in answer["licenses"]]
        cursor = answer["pageInfo"].get("cursor")
        query = {"perPage": 1, "cursor": cursor} if cursor else None
    assert ids == owned(platform, client)


def owned(platform, client):
    return [one["id"] for one in platform.dump("licenses") if one["clientId"] == client]
