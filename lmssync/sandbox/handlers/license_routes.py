"""Licenses: created with the assignments of their clients (spec 4); changed and deleted (O32)."""

from functools import partial

from lmssync.vocabulary.limits import REFS

from .. import value_checks
from ..data.object_kinds import make_blank
from ..http_messages import Answer, Refusal, not_found
from ..people.license_effects import Change, Options, Reach, change_licenses, held_licenses
from ..sandbox_documents import Doc, drop_fields, pick_fields, put_fields
from ..sandbox_platform import Call, Platform
from ..value_checks import InvalidValue, Rule, check_changes, new_fields
from .course_fields import require_courses
from .list_pages import page_by_number

ASSIGNMENTS = {
    "courseIds": "replaceCourseIds",
    "learningPathIds": "replaceLearningPathIds",
    "courseTagIds": "replaceCourseTagIds",
}
"""What a license assigns, and the flag that makes it replace the client's assignments."""

REF_NAMES = tuple(f"ref{number}" for number in range(1, REFS + 1))
FIELD_RULES: dict[str, Rule] = {
    "name": value_checks.check_title,
    **dict.fromkeys(ASSIGNMENTS, value_checks.check_uuids),
    **dict.fromkeys(ASSIGNMENTS.values(), value_checks.check_flag),
    "label": value_checks.check_text,
    "sku": value_checks.check_text,
    "seatsLimit": value_checks.whole_number_between(0),
    "parentLicenseId": value_checks.check_uuid,
    "accessDays": value_checks.whole_number_between(0),
    "expirationDate": value_checks.check_date,
    "enableBranding": value_checks.check_flag,
    "isDefault": value_checks.check_flag,
    **dict.fromkeys(REF_NAMES, value_checks.check_text),
}
"""What create and update (O32) take."""

SHOWN = (
    "id", "courseIds", "learningPathIds", "courseTagIds", "name", "label", "sku", "seatsLimit",
    "enableBranding", "parentLicenseId", "accessDays", "expirationDate", "isDefault", *REF_NAMES,
)  # fmt: skip
"""The license as the platform shows it (spec 2.5)."""
CLIENT_SHOWN = ("id", "name", "sku", "learningPathIds")
"""What the list of its licenses says of a client (O62)."""
_MADE = ("createdAt", "updatedAt")


def create_license(platform: Platform, call: Call) -> Answer:
    fields = _read_license_fields(platform, call)
    client = platform.objects.get_object("clients", fields["clientId"])
    assert client is not None  # checked
    begun = make_blank("licenses", platform.clock.format_now())
    kept = {**begun, **drop_fields(fields, *ASSIGNMENTS.values())}
    license_ = platform.objects.add_object("licenses", kept)
    assign_content(platform, client, fields)
    if license_["isDefault"]:
        keep_one_default(platform, license_)
    return Answer(show_license(license_), int(platform.switches.createStatus))


def _read_license_fields(platform: Platform, call: Call) -> Doc:
    """The checked body. Raises InvalidValue, or 403 for a client outside the key's scope."""
    rules = {"clientId": value_checks.check_uuid, **FIELD_RULES}
    fields = new_fields(call.body, rules, ("clientId", *ASSIGNMENTS, "name"))
    if not call.key.may_see_client(fields["clientId"]):
        raise Refusal(403, "The API key may not change this client")
    if not platform.objects.has_object("clients", fields["clientId"]):
        raise InvalidValue(f'"{fields["clientId"]}" is not a client of this company', "clientId")
    require_references(platform, fields)
    if fields.get("seatsLimit") == 0:
        del fields["seatsLimit"]  # 0 is unlimited, like none (O32)
    return fields


def require_references(platform: Platform, fields: Doc) -> None:
    """Raise InvalidValue where a license names what the company has not."""
    company = platform.read_company()
    lookups: dict[str, Rule] = {
        "courseIds": partial(require_courses, platform),
        "learningPathIds": partial(company.require_configured, "learningPaths"),
        "courseTagIds": partial(company.require_configured, "tags"),
        "parentLicenseId": lambda id_: company.require_configured("licenses", [id_]),
    }
    value_checks.require_references(fields, lookups)


def assign_content(platform: Platform, client: Doc, fields: Doc) -> None:
    """Assign to a client what its license assigns."""
    _append_content(client, fields)
    client["updatedAt"] = platform.clock.format_now()
    platform.objects.save_object("clients", client)


def _append_content(doc: Doc, fields: Doc) -> None:
    """Append to the assignments, or replace them where the flag of a list is true."""
    for name, flag in ASSIGNMENTS.items():
        if fields.get(name) is not None:
            before = [] if fields.get(flag) else doc.get(name, [])
            doc[name] = list(dict.fromkeys([*before, *fields[name]]))


def keep_one_default(platform: Platform, license_: Doc) -> None:
    """A client has one default license: the newest that says so."""
    for other in platform.objects.list_owned("licenses", license_["clientId"]):
        if other["id"] != license_["id"] and other.get("isDefault"):
            platform.objects.save_object("licenses", {**other, "isDefault": False})


def show_license(license_: Doc) -> Doc:
    return pick_fields(license_, SHOWN)


def list_licenses(platform: Platform, call: Call) -> Answer:
    """By page or cursor, oldest first, below what is said of the client (O62)."""
    client = find_visible_client(platform, call)

    def show_item(license_: Doc) -> Doc:
        tags = name_objects(platform, "tags", license_["courseTagIds"], field="label")
        return {**show_license(license_), "courseTags": tags, **pick_fields(license_, _MADE)}

    owned = platform.objects.list_owned("licenses", client["id"])
    answer = page_by_number(platform, call, "licenses", items=owned, show=show_item, cursors=True)
    if isinstance(answer.body, dict):
        answer.body.update(pick_fields(client, CLIENT_SHOWN))
    return answer


def find_visible_client(platform: Platform, call: Call) -> Doc:
    """The client of the path; one that the key may not see is a 404, like an unknown one."""
    client = platform.objects.get_object("clients", call.path["id"])
    if client is None or not call.key.may_see_client(client["id"]):
        raise not_found("client", call.path["id"])
    return client


def name_objects(platform: Platform, kind: str, ids: list[str], *, field: str) -> list[Doc]:
    """The objects that the ids mean, each with the field by which people know it."""
    docs = (platform.objects.get_object(kind, id_) for id_ in ids)
    return [{"id": one["id"], field: one[field]} for one in docs if one]


def update_license(platform: Platform, call: Call) -> Answer:
    """What is sent is set, null clears; the lists are appended to unless their flag is true."""
    license_ = _find_license(platform, call)
    fields = _read_license_changes(platform, call, license_)
    _append_content(license_, fields)
    put_fields(license_, drop_fields(fields, *ASSIGNMENTS, *ASSIGNMENTS.values()))
    license_ |= {name: license_.get(name, False) for name in ("enableBranding", "isDefault")}
    clears_seats = "seatsLimit" in fields or platform.switches.seatsOnUpdate == "replace"
    if clears_seats and not fields.get("seatsLimit"):
        license_.pop("seatsLimit", None)  # 0 and none are unlimited (O32)
    license_["updatedAt"] = platform.clock.format_now()
    platform.objects.save_object("licenses", license_)
    client = platform.objects.get_object("clients", license_["clientId"])
    if client is not None:
        assign_content(platform, client, fields)
    if license_.get("isDefault"):
        keep_one_default(platform, license_)
    return Answer(show_license(license_))


def delete_license(platform: Platform, call: Call) -> Answer:
    """The license as it was. Its holders keep what it gave them, as direct enrollments: what a
    removal does unless it says otherwise (spec 2.7, 3); the effect on learners is not shown."""
    license_ = _find_license(platform, call)
    forget_license(platform, license_["id"])
    platform.objects.remove_object("licenses", license_["id"])
    return Answer(show_license(license_))


def forget_license(platform: Platform, id_: str) -> None:
    """Take a license out of everything that names it."""
    reach = Reach(platform)
    for user in platform.objects.list_objects("users"):
        if id_ in held_licenses(user):
            leaving = Change(user, gained=[], lost=[id_])
            change_licenses(reach, leaving, options=Options())
    for other in platform.objects.list_objects("licenses"):
        if other.get("parentLicenseId") == id_:
            platform.objects.save_object("licenses", {**other, "parentLicenseId": None})


def _find_license(platform: Platform, call: Call) -> Doc:
    license_ = platform.objects.get_object("licenses", call.path["id"])
    if license_ is None:
        raise not_found("license", call.path["id"])
    if not call.key.may_see_client(license_["clientId"]):
        raise Refusal(403, "The API key may not change this client")
    return license_


def _read_license_changes(platform: Platform, call: Call, license_: Doc) -> Doc:
    fields = check_changes(call.body, FIELD_RULES, ("name", *ASSIGNMENTS))
    if fields.get("parentLicenseId") == license_["id"]:
        raise InvalidValue("a license cannot be its own parent", "parentLicenseId")
    require_references(platform, fields)
    return fields
