"""The demo company: the seed that `company.json` holds in short.

`@601` there is a numbered id and `@tags/Safety` the id that this tag has in every sandbox. Numbers
begin with 1 for learning paths, 2 for what is sold, 3 videos, 4 people, 5 assets, 6 licenses, 7
meetings and coupons.

- The client `golden` has everything that a clone copies and everything that it does not; `acme` has
  nothing yet; people hold licenses of the other two.
- User 408 has every field of the profile. 411 and 412 are one person who learns and manages, 425 is
  a shadow account beside 424, 426 has the address of 427 as a second one, and 431 and 432 share an
  `externalCustomerId`.
- Assets are of every type and in every processing state. Never listed: 525, which is deleted, and
  523 and 524, old revisions of 501. 502 and 503 were changed at the same moment.
"""

from pathlib import Path
from typing import Any

import orjson

from ..data.ids import stable_id
from ..documents import Doc

_FILE = Path(__file__).with_name("company.json")
_CLIENT_DATES = {"createdAt": "2025-02-03T09:00:00.000Z", "updatedAt": "2025-11-17T15:30:00.000Z"}
_LICENSE_DATES = dict.fromkeys(("createdAt", "updatedAt"), "2025-02-03T09:00:00.000Z")
_LANGUAGES = {"brightwater": "en", "hillside": "de", "acme": "en", "golden": "fr"}
_MEDIA = {
    "image": ("image/png", "png"),
    "wysiwyg": (None, None),
    "resource_file": ("application/pdf", "pdf"),
    "scorm": ("SCORM 1.2", "zip"),
    "xapi": ("application/zip", "zip"),
    "certificateTemplate": ("text/html", "html"),
}
"""`contentType` (a MIME type or the label of a SCORM standard) and the ending of the file."""


def demo_id(number: int) -> str:
    """The id of a numbered item, the same in every sandbox, so that examples can name it."""
    return f"7d1c0000-0000-4000-8000-{number:012}"


def demo_company() -> Doc:
    """The demo company as a seed."""
    seed: Doc = orjson.loads(_FILE.read_bytes())
    seed["clients"] = [_CLIENT_DATES | client for client in seed["clients"]]
    seed["licenses"] = [_LICENSE_DATES | license_ for license_ in seed["licenses"]]
    seed["users"] = [_demo_user(**user) for user in seed["users"]]
    seed["assets"] = [_demo_asset(**asset) for asset in seed["assets"]]
    return {name: _with_ids(value) for name, value in seed.items()}


def _with_ids(value: Any) -> Any:
    """The value with ids in the place of references."""
    if isinstance(value, list):
        return [_with_ids(item) for item in value]
    if isinstance(value, dict):
        return {name: _with_ids(item) for name, item in value.items()}
    if not isinstance(value, str) or not value.startswith("@"):
        return value
    kind, _, name = value[1:].partition("/")
    return stable_id(kind, name) if name else demo_id(int(kind))


def _demo_user(name: str, licenses: tuple[str, ...] = (), **fields: Any) -> Doc:
    number, (first, last) = fields["id"][1:], name.split()
    home = fields.get("clientId", "@clients/demo").partition("/")[2]
    language = None if "roleKey" in fields else _LANGUAGES.get(home, "en")
    return {
        "createdAt": f"2025-03-03T08:{number[-2:]}:00.000Z",
        "roleKey": "student",
        "email": f"{first}.{last}@{home}.example".lower(),
        "firstName": first,
        "lastName": last,
        "language": language,
        "allocatedLicenses": [{"licenseId": license_id} for license_id in licenses],
        "ref1": f"P-{number}",
        **fields,
    }


def _demo_asset(title: str, **fields: Any) -> Doc:
    number, (content_type, ending) = fields["id"][1:], _MEDIA[fields["assetType"]]
    name = f"{title.lower().replace(' ', '-')}.{ending}" if ending else None
    is_stored = ending and "processingStatus" not in fields
    return {
        "title": title,
        "body": f"https://media.example/assets/{number}/{name}" if is_stored else None,
        "contentType": content_type,
        "fileName": name,
        "processingStatus": "ready",
        "createdAt": "2025-09-01T09:00:00.000Z",
        "updatedAt": f"2025-10-{number[-2:]}T10:00:00.000Z",
        **fields,
    }
