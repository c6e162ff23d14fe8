"""The demo company, whole: its tags, ribbons, fields and videos, and what the siblings hold."""

from typing import Any

from . import assets as demo_assets
from . import clients as demo_clients
from . import locations as demo_locations
from . import offers as demo_offers
from . import people as demo_people
from .ids import demo_id

Doc = dict[str, Any]
COMPANY = "Demo Learning Company"

_TAGS = (
    "Safety", "Compliance", "Onboarding", "Leadership", "Data protection", "Customer service",
    "First aid", "IT security", "Sustainability", "Sales", "Manufacturing", "Wellbeing",
)  # fmt: skip
_CONTENT_TYPES = ("Course", "Article", "Video", "Micro course", "Package", "Policy", "Webinar")
_CUSTOM_FIELDS = (
    ("group", "owner", "text", ()),
    ("group", "audience", "several", ("everyone", "managers", "site-staff", "office-staff")),
    ("group", "review-cycle", "one", ("yearly", "half-yearly", "none")),
    ("session", "room", "text", ()),
    ("session", "cost-centre", "text", ()),
)
_VIDEOS = (
    (301, "hosted", "Evacuation drill"),
    (302, "generated", "Welcome from the director"),
    (303, "hosted", "Intro jingle"),
    (304, "hosted", "Outro jingle"),
)


def company() -> Doc:
    """The demo company as a seed."""
    return {
        "company": COMPANY,
        "tags": [{"label": label} for label in _TAGS],
        "ribbons": [{"slug": slug} for slug in ("new", "popular", "mandatory", "updated")],
        "contentTypes": [{"label": label} for label in _CONTENT_TYPES],
        "customFields": [
            {"level": level, "slug": slug, "type": type_, "options": list(options)}
            for level, slug, type_, options in _CUSTOM_FIELDS
        ],
        "clients": demo_clients.clients(),
        "licenses": demo_clients.licenses(),
        "users": demo_people.users(),
        "locations": demo_locations.locations(),
        "assets": demo_assets.assets(),
        "meetings": demo_offers.meetings(),
        "coupons": demo_offers.coupons(),
        "learningPaths": [
            _item(101, "New starter path"),
            _item(102, "First line manager path"),
        ],
        "collections": [_item(201, "Safety collection", priceInCents=49_900)],
        "subscriptions": [_item(202, "All access subscription", priceInCents=99_900)],
        "videoAssets": [_item(number, title, source=source) for number, source, title in _VIDEOS],
    }


def _item(number: int, title: str, **more: object) -> Doc:
    return {"id": demo_id(number), "title": title, "active": True, **more}
