"""Licenses in the extended profile: listed, changed, deleted (O32, O33)."""

from ..call import Call
from ..checks import Wrong, checked, require_kept
from ..documents import Doc
from ..http import Answer, absent, forbidden
from ..people import license_change
from ..people.reach import Reach
from ..platform import Platform
from .licenses import ASSIGNMENTS, FIELD_RULES, as_wire, assign, only_default, require_references
from .paging import by_page


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
    fields = _fields(platform, call, license_)
    _apply(license_, fields)
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
            license_change.change(platform, reach, leaving, options=license_change.Options())
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


def _fields(platform: Platform, call: Call, license_: Doc) -> Doc:
    fields = checked(call.body, FIELD_RULES)
    require_kept(fields, ("name", *ASSIGNMENTS))
    if fields.get("parentLicenseId") == license_["id"]:
        raise Wrong("parentLicenseId: a license cannot be its own parent")
    require_references(platform, fields)
    return fields


def _apply(license_: Doc, fields: Doc) -> None:
    for name, value in fields.items():
        if name in ASSIGNMENTS:
            before = [] if fields.get(ASSIGNMENTS[name]) else license_.get(name, [])
            license_[name] = list(dict.fromkeys([*before, *value]))
        elif name in ASSIGNMENTS.values():
            continue
        elif value is None:
            license_.pop(name, None)
        else:
            license_[name] = value
    for name in ("enableBranding", "isDefault"):
        license_.setdefault(name, False)
