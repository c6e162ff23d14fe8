"""The clients of the demo company, with their licenses: one a template to clone, one still bare.

`golden` has everything that a clone copies and everything that it does not. `acme` has nothing
yet. The other two have licenses that people hold.
"""

from typing import Any

from ..data.ids import stable_id
from .ids import client_id, demo_id, tag_id

Doc = dict[str, Any]
NEW_STARTER_PATH, LINE_MANAGER_PATH = demo_id(101), demo_id(102)
COLLECTION = demo_id(201)
END_OF_2030 = "2030-12-31T23:59:59.000Z"


def clients() -> list[Doc]:
    return [_golden(), _acme(), _brightwater(), _hillside()]


def licenses() -> list[Doc]:
    """Numbers 601 to 603 are golden's, 611 to 614 Brightwater's, 621 and 622 Hillside's."""
    return [*_golden_licenses(), *_brightwater_licenses(), *_hillside_licenses()]


def _client(slug: str, name: str, **fields: Any) -> Doc:
    dates = {"createdAt": "2025-02-03T09:00:00.000Z", "updatedAt": "2025-11-17T15:30:00.000Z"}
    return {"id": client_id(slug), "name": name, "slug": slug, **dates, **fields}


def _golden() -> Doc:
    return _client(
        "golden",
        "Golden template",
        sku="CL-GOLDEN",
        tagIds=[tag_id("Onboarding"), tag_id("Compliance")],
        panoramaStyle=True,
        enableSegmentation=True,
        enableDiscussions=True,
        enableBranding=True,
        enableOnboardingSurvey=True,
        enableNavLinks=True,
        enableCustomEmailSettings=True,
        enableContentDetailPage=True,
        enableLicenseDashboards=True,
        enableCreditPurchasing=True,
        defaultLanguage="en",
        languageSelectorEnabled=True,
        languages=["en", "de", "fr"],
        autoFilterForSelectedLanguage=True,
        learningPathIds=[NEW_STARTER_PATH, LINE_MANAGER_PATH],
        courseTagIds=[tag_id("Onboarding"), tag_id("Safety")],
        purchasableContentIds=[COLLECTION],
        purchasableTagIds=[tag_id("Sales")],
        primaryLicenseId=demo_id(601),
        seatsLimit=500,
        licenseEndDate=END_OF_2030,
        notificationEmails=["template.owner@demo.example"],
        customHost="learn.golden.example",
        onboardingSurveyResponses=[{"userId": demo_id(403), "answers": {"goal": "Safety"}}],
        **_design("golden"),
    )


def _acme() -> Doc:
    return _client("acme", "Acme Industries", sku="CL-ACME", tagIds=[tag_id("Manufacturing")])


def _brightwater() -> Doc:
    return _client(
        "brightwater",
        "Brightwater Foods",
        sku="CL-BRIGHTWATER",
        tagIds=[tag_id("Manufacturing"), tag_id("Safety")],
        enableDiscussions=True,
        enableGlobalLinks=True,
        languages=["en", "nl"],
        languageSelectorEnabled=True,
        learningPathIds=[NEW_STARTER_PATH, LINE_MANAGER_PATH],
        courseTagIds=[tag_id("Safety"), tag_id("Leadership"), tag_id("Sustainability")],
        primaryLicenseId=demo_id(611),
        seatsLimit=40,
        appearanceBlock={"primaryColour": "#0b6e99", "logo": "https://media.example/bright.png"},
        appearanceHash="b7e1f0c2",
    )


def _hillside() -> Doc:
    return _client(
        "hillside",
        "Hillside Clinics",
        tagIds=[tag_id("Wellbeing")],
        defaultLanguage="de",
        languages=["de", "en"],
        learningPathIds=[NEW_STARTER_PATH],
        courseTagIds=[tag_id("First aid"), tag_id("Data protection")],
        primaryLicenseId=demo_id(621),
    )


def _license(number: int, slug: str, name: str, **fields: Any) -> Doc:
    dates = {"createdAt": "2025-02-03T09:00:00.000Z", "updatedAt": "2025-02-03T09:00:00.000Z"}
    return {
        "id": demo_id(number), "clientId": client_id(slug), "name": name, **dates, **fields,
    }  # fmt: skip


def _golden_licenses() -> list[Doc]:
    """Three generations."""
    everyone = _license(
        601,
        "golden",
        "Golden, everyone",
        label="Everyone",
        isDefault=True,
        enableBranding=True,
        learningPathIds=[NEW_STARTER_PATH],
        courseTagIds=[tag_id("Onboarding")],
        expirationDate=END_OF_2030,
        ref1="template",
        **_design("golden-everyone"),
    )
    managers = _license(
        602,
        "golden",
        "Golden, managers",
        parentLicenseId=demo_id(601),
        learningPathIds=[LINE_MANAGER_PATH],
        accessDays=365,
    )
    sites = _license(
        603,
        "golden",
        "Golden, site managers",
        parentLicenseId=demo_id(602),
        courseTagIds=[tag_id("Safety")],
        seatsLimit=25,
        sku="LIC-GOLDEN-SITE",
    )
    return [everyone, managers, sites]


def _brightwater_licenses() -> list[Doc]:
    everyone = _license(
        611,
        "brightwater",
        "Brightwater, everyone",
        isDefault=True,
        seatsLimit=12,
        learningPathIds=[NEW_STARTER_PATH],
        courseTagIds=[tag_id("Safety")],
    )
    plant = _license(
        612,
        "brightwater",
        "Brightwater, plant",
        parentLicenseId=demo_id(611),
        seatsLimit=5,
        courseTagIds=[tag_id("Safety"), tag_id("Sustainability")],
    )
    leaders = _license(
        613,
        "brightwater",
        "Brightwater, leaders",
        parentLicenseId=demo_id(611),
        accessDays=180,
        learningPathIds=[LINE_MANAGER_PATH],
        courseTagIds=[tag_id("Leadership")],
    )
    over = _license(
        614,
        "brightwater",
        "Brightwater, pilot of 2025",
        expirationDate="2025-12-31T23:59:59.000Z",
        courseTagIds=[tag_id("Sustainability")],
    )
    return [everyone, plant, leaders, over]


def _hillside_licenses() -> list[Doc]:
    clinics = _license(
        621,
        "hillside",
        "Hillside, clinics",
        isDefault=True,
        seatsLimit=10,
        learningPathIds=[NEW_STARTER_PATH],
        courseTagIds=[tag_id("Data protection")],
    )
    first_aid = _license(
        622,
        "hillside",
        "Hillside, first aid",
        parentLicenseId=demo_id(621),
        seatsLimit=3,
        courseTagIds=[tag_id("First aid")],
    )
    return [clinics, first_aid]


def _design(of: str) -> Doc:
    """Blocks and layouts; their inner shape is not shown, widgets have ids."""
    return {
        "appearanceBlock": {"primaryColour": "#c8962e", "logo": f"https://media.example/{of}.png"},
        "emailLayoutBlock": {"header": "<p>Welcome</p>", "footer": "<p>Your academy</p>"},
        "catalogBlock": {"sort": "newest", "showFilters": True},
        "ssoBlock": {"enabled": False, "provider": "saml"},
        "appearanceHash": stable_id("appearances", of)[:8],
        "redemptionLayout": {"widgets": [_widget(of, "welcome"), _widget(of, "codeForm")]},
        "dashboardLayout": {
            "rows": [
                {"widgets": [_widget(of, "progress"), _widget(of, "upcoming")]},
                {"widgets": [_widget(of, "catalog")]},
            ]
        },
    }


def _widget(of: str, type_: str) -> Doc:
    return {"id": stable_id("widgets", f"{of}/{type_}"), "type": type_, "settings": {"of": of}}
