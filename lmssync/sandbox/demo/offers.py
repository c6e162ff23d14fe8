"""The meetings and coupons of the demo company (O54)."""

from typing import Any

from .ids import demo_id, location_id

Doc = dict[str, Any]


def meetings() -> list[Doc]:
    return [
        {
            "id": demo_id(701),
            "title": "Fire drill with the whole shift",
            "locationId": location_id("North plant"),
            "startDate": "2026-09-14T08:00:00.000Z",
            "endDate": "2026-09-14T09:30:00.000Z",
            "timeZone": "Europe/London",
            "attendeesLimit": 40,
        },
        {
            "id": demo_id(702),
            "title": "Questions about the new permits",
            "startDate": "2026-09-21T13:00:00.000Z",
            "endDate": "2026-09-21T14:00:00.000Z",
            "timeZone": "Europe/Berlin",
            "url": "https://meet.example/permits",
        },
    ]


def coupons() -> list[Doc]:
    return [
        {"id": demo_id(711), "code": "SAFETY10", "percentOff": 10, "usageLimit": 100},
        {
            "id": demo_id(712),
            "code": "WELCOME5",
            "description": "For new customers",
            "amountOffInCents": 500,
            "endDate": "2026-12-31T23:59:59.000Z",
        },
    ]
