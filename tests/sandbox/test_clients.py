"""The list of clients: what an item carries, search, order, cursor, scope (spec 2.6, 4)."""

import pytest

from .school import demo

SLUGS = ["acme", "brightwater", "golden", "hillside"]
SORTABLE = ["id", "name", "slug", "createdAt", "updatedAt", "sku", "disabled"]


def page(platform, **query):
    return platform.answer("client.list", query=query)


def slugs(platform, **query):
    return [client["slug"] for client in page(platform, **query)["clients"]]


def client(platform, slug):
    return next(one for one in page(platform)["clients"] if one["slug"] == slug)


def test_item_carries_what_the_list_is_described_to(platform):
    """The fields shown, then courses, learning paths, licenses, appearance, flags.

    (spec 2.6 client, client.more)
    """
    assert [
        "id", "name", "slug", "createdAt", "updatedAt", "tags", "sku", "disabled",
        "courses", "learningPaths", "licenses", "appearanceSettings", "featureFlags",
    ] == list(client(platform, "golden"))  # fmt: skip


def test_tags_have_id_and_label(platform):
    """`[{id, label}]` (spec 2.6)."""
    tags = [{"id": platform.tag(label), "label": label} for label in ("Onboarding", "Compliance")]
    assert tags == client(platform, "golden")["tags"]


def test_courses_and_learning_paths_of_a_client(platform):
    """What licenses assigned is on the client (spec 2.6 client.more)."""
    course = platform.course()
    body = {"courseIds": [course], "learningPathIds": [demo(102)], "courseTagIds": []}
    acme = platform.client("acme")
    platform.call("license.create", {"clientId": acme, "name": "N", **body})
    shown = client(platform, "acme")
    assert ([{"id": course}], [{"id": demo(102), "title": "First line manager path"}]) == (
        shown["courses"],
        shown["learningPaths"],
    )


def test_licenses_of_a_client(platform):
    """Each with the fields of a license, and the seats in use.

    (spec 2.5 fields; spec 2.6 client.more)
    """
    licenses = client(platform, "brightwater")["licenses"]
    found = {one["id"]: (one["parentLicenseId"], one["seatsLimit"]) for one in licenses}
    assert {
        demo(611): (None, 12),
        demo(612): (demo(611), 5),
        demo(613): (demo(611), None),
        demo(614): (None, None),
    } == found
    assert [7, 4, 2, 1] == [one["seatsUsed"] for one in licenses]


def test_appearance_and_flags(platform):
    """An appearance block with its hash, every feature toggle as a boolean.

    (spec 2.6 client.more)
    """
    shown = client(platform, "golden")
    assert {"primaryColour", "logo", "appearanceHash"} == set(shown["appearanceSettings"])
    assert 13 == len(shown["featureFlags"])
    assert {True, False} == set(shown["featureFlags"].values())


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("acme", ["acme"]),
        ("FOODS", ["brightwater"]),
        ("cl-gold", ["golden"]),
        ("i", ["acme", "brightwater", "hillside"]),
        ("nobody", []),
        ("", SLUGS),
    ],
)
def test_search(platform, query, found):
    """`query` is looked for in name, slug and sku, whatever its case (spec 4 clients.query)."""
    assert found == slugs(platform, query=query)


@pytest.mark.parametrize("field", SORTABLE)
def test_every_shown_field_sorts_both_ways(platform, field):
    """`sort` is a field name; a `-` before it turns the order (spec 4 clients.sort)."""
    up = [one[field] for one in page(platform, sort=field)["clients"]]
    down = [one[field] for one in page(platform, sort=f"-{field}")["clients"]]
    assert sorted(str(value or "").lower() for value in up) == [
        str(value or "").lower() for value in up
    ]
    assert up[::-1] == down


@pytest.mark.parametrize("sort", ["colour", "-", "name desc", "--name"])
def test_unknown_field_does_not_sort(platform, sort):
    """An unknown sort field is refused with the allowed ones (spec 4)."""
    response = platform.call("client.list", query={"sort": sort})
    assert platform.errors(response)[0].endswith("it must be one of " + ", ".join(SORTABLE))


@pytest.mark.parametrize("sort", ["name", "-name", "updatedAt", "-updatedAt"])
def test_walk_in_any_order(platform, sort):
    """By cursor every client comes once, in the order that was asked for (spec 4 clients.pages)."""
    whole = slugs(platform, sort=sort)
    platform.control("switches", {"pageSize": 1})
    answer = page(platform, sort=sort)
    seen = [one["slug"] for one in answer["clients"]]
    while answer["pageInfo"]["hasMore"]:
        answer = page(platform, sort=sort, cursor=answer["pageInfo"]["cursor"])
        seen += [one["slug"] for one in answer["clients"]]
    assert whole == seen


def test_page_info(platform):
    """`total`, `hasMore` and `cursor`; no cursor at the end (spec 4 clients.pages, lists; O42)."""
    platform.control("switches", {"pageSize": 3})
    first = page(platform)["pageInfo"]
    last = page(platform, cursor=first["cursor"])["pageInfo"]
    assert [(4, True), (4, False)] == [(info["total"], info["hasMore"]) for info in (first, last)]
    assert (True, None) == (isinstance(first["cursor"], str), last["cursor"])


def test_total_counts_what_was_searched(platform):
    """`total` is of the search and not of the company (spec 4)."""
    assert 1 == page(platform, query="acme")["pageInfo"]["total"]


def test_key_of_a_client_counts_its_own(platform):
    """A key of scope client sees and counts its clients alone (spec 5 403)."""
    scope = {"scope": "client", "clientIds": [platform.client("golden")]}
    platform.key = platform.control("keys", scope)["key"]
    answer = page(platform)
    assert (["golden"], 1) == (
        [one["slug"] for one in answer["clients"]],
        answer["pageInfo"]["total"],
    )


def test_bare_client_from_a_seed(platform):
    """A client of a seed that has a name and a slug alone is shown whole (spec 2.6)."""
    platform.control("reset", {"seed": {"clients": [{"name": "Bare", "slug": "bare"}]}})
    shown = client(platform, "bare")
    assert ([], [], [], None, False) == (
        shown["courses"],
        shown["licenses"],
        shown["tags"],
        shown["sku"],
        shown["disabled"],
    )
