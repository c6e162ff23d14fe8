"""The asset library list: filters, order, cursor, refusals (spec 2.6, 4, 7, 8)."""

import pytest

UNKNOWN = "00000000-0000-4000-8000-000000000000"
ITEM = [
    "id", "title", "assetType", "description", "body", "contentType", "fileName", "tagIds",
    "version", "locationIds", "imageAltText", "imageCaption", "imageLink", "imageTitle",
    "imageNewTab", "isNew", "processingStatus", "createdAt", "updatedAt",
]  # fmt: skip
TYPES = ["image", "wysiwyg", "resource_file", "scorm", "xapi", "certificateTemplate"]


def data(platform, query=None, /):
    return platform.answer("asset.list", query=query)["data"]


def titles(platform, query=None, /):
    return [item["title"] for item in data(platform, query)["items"]]


def numbers(items):
    return [int(item["id"][-3:]) for item in items]


def refused(platform, query):
    """The errors of a 400 BAD_REQUEST in envelope D."""
    response = platform.call("asset.list", query=query)
    body = response.json()
    assert (400, "BAD_REQUEST", "CLIENT_ERROR", 400) == (
        response.status_code,
        body["code"],
        body["category"],
        body["statusCode"],
    )
    assert "; ".join(body["metadata"]["errors"]) == body["message"]
    return body["metadata"]["errors"]


def seeded(platform, *assets):
    named = [{"title": f"A{n}", "assetType": "image", **asset} for n, asset in enumerate(assets)]
    platform.control("reset", {"seed": {"assets": named}})


def test_item_has_the_fields_of_the_specification(platform):
    """Nineteen fields in `data.items` (spec 1 assets; spec 2.6 asset)."""
    assert [ITEM] * 23 == [list(item) for item in data(platform)["items"]]


def test_image_comes_back_whole(platform):
    """An image with everything that an image can have (spec 2.6)."""
    (item,) = data(platform, {"search": "evacuation"})["items"]
    names = ("imageAltText", "imageCaption", "imageLink", "imageTitle")
    assert all(isinstance(item[name], str) for name in names)
    assert (3, True, False, 2) == (
        item["version"],
        item["imageNewTab"],
        item["isNew"],
        len(item["locationIds"]),
    )


def test_what_an_item_has_not_is_null(platform):
    """Image fields are a string or null; a first version is 1 and new (spec 2.6 asset.new)."""
    (item,) = data(platform, {"search": "price list"})["items"]
    assert (None, None, 1, True, False) == (
        item["imageAltText"],
        item["description"],
        item["version"],
        item["isNew"],
        item["imageNewTab"],
    )


def test_content_type_is_a_mime_type_or_a_standard(platform):
    """A SCORM package is labelled with its standard (spec 2.6)."""
    found = {item["contentType"] for item in data(platform, {"assetType": "scorm"})["items"]}
    assert {"SCORM 1.2", "SCORM 2004 4th Edition"} == found


def test_body_is_null_until_processing_finishes(platform):
    """And always for wysiwyg (spec 2.6 asset.body; spec 3 asset)."""
    for item in data(platform)["items"]:
        stored = item["processingStatus"] == "ready" and item["assetType"] != "wysiwyg"
        assert stored == (item["body"] is not None)


def test_every_processing_state_is_there(platform):
    """pending, processing, ready and failed (spec 2.6 asset.states; spec 3 asset)."""
    found = {item["processingStatus"] for item in data(platform)["items"]}
    assert {"pending", "processing", "ready", "failed"} == found


@pytest.mark.parametrize("type_", TYPES)
def test_filter_by_type(platform, type_):
    """Each of the six types; certificateTemplate is a type to filter by.

    (spec 2.6 asset.types; spec 4 assets.type)
    """
    items = data(platform, {"assetType": type_})["items"]
    assert {type_} == {item["assetType"] for item in items}


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("FORKLIFT", ["Forklift simulator"]),
        ("poster", ["Summer poster", "Spring poster"]),
        ("%", ["Legal footer 100%"]),
        ("_", ["Contact_block"]),
        ("contact%block", []),
        ("ontact_blo", ["Contact_block"]),
        ("Contact block", []),
    ],
)
def test_search_in_titles(platform, search, found):
    """A case-insensitive substring of the title; % and _ are literal (spec 4 assets.search)."""
    assert found == titles(platform, {"search": search})


def test_search_of_nothing_finds_all(platform):
    """A search for the empty text finds everything (spec 4)."""
    assert 23 == len(titles(platform, {"search": ""}))


@pytest.mark.parametrize(("length", "status"), [(500, 200), (501, 400)])
def test_search_has_at_most_500_characters(platform, length, status):
    """A search of exactly 500 characters is allowed (spec 8 fields.search)."""
    assert status == platform.call("asset.list", query={"search": "ä" * length}).status_code


def test_too_long_search_is_named(platform):
    """The message names the field and the figure (spec 7 assets; spec 8 fields.search)."""
    assert ["search must be at most 500 characters long"] == refused(
        platform, {"search": "x" * 501}
    )


def test_filter_by_one_tag(platform):
    """The filter finds the items with the tag (spec 4 assets.tags)."""
    tag = platform.tag("First aid")
    assert ["First aid certificate", "Accident report form"] == titles(platform, {"tagIds": tag})


def test_tag_ids_are_repeated(platform):
    """One `tagIds` for each id; an item with any of them is found (spec 4 assets.tags)."""
    query = {"tagIds": [platform.tag("Sales"), platform.tag("Leadership")]}
    assert ["Price list", "Leadership banner"] == titles(platform, query)


def test_every_tag_can_be_demanded(platform):
    """assetTags all: an item needs each of the tags (spec 4: which is not shown)."""
    platform.control("switches", {"assetTags": "all"})
    query = {"tagIds": [platform.tag("Safety"), platform.tag("Manufacturing")]}
    assert ["Forklift simulator", "Hard hat icon"] == titles(platform, query)


def test_unknown_tag_finds_nothing(platform):
    """A uuid that is not a tag finds nothing and is no error (spec 4)."""
    assert [] == titles(platform, {"tagIds": UNKNOWN})


@pytest.mark.parametrize("form", ["{0},{1}", '["{0}","{1}"]', "[{0}]", "Safety", ""])
def test_tag_ids_in_any_other_form(platform, form):
    """An array or a comma list gives 400; each value must be a UUID.

    (spec 4 assets.tags; spec 7 assets)
    """
    value = form.format(platform.tag("Safety"), platform.tag("Sales"))
    assert ["each value in tagIds must be a UUID"] == refused(platform, {"tagIds": value})


def test_tag_ids_with_brackets_are_an_unknown_property(platform):
    """The array form `tagIds[]` gives 400 too (spec 4 assets.tags)."""
    assert ["property tagIds[] should not exist"] == refused(platform, {"tagIds[]": UNKNOWN})


def test_updated_after_is_strict(platform):
    """An item of that very moment is not after it (spec 4 assets.updatedAfter)."""
    moment = "2025-10-22T10:00:00.000Z"
    at = titles(platform, {"updatedAfter": moment})
    before = titles(platform, {"updatedAfter": "2025-10-22T09:59:59.999Z"})
    assert (["Canteen photo"], ["Canteen photo", "First aid certificate"]) == (at, before)


@pytest.mark.parametrize("moment", ["2025-10-22T12:00:00+02:00", "2025-10-22T10:00:00Z"])
def test_updated_after_with_a_zone(platform, moment):
    """`updatedAfter` accepts ISO 8601 in any time zone (spec 4)."""
    assert ["Canteen photo"] == titles(platform, {"updatedAfter": moment})


@pytest.mark.parametrize("moment", ["yesterday", "", "2025-13-01", "1761127200000", "2025"])
def test_updated_after_must_be_a_date(platform, moment):
    """`updatedAfter` refuses Unix milliseconds and words (spec 4, 7)."""
    assert ["updatedAfter must be an ISO 8601 date"] == refused(platform, {"updatedAfter": moment})


def test_filters_work_together(platform):
    """An item must pass every filter (spec 4)."""
    query = {
        "assetType": "image",
        "search": "A",
        "tagIds": platform.tag("Safety"),
        "updatedAfter": "2025-10-02T00:00:00Z",
    }
    assert ["Hard hat icon"] == titles(platform, query)


def test_order_is_newest_first(platform):
    """Items come in descending order of updatedAt (spec 4 assets.order)."""
    moments = [item["updatedAt"] for item in data(platform)["items"]]
    assert sorted(moments, reverse=True) == moments


def test_order_of_one_moment_is_by_id(platform):
    """Items with the same updatedAt come in descending order of id (spec 4 assets.order)."""
    items = data(platform, {"updatedAfter": "2025-10-01T00:00:00Z"})["items"]
    assert [504, 503, 502, 501] == numbers(items)[-4:]
    assert items[-3]["updatedAt"] == items[-2]["updatedAt"]


def test_order_does_not_hang_on_how_a_seed_writes_moments(platform):
    """Moments of other forms and zones are put in order as moments (spec 4)."""
    seeded(
        platform,
        {"updatedAt": "2026-01-01T00:30:00+01:00"},
        {"updatedAt": "2026-01-01"},
        {"updatedAt": "2025-12-31T23:45:00.5Z"},
    )
    assert ["A1", "A2", "A0"] == titles(platform)


def test_deleted_items_are_not_listed(platform):
    """A soft-deleted item is kept and never returned (spec 4 assets.deleted)."""
    kept = {asset["title"] for asset in platform.dump("assets")}
    assert ("Withdrawn form" in kept, []) == (True, titles(platform, {"search": "withdrawn"}))


def test_old_revisions_are_not_listed(platform):
    """Of three revisions the newest is returned (spec 4 assets.deleted)."""
    kept = [a for a in platform.dump("assets") if a["title"] == "Evacuation plan"]
    listed = data(platform, {"search": "Evacuation plan"})["items"]
    assert ([1, 2, 3], [3]) == (
        sorted(asset["version"] for asset in kept),
        [item["version"] for item in listed],
    )


@pytest.mark.parametrize("limit", [1, 5, 22, 23, 24])
def test_walk_by_cursor(platform, limit):
    """Following nextCursor until it is null returns every item once, in order.

    (spec 4 assets.cursor, lists)
    """
    whole = numbers(data(platform)["items"])
    page = data(platform, {"limit": limit})
    seen, pages = numbers(page["items"]), 1
    while page["nextCursor"] is not None:
        page = data(platform, {"limit": limit, "cursor": page["nextCursor"]})
        seen, pages = seen + numbers(page["items"]), pages + 1
    assert (whole, -(-23 // limit)) == (seen, pages)


def test_limit_is_50_at_first(platform):
    """The default (spec 4 assets.limit; spec 8 route.assets)."""
    seeded(platform, *[{}] * 60)
    page = data(platform)
    assert (50, True) == (len(page["items"]), page["nextCursor"] is not None)


def test_limit_may_be_200(platform):
    """The bounds themselves are allowed (spec 4 assets.limit; spec 8 route.assets)."""
    seeded(platform, *[{}] * 201)
    most, least = data(platform, {"limit": 200}), data(platform, {"limit": 1})
    assert (200, 1) == (len(most["items"]), len(least["items"]))
    assert 1 == len(data(platform, {"limit": 200, "cursor": most["nextCursor"]})["items"])


@pytest.mark.parametrize("limit", ["0", "201", "-1", "1.5", "ten", "", " 5", "1e2", "9" * 400])
def test_limit_out_of_bounds(platform, limit):
    """An integer between 1 and 200 (spec 4 assets.limit; spec 7 assets; spec 8 route.assets)."""
    assert ["limit must be an integer between 1 and 200"] == refused(platform, {"limit": limit})


@pytest.mark.parametrize("type_", ["", "IMAGE", "video", "audio"])
def test_type_is_one_of_the_listed_values(platform, type_):
    """The error lists the allowed types (spec 7 assets)."""
    words = "assetType must be one of the following values: " + ", ".join(TYPES)
    assert [words] == refused(platform, {"assetType": type_})


@pytest.mark.parametrize("name", ["colour", "page", "perPage", "Limit", "sort"])
def test_unknown_query_properties_are_refused(platform, name):
    """Unlike on v2 routes: 400 BAD_REQUEST that names the property (spec 7 assets, D.bad)."""
    assert [f"property {name} should not exist"] == refused(platform, {name: "1"})


@pytest.mark.parametrize("name", ["assetType", "search", "updatedAfter", "cursor", "limit"])
def test_other_parameters_stand_once(platform, name):
    """Only tagIds may be repeated (spec 4)."""
    assert [f"{name} must be given once"] == refused(platform, {name: ["1", "2"]})


def test_every_failed_constraint_is_listed(platform):
    """The message joins them with `; ` and metadata.errors lists them (spec 7 D.bad)."""
    errors = refused(platform, {"limit": "0", "assetType": "x", "tagIds": "x", "colour": "red"})
    assert ["limit", "assetType", "each", "property"] == [error.split()[0] for error in errors]


@pytest.mark.parametrize("cursor", ["!", "eyJh", "WzFd", "WzEsMl0", "bnVsbA"])
def test_bad_cursor(platform, cursor):
    """A cursor that the list did not give is refused by its name (spec 4, 7)."""
    assert refused(platform, {"cursor": cursor})[0].startswith("cursor")


def test_filters_changed_in_the_middle_skip_rows(platform):
    """What the new filters would show before the cursor's place is not returned.

    (spec 4 assets.cursor)
    """
    cursor = data(platform, {"assetType": "wysiwyg", "limit": 1})["nextCursor"]
    rest = data(platform, {"cursor": cursor, "limit": 200})["items"]
    assert ([*range(508, 500, -1)], 22) == (
        numbers(rest),
        len(numbers(data(platform)["items"])) - 1,
    )


def test_item_changed_meanwhile_hides_no_other(platform):
    """A cursor holds a place: what was listed before and is newer now shifts nothing (spec 4)."""
    seeded(platform, *[{"updatedAt": f"2026-01-0{n + 1}"} for n in range(4)])
    cursor = data(platform, {"limit": 2})["nextCursor"]
    seeded(platform, *[{"updatedAt": f"2026-01-0{n + 1}"} for n in (0, 1, 2, 8)])
    assert ["A1", "A0"] == titles(platform, {"cursor": cursor})
