"""`license.create`: a license, and the assignments of its client (spec 4)."""

from lmssync.vocabulary.limits import REFS

from .. import checks
from ..call import Call
from ..checks import Rule, Wrong, checked, present, require
from ..documents import Doc
from ..http import Answer, forbidden
from ..platform import Platform
from .course_fields import require_courses

ASSIGNMENTS = {
    "courseIds": "replaceCourseIds",
    "learningPathIds": "replaceLearningPathIds",
    "courseTagIds": "replaceCourseTagIds",
}
"""What a license assigns, and the flag that makes it replace the client's assignments."""

REF_NAMES = tuple(f"ref{number}" for number in range(1, REFS + 1))
FIELD_RULES: dict[str, Rule] = {
    "name": checks.title,
    **dict.fromkeys(ASSIGNMENTS, checks.uuids),
    **dict.fromkeys(ASSIGNMENTS.values(), checks.flag),
    "label": checks.text,
    "sku": checks.text,
    "seatsLimit": checks.whole(0),
    "parentLicenseId": checks.uuid,
    "accessDays": checks.whole(0),
    "expirationDate": checks.date,
    "enableBranding": checks.flag,
    "isDefault": checks.flag,
    **dict.fromkeys(REF_NAMES, checks.text),
}
"""What create and update (O32) take."""

SHOWN = (
    "id", "courseIds", "learningPathIds", "courseTagIds", "name", "label", "sku", "seatsLimit",
    "enableBranding", "parentLicenseId", "accessDays", "expirationDate", "isDefault", *REF_NAMES,
)  # fmt: skip
"""The license as the platform shows it (spec 2.5)."""


def create(platform: Platform, call: Call) -> Answer:
    fields = _fields(platform, call)
    client = platform.objects.get("clients", fields["clientId"])
    assert client is not None  # checked
    kept = {name: value for name, value in fields.items() if name not in ASSIGNMENTS.values()}
    kept.setdefault("enableBranding", False)
    kept.setdefault("isDefault", False)
    stamp = platform.clock.stamp()
    license_ = platform.objects.add("licenses", {**kept, "createdAt": stamp, "updatedAt": stamp})
    assign(platform, client, fields)
    if license_["isDefault"]:
        only_default(platform, license_)
    return Answer(as_wire(license_), int(platform.switches.createStatus))


def _fields(platform: Platform, call: Call) -> Doc:
    """The checked body. Raises Wrong, or 403 for a client outside the key's scope."""
    rules = {"clientId": checks.uuid, **FIELD_RULES}
    fields = present(checked(call.body, rules))
    require(fields, ("clientId", *ASSIGNMENTS, "name"))
    if not call.key.may_see_client(fields["clientId"]):
        raise forbidden("The API key may not change this client")
    if not platform.objects.has("clients", fields["clientId"]):
        raise Wrong(f'clientId: "{fields["clientId"]}" is not a client of this company')
    require_references(platform, fields)
    if fields.get("seatsLimit") == 0:
        del fields["seatsLimit"]  # 0 is unlimited, like none (O32)
    return fields


def require_references(platform: Platform, fields: Doc) -> None:
    """Raise Wrong where a license names what the company has not."""
    company = platform.company()
    lookups: dict[str, Rule] = {
        "courseIds": lambda ids: require_courses(platform, ids),
        "learningPathIds": lambda ids: company.require("learningPaths", ids, word="learning path"),
        "courseTagIds": lambda ids: company.require("tags", ids, word="tag"),
        "parentLicenseId": lambda id_: company.require("licenses", [id_], word="license"),
    }
    checks.require_references(fields, lookups)


def assign(platform: Platform, client: Doc, fields: Doc) -> None:
    """Append to the client's assignments, or replace them where the flag of a list is true."""
    for name, flag in ASSIGNMENTS.items():
        if fields.get(name) is None:
            continue
        before = [] if fields.get(flag) else client.get(name, [])
        client[name] = list(dict.fromkeys([*before, *fields[name]]))
    client["updatedAt"] = platform.clock.stamp()
    platform.objects.save("clients", client)


def only_default(platform: Platform, license_: Doc) -> None:
    """A client has one default license: the newest that says so."""
    for other in platform.objects.owned("licenses", license_["clientId"]):
        if other["id"] != license_["id"] and other.get("isDefault"):
            platform.objects.save("licenses", {**other, "isDefault": False})


def as_wire(license_: Doc) -> Doc:
    return {name: license_.get(name) for name in SHOWN}
