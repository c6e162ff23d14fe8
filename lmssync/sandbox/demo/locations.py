"""The locations of the demo company, with the fields of spec 2.6."""

from typing import Any

from .ids import location_id

Doc = dict[str, Any]


def locations() -> list[Doc]:
    return [
        _location("Head office", "Board room", "12 Quay Street", "Bristol", "BS1 4DJ"),
        _location("North plant", "Hall 2", "Foundry Lane", "Leeds", "LS10 1JF"),
        _location("South plant", None, "Dock Road", "Southampton", "SO14 3JE"),
        _location(
            "Training centre", "Room 4", "Lindenweg 8", "Hamburg", "20095",
            country="DE", timeZone="Europe/Berlin", address2="Rear building", state="Hamburg",
        ),
    ]  # fmt: skip


def _location(
    name: str, room: str | None, street: str, city: str, zip_code: str, **more: str
) -> Doc:
    place = {"room": room, "address1": street, "city": city, "zipCode": zip_code}
    home = {"country": "GB", "timeZone": "Europe/London"}
    return {"id": location_id(name), "name": name, **place, **home, **more}
