"""Locations: their fields, by cursor (spec 2.6, 4)."""

import pytest


def listed(platform, **query):
    return platform.answer("location.list", query=query)


def test_location_has_the_fields_of_the_specification(platform):
    """Ten fields; the time zone is an IANA identifier (spec 1 reads; spec 2.6 location)."""
    location = listed(platform)["locations"][-1]
    assert [
        "id", "name", "room", "address1", "address2", "city", "state", "zipCode", "country",
        "timeZone",
    ] == list(location)  # fmt: skip
    assert ("Training centre", "DE", "Europe/Berlin") == (
        location["name"],
        location["country"],
        location["timeZone"],
    )


def test_all_locations_stand_on_one_page(platform):
    """`pageInfo` and `locations`; no cursor where there is no more.

    (spec 4 locations, lists; O42)
    """
    answer = listed(platform)
    names = ["Head office", "North plant", "South plant", "Training centre"]
    assert names == [location["name"] for location in answer["locations"]]
    assert {"total": 4, "cursor": None, "hasMore": False} == answer["pageInfo"]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_locations_by_cursor(platform, size):
    """Following the cursor until hasMore is false shows every location once.

    (spec 4 locations, lists)
    """
    platform.control("switches", {"pageSize": size})
    answer = listed(platform)
    seen, pages = answer["locations"], 1
    while answer["pageInfo"]["hasMore"]:
        answer = listed(platform, cursor=answer["pageInfo"]["cursor"])
        seen, pages = seen + answer["locations"], pages + 1
    assert (4, -(-4 // size)) == (len({location["id"] for location in seen}), pages)
    assert 4 == len(seen)


def test_location_added_meanwhile_repeats_none(platform):
    """A cursor holds a place and not a number: what is gone or new shifts nothing (spec 4)."""
    seed = [{"name": name} for name in ("B", "D", "F")]
    platform.control("reset", {"seed": {"locations": seed}})
    platform.control("switches", {"pageSize": 1})
    cursor = listed(platform)["pageInfo"]["cursor"]
    platform.control("reset", {"seed": {"locations": [{"name": "A"}, *seed]}})
    platform.control("switches", {"pageSize": 1})
    assert ["D"] == [one["name"] for one in listed(platform, cursor=cursor)["locations"]]


@pytest.mark.parametrize("cursor", ["!", "eyJh", "WzFd", "W10"])
def test_bad_cursor_is_400(platform, cursor):
    """Cursors are opaque and passed back unchanged: another one is refused (spec 4 lists)."""
    response = platform.call("location.list", query={"cursor": cursor})
    assert platform.errors(response)[0].startswith("cursor: ")


def test_unknown_query_parameters_of_locations_are_ignored(platform):
    """Unknown query parameters are ignored, as on every v2 route (O43)."""
    assert listed(platform) == listed(platform, perPage="1", colour="red")


@pytest.mark.parametrize(("form", "keys"), [("key", "locations"), ("data", "data")])
def test_locations_in_both_envelopes(platform, form, keys):
    """The list is under its key, or under `data` by switch (O44)."""
    platform.control("switches", {"listEnvelope": form})
    assert ["pageInfo", keys] == list(listed(platform))


def test_bare_locations(platform):
    """A bare list is whole (O44)."""
    platform.control("switches", {"listEnvelope": "bare", "pageSize": 2})
    assert 4 == len(listed(platform))


def test_locations_of_an_empty_company(platform):
    """A company without locations has an empty list (spec 4)."""
    platform.control("reset", {"seed": {}})
    answer = listed(platform)
    assert ([], 0, False) == (
        answer["locations"],
        answer["pageInfo"]["total"],
        answer["pageInfo"]["hasMore"],
    )


@pytest.mark.parametrize(
    ("size", "shown"),
    [(0, "0"), (-1, "-1"), (1.5, "1.5"), (True, "true"), ("2", '"2"'), (None, "null")],
)
def test_page_size_is_a_whole_number(platform, size, shown):
    """The switch pageSize refuses what no page can have (spec 4: the size is not shown)."""
    response = platform.http.post("/_sandbox/switches", json={"pageSize": size})
    said = f"pageSize: {shown} is not allowed; it must be a whole number from 1 to 100,000"
    assert [said] == platform.errors(response)
