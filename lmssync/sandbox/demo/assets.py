"""The asset library of the demo company: every type and every processing state.

Numbers 501 to 526. Never listed: 525, which is deleted, and 523 and 524, old revisions of 501.
"""

from typing import Any

from .ids import demo_id, location_id, tag_id

Doc = dict[str, Any]

_ITEMS: tuple[tuple[int, str, str, str, tuple[str, ...]], ...] = (
    (501, "image", "Evacuation plan", "ready", ("Safety",)),
    (502, "image", "Hard hat icon", "ready", ("Safety", "Manufacturing")),
    (503, "image", "Leadership banner", "ready", ("Leadership",)),
    (504, "image", "Spring poster", "pending", ()),
    (505, "image", "Summer poster", "processing", ()),
    (506, "image", "Damaged scan", "failed", ()),
    (507, "wysiwyg", "Welcome text", "ready", ("Onboarding",)),
    (508, "wysiwyg", "Legal footer 100%", "ready", ("Compliance",)),
    (509, "wysiwyg", "Contact_block", "ready", ()),
    (510, "resource_file", "Accident report form", "ready", ("Safety", "First aid")),
    (511, "resource_file", "Data map", "ready", ("Data protection",)),
    (512, "resource_file", "Price list", "ready", ("Sales",)),
    (513, "resource_file", "Shift handbook", "processing", ("Manufacturing",)),
    (514, "scorm", "Forklift simulator", "ready", ("Safety", "Manufacturing")),
    (515, "scorm", "Phishing drill", "ready", ("IT security",)),
    (516, "scorm", "Ladder safety", "pending", ("Safety",)),
    (517, "scorm", "Old player package", "failed", ()),
    (518, "xapi", "Customer dialogue", "ready", ("Customer service",)),
    (519, "xapi", "Energy game", "ready", ("Sustainability",)),
    (520, "xapi", "Stress check", "processing", ("Wellbeing",)),
    (521, "certificateTemplate", "Standard certificate", "ready", ()),
    (522, "certificateTemplate", "First aid certificate", "ready", ("First aid",)),
    (523, "image", "Evacuation plan", "ready", ("Safety",)),
    (524, "image", "Evacuation plan", "ready", ("Safety",)),
    (525, "resource_file", "Withdrawn form", "ready", ("Safety",)),
    (526, "image", "Canteen photo", "ready", ("Wellbeing",)),
)

_MEDIA = {
    "image": ("image/png", "png"),
    "wysiwyg": (None, None),
    "resource_file": ("application/pdf", "pdf"),
    "scorm": ("SCORM 1.2", "zip"),
    "xapi": ("application/zip", "zip"),
    "certificateTemplate": ("text/html", "html"),
}
"""`contentType` (a MIME type or the label of a SCORM standard) and the ending of the file."""

_SPECIAL: dict[int, Doc] = {
    501: {
        "version": 3,
        "isNew": False,
        "description": "Ground floor and first floor",
        "locationIds": [location_id("North plant"), location_id("South plant")],
        "imageAltText": "Plan of the building with the ways out",
        "imageCaption": "Ways out",
        "imageLink": "https://media.example/plans",
        "imageTitle": "Evacuation plan",
        "imageNewTab": True,
    },
    515: {"contentType": "SCORM 2004 4th Edition"},
    523: {"version": 1, "isNew": False, "revisionOf": demo_id(501)},
    524: {"version": 2, "isNew": False, "revisionOf": demo_id(501)},
    525: {"isNew": False, "deletedAt": "2025-10-01T12:00:00.000Z"},
}


def assets() -> list[Doc]:
    return [_asset(*item) for item in _ITEMS]


def _asset(number: int, type_: str, title: str, state: str, tags: tuple[str, ...]) -> Doc:
    """502 and 503 were changed at the same moment, so that the id decides."""
    content_type, ending = _MEDIA[type_]
    name = f"{title.lower().replace(' ', '-')}.{ending}" if ending else None
    day = 2 if number == 503 else number - 500  # noqa: PLR2004 - a number of the list above
    stored = state == "ready" and type_ != "wysiwyg"
    return {
        "id": demo_id(number),
        "title": title,
        "assetType": type_,
        "body": f"https://media.example/assets/{number}/{name}" if stored else None,
        "contentType": content_type,
        "fileName": name,
        "tagIds": [tag_id(label) for label in tags],
        "processingStatus": state,
        "createdAt": "2025-09-01T09:00:00.000Z",
        "updatedAt": f"2025-10-{day:02}T10:00:00.000Z",
        **_SPECIAL.get(number, {}),
    }
