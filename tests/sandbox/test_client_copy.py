"""Cloning a client: what its clone has, and what it has not (spec 4)."""

import pytest

from .cloning import cloned, kept, licenses
from .school import demo

TOGGLES = [
    "enableSegmentation", "enableDiscussions", "enableCommunitiesSegmentation", "enableBranding",
    "enableEcommerce", "enableOnboardingSurvey", "enableGlobalLinks", "enableNavLinks",
    "enableRecommendationAssessment",
]  # fmt: skip
COPIED = [
    "panoramaStyle", "disabled", *TOGGLES,
    "defaultLanguage", "languageSelectorEnabled", "languages", "autoFilterForSelectedLanguage",
    "courseIds", "learningPathIds", "purchasableContentIds", "purchasableTagIds",
]  # fmt: skip
NOT_COPIED = [
    "sku", "seatsLimit", "licenseEndDate", "notificationEmails", "enableCustomEmailSettings",
    "enableContentDetailPage", "enableLicenseDashboards", "enableCreditPurchasing", "customHost",
    "onboardingSurveyResponses",
]  # fmt: skip
BLOCKS = ["appearanceBlock", "emailLayoutBlock", "catalogBlock", "ssoBlock"]


def widget_ids(layout):
    """The ids of all widgets, however deep they stand."""
    if isinstance(layout, list):
        return [id_ for item in layout for id_ in widget_ids(item)]
    if not isinstance(layout, dict):
        return []
    own = [widget["id"] for widget in layout.get("widgets", [])]
    return own + [id_ for value in layout.values() for id_ in widget_ids(value)]


def without_ids(layout):
    if isinstance(layout, list):
        return [without_ids(item) for item in layout]
    if not isinstance(layout, dict):
        return layout
    return {name: without_ids(value) for name, value in layout.items() if name != "id"}


# What is copied


@pytest.mark.parametrize("field", COPIED)
def test_field_is_copied(platform, field):
    """Flags, toggles, languages and provisioned content.

    (spec 4 clone.4.flags, clone.4.toggles, clone.4.languages, clone.4.content; spec 4, clone
    rule 4)
    """
    source, clone = cloned(platform)
    assert source[field] == clone[field]


def test_every_toggle_is_copied_on_and_off(platform):
    """A client with every copied toggle the other way round.

    (spec 4 clone.4.toggles; spec 4, clone rule 4)
    """
    odd = {name: index % 2 == 0 for index, name in enumerate(TOGGLES)}
    seed = {"clients": [{"name": "Odd", "slug": "odd", "disabled": True, **odd}]}
    platform.control("reset", {"seed": seed})
    _, clone = cloned(platform, source="odd")
    assert ({**odd, "disabled": True}, False) == (
        {name: clone[name] for name in (*odd, "disabled")},
        clone["panoramaStyle"],
    )


def test_name_slug_and_generated(platform):
    """A clone has its own name and slug, and the flag generated.

    (spec 4 clone.4.names; spec 4, clone rule 4)
    """
    source, clone = cloned(platform, name="Harbour", slug="harbour")
    assert ("Harbour", "harbour", True) == tuple(
        clone[name] for name in ("name", "slug", "generated")
    )
    assert (False, True) == (source["generated"], source["id"] != clone["id"])


def test_course_tags_are_copied(platform):
    """The tags that the list shows and those that licenses assigned.

    (spec 4 clone.4.flags; spec 4, clone rule 4)
    """
    source, clone = cloned(platform)
    assert (source["tagIds"], source["courseTagIds"]) == (clone["tagIds"], clone["courseTagIds"])
    assert 2 == len(clone["courseTagIds"])


def test_clone_is_as_old_as_its_job(platform):
    """createdAt and updatedAt of a clone are its own (spec 2.6)."""
    before = platform.control("clock")["now"]
    _, clone = cloned(platform)
    assert (True, clone["createdAt"]) == (clone["createdAt"] > before, clone["updatedAt"])


def test_all_licenses_are_copied_with_new_ids(platform):
    """Courses, tags, expiration, seats and references come along.

    (spec 4 clone.4.licenses; spec 4, clone rule 4)
    """
    source, clone = cloned(platform)
    own = ("id", "clientId", "createdAt", "updatedAt", "parentLicenseId", "appearanceHash")
    own += ("redemptionLayout", "dashboardLayout")
    before, after = (
        [{name: one.get(name) for name in one if name not in own} for one in licenses(platform, of)]
        for of in (source, clone)
    )
    assert (3, before) == (len(after), after)
    ids = {one["id"] for of in (source, clone) for one in licenses(platform, of)}
    assert 6 == len(ids)


def test_parent_links_are_remapped(platform):
    """Three generations of licenses hang together among themselves.

    (spec 2.5 parent; spec 4 clone.4.licenses; spec 4, clone rule 4)
    """
    _, clone = cloned(platform)
    everyone, managers, sites = licenses(platform, clone)
    assert (None, everyone["id"], managers["id"]) == tuple(
        one["parentLicenseId"] for one in (everyone, managers, sites)
    )


def test_parent_that_comes_later_is_remapped(platform):
    """The order of licenses does not matter (spec 4 clone.4.licenses; spec 4, clone rule 4)."""
    seed = {
        "clients": [{"id": demo(1), "name": "S", "slug": "source"}],
        "licenses": [
            {"id": demo(2), "clientId": demo(1), "name": "Child", "parentLicenseId": demo(3)},
            {"id": demo(3), "clientId": demo(1), "name": "Parent"},
        ],
    }
    platform.control("reset", {"seed": seed})
    _, clone = cloned(platform, source="source")
    child, parent = licenses(platform, clone)
    assert (parent["id"], None) == (child["parentLicenseId"], parent.get("parentLicenseId"))


def test_parent_of_another_client_stays(platform):
    """A link that leaves the client leads where it led (spec 4, clone rule 4)."""
    ids = {"courseIds": [], "learningPathIds": [], "courseTagIds": []}
    body = {"clientId": platform.client("acme"), "name": "N", "parentLicenseId": demo(611), **ids}
    platform.call("license.create", body)
    _, clone = cloned(platform, source="acme")
    assert [demo(611)] == [one["parentLicenseId"] for one in licenses(platform, clone)]


def test_primary_license_is_remapped(platform):
    """The clone's primary license is the copy of the source's.

    (spec 4 clone.4.licenses; spec 4, clone rule 4)
    """
    source, clone = cloned(platform)
    assert (demo(601), licenses(platform, clone)[0]["id"]) == (
        source["primaryLicenseId"],
        clone["primaryLicenseId"],
    )


def test_client_without_licenses_is_cloned(platform):
    """A clone of a client without licenses has no primary license (spec 4, clone rule 4)."""
    _, clone = cloned(platform, source="acme")
    assert (None, []) == (clone["primaryLicenseId"], licenses(platform, clone))


@pytest.mark.parametrize("block", BLOCKS)
def test_blocks_are_copied_at_both_levels(platform, block):
    """On the client and on its licenses (spec 4 clone.4.blocks; spec 4, clone rule 4)."""
    source, clone = cloned(platform)
    before, after = (licenses(platform, of)[0] for of in (source, clone))
    assert (source[block], before[block]) == (clone[block], after[block])
    assert None not in (clone[block], after[block])


def test_appearance_hash_is_new_at_both_levels(platform):
    """Nobody shares one (spec 4 clone.4.blocks; spec 4, clone rule 4)."""
    source, clone = cloned(platform)
    bearers = [of for client in (source, clone) for of in (client, licenses(platform, client)[0])]
    assert 4 == len({bearer["appearanceHash"] for bearer in bearers} - {None})


def test_no_appearance_no_hash(platform):
    """Where the source has none its clone gets none (spec 4, clone rule 4)."""
    _, clone = cloned(platform, source="acme")
    assert (None, None) == (clone["appearanceBlock"], clone["appearanceHash"])


@pytest.mark.parametrize("layout", ["redemptionLayout", "dashboardLayout"])
def test_layouts_are_copied_with_new_widget_ids(platform, layout):
    """Layouts of client and licenses are copied, with new ids for widgets.

    (spec 4 clone.4.layouts; spec 4, clone rule 4)
    """
    source, clone = cloned(platform)
    pairs = [(source, clone), (licenses(platform, source)[0], licenses(platform, clone)[0])]
    ids = [id_ for pair in pairs for of in pair for id_ in widget_ids(of[layout])]
    assert (len(ids), 8 if layout == "redemptionLayout" else 12) == (len(set(ids)), len(ids))
    for before, after in pairs:
        assert without_ids(before[layout]) == without_ids(after[layout])


def test_clones_of_one_source_share_no_widget(platform):
    """Ids are made anew for each clone (spec 4 clone.4.layouts; spec 4, clone rule 4)."""
    _, first = cloned(platform, slug="first")
    _, second = cloned(platform, slug="second")
    ids = [id_ for of in (first, second) for id_ in widget_ids(of["dashboardLayout"])]
    assert 6 == len(set(ids))


def test_seat_usage_is_recomputed(platform):
    """A full license is copied with its limit and nobody on it.

    (spec 4 clone.4.seats; spec 4, clone rule 4)
    """
    cloned(platform, source="hillside")
    listed = platform.call("client.list").json()["clients"]
    used = {
        one["slug"]: [(held["seatsLimit"], held["seatsUsed"]) for held in one["licenses"]]
        for one in listed
        if one["slug"] in ("hillside", "new-client")
    }
    assert {"hillside": [(10, 6), (3, 3)], "new-client": [(10, 0), (3, 0)]} == used


# What is not copied


@pytest.mark.parametrize("field", NOT_COPIED)
def test_field_is_not_copied(platform, field):
    """The golden template has each of them set.

    (spec 4 clone.5.fields, clone.5.learners; spec 4, clone rule 5)
    """
    source, clone = cloned(platform)
    assert (True, False) == (bool(source[field]), bool(clone[field]))


def test_email_branding_is_copied_and_inactive(platform):
    """The layout of e-mails comes along, the setting that uses it does not.

    (spec 4 clone.5.fields; spec 4, clone rule 5)
    """
    _, clone = cloned(platform)
    assert (True, False) == (bool(clone["emailLayoutBlock"]), clone["enableCustomEmailSettings"])


def test_learners_are_not_copied(platform):
    """Nobody is in the new client, nobody holds a new license.

    (spec 4 clone.5.learners; spec 4, clone rule 5)
    """
    before = platform.dump("users")
    _, clone = cloned(platform, source="brightwater")
    assert before == platform.dump("users")
    assert [] == [user for user in before if user["clientId"] == clone["id"]]


def test_enrollments_are_not_copied(platform):
    """No enrollment is added (spec 4 clone.5.learners; spec 4, clone rule 5)."""
    before = platform.dump("enrollments")
    cloned(platform, source="brightwater")
    assert before == platform.dump("enrollments")


def test_source_stays_as_it_was(platform):
    """Cloning does not change the source (spec 4, clone rule 4)."""
    before = kept(platform, "golden")
    held = [one for one in platform.dump("licenses") if one["clientId"] == before["id"]]
    source, _ = cloned(platform)
    assert (before, held) == (source, licenses(platform, source))


def test_clone_can_be_cloned(platform):
    """A clone can be cloned like any client (spec 4, clone rule 4)."""
    cloned(platform, slug="child")
    child, grandchild = cloned(platform, source="child", slug="grandchild")
    assert child["languages"] == grandchild["languages"]
    assert 3 == len(licenses(platform, grandchild))


def test_clones_survive_a_dump(platform):
    """A dump with clones is a seed that gives the same clients again (spec 4, clone rule 4)."""
    cloned(platform)
    dump = platform.control("dump")
    platform.control("reset", {"seed": dump})
    assert (dump["clients"], dump["licenses"]) == (
        platform.dump("clients"),
        platform.dump("licenses"),
    )
