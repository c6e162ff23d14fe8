"""Licenses: created with the assignments of their clients (spec 4); changed and deleted (O32)."""

from functools import partial

from lmssync.vocabulary.limits import REFS

from .. import checks
from ..call import Call
from ..checks import Rule, Wrong, changes, new_fields
from ..documents import Doc, picked, put
from ..http import Answer, absent, forbidden
from ..people import license_change
from ..people.reach import Reach
from ..platform import Platform
from .course_fields import require_courses
from .paging import by_page

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
    fields = new_fields(call.body, rules, ("clientId", *ASSIGNMENTS, "name"))
    if not call.key.may_see_client(fields["clientId"]):
        raise forbidden("The API key may not change this client")
    if not platform.objects.has("clients", fields["clientId"]):
        raise Wrong(f'"{fields["clientId"]}" is not a client of this company', "clientId")
    require_references(platform, fields)
    if fields.get("seatsLimit") == 0:
        del fields["seatsLimit"]  # 0 is unlimited, like none (O32)
    return fields


def require_references(platform: Platform, fields: Doc) -> None:
    """Raise Wrong where a license names what the company has not."""
    company = platform.company()
    lookups: dict[str, Rule] = {
        "courseIds": partial(require_courses, platform),
        "learningPathIds": partial(company.require, "learningPaths"),
        "courseTagIds": partial(company.require, "tags"),
        "parentLicenseId": lambda id_: company.require("licenses", [id_]),
    }
    checks.require_references(fields, lookups)


def assign(platform: Platform, client: Doc, fields: Doc) -> None:
    """Assign to a client what its license assigns."""
    _append(client, fields)
    client["updatedAt"] = platform.clock.stamp()
    platform.objects.save("clients", client)


def _append(doc: Doc, fields: Doc) -> None:
    """Append to the assignments, or replace them where the flag of a list is true."""
    for name, flag in ASSIGNMENTS.items():
        if fields.get(name) is not None:
            before = [] if fields.get(flag) else doc.get(name, [])
            doc[name] = list(dict.fromkeys([*before, *fields[name]]))


def only_default(platform: Platform, license_: Doc) -> None:
    """A client has one default license: the newest that says so."""
    for other in platform.objects.owned("licenses", license_["clientId"]):
        if other["id"] != license_["id"] and other.get("isDefault"):
            platform.objects.save("licenses", {**other, "isDefault": False})


def as_wire(license_: Doc) -> Doc:
    return picked(license_, SHOWN)


def of_client(platform: Platform, call: Call) -> Answer:
    """By page, oldest first."""
    client_id = call.path["id"]
    if not (
        platform.objects.has("clients", client_id) and call.key.may_see_client(client_id.lower())
    ):
        raise absent("client", client_id)
    owned = platform.objects.owned("licenses", client_id)
    return by_page(platform, call, "licenses", items=owned, show=as_wire)


def update(platform: Platform, call: Call) -> Answer:
    """What is sent is set, null clears; the lists are appended to unless their flag is true."""
    license_ = _license(platform, call)
    fields = _changes(platform, call, license_)
    _append(license_, fields)
    assigned = (*ASSIGNMENTS, *ASSIGNMENTS.values())
    put(license_, {name: fields[name] for name in fields if name not in assigned})
    license_ |= {name: license_.get(name, False) for name in ("enableBranding", "isDefault")}
    if not fields.get("seatsLimit") and (
        "seatsLimit" in fields or platform.switches.seatsOnUpdate == "replace"
    ):
        license_.pop("seatsLimit", None)  # 0 and none are unlimited (O32)
    license_["updatedAt"] = platform.clock.stamp()
    platform.objects.save("licenses", license_)
    client = platform.objects.get("clients", license_["clientId"])
    if client is not None:
        assign(platform, client, fields)
    if license_.get("isDefault"):
        only_default(platform, license_)
    return Answer(as_wire(license_))


def delete(platform: Platform, call: Call) -> Answer:
    """The license as it was. Its holders keep what it gave them, as direct enrollments: what a
    removal does unless it says otherwise (spec 2.7, 3); the effect on learners is not shown."""
    license_ = _license(platform, call)
    forget(platform, license_["id"])
    platform.objects.remove("licenses", license_["id"])
    return Answer(as_wire(license_))


def forget(platform: Platform, id_: str) -> None:
    """Take a license out of everything that names it."""
    reach = Reach(platform)
    for user in platform.objects.all("users"):
        if id_ in license_change.held(user):
            leaving = license_change.Change(user, gained=[], lost=[id_])
            license_change.change(reach, leaving, options=license_change.Options())
    for other in platform.objects.all("licenses"):
        if other.get("parentLicenseId") == id_:
            platform.objects.save("licenses", {**other, "parentLicenseId": None})


def _license(platform: Platform, call: Call) -> Doc:
    license_ = platform.objects.get("licenses", call.path["id"])
    if license_ is None:
        raise absent("license", call.path["id"])
    if not call.key.may_see_client(license_["clientId"]):
        raise forbidden("The API key may not change this client")
    return license_


def _changes(platform: Platform, call: Call, license_: Doc) -> Doc:
    fields = changes(call.body, FIELD_RULES, ("name", *ASSIGNMENTS))
    if fields.get("parentLicenseId") == license_["id"]:
        raise Wrong("a license cannot be its own parent", "parentLicenseId")
    require_references(platform, fields)
    return fields
