"""Edits by hand of everything that is kept besides courses: licenses, users, tags and so on.

What a person deletes is kept in the trash, so that it can be restored.
"""

from typing import Any

from .. import value_checks
from ..data.object_kinds import BLOCKS, KINDS, LAYOUTS, make_blank
from ..handlers import purchase_path_routes
from ..handlers.license_routes import ASSIGNMENTS, FIELD_RULES, forget_license, require_references
from ..sandbox_documents import Doc, drop_fields
from ..sandbox_platform import Platform
from ..seeds.seed_planting import checked_items, complete_item, needed_fields_of
from ..seeds.seed_rules import SEED_RULES
from ..value_checks import InvalidValue, Rule, error_path, quote_value, require_fields


def put_in_trash(
    platform: Platform, list_: str, doc: Doc, *, parent: str | None = None, index: int = 0
) -> None:
    """Keep `doc`; `parent` and `index` say where it stood in a tree."""
    place = {"list": list_, "parentId": parent, "index": index, "doc": doc}
    platform.objects.add_object("trash", {"id": _trash_id(list_, doc["id"]), **place})


def take_from_trash(platform: Platform, list_: str, id_: str) -> Doc:
    """Take the entry out of the trash. Raises InvalidValue if there is none."""
    entry = platform.objects.get_object("trash", _trash_id(list_, id_))
    if entry is None:
        raise InvalidValue(f'nothing with the id "{id_[:100]}" was deleted from {list_}', "id")
    platform.objects.remove_object("trash", entry["id"])
    return entry


def _trash_id(list_: str, id_: str) -> str:
    return f"{list_}/{id_}".lower()


_MADE_BY_THE_PLATFORM = frozenset({"events", "notifications", "deliveries", "jobs", "trash"})
_LEARNER = ("userId", "learnerId")
_OF_LEARNERS = frozenset(name for name, kind in KINDS.items() if kind.owner in _LEARNER)
_LEFT_BY_LEARNERS = _OF_LEARNERS - {"enrollments"}
EDITED = tuple(kind for kind in KINDS if kind not in _MADE_BY_THE_PLATFORM)
SOFT = {"assets": "deletedAt"}
"""Kinds that stay when they are deleted, with the field that says so (spec 4)."""


_ITEM: dict[str, Rule] = {
    **dict.fromkeys(("description", "slug", "sku", "ribbon"), value_checks.check_text),
    "priceInCents": value_checks.whole_number_between(0),
    "active": value_checks.check_flag,
    **dict.fromkeys(("courseIds", "tagIds"), value_checks.check_uuids),
}


def _as_seeded(kind: str, *names: str) -> dict[str, Rule]:
    return {name: SEED_RULES[kind][name] for name in names}


RULES: dict[str, dict[str, Rule]] = {
    **dict.fromkeys(("learningPaths", "collections", "subscriptions"), _ITEM),
    "clients": _as_seeded("clients", *BLOCKS, *LAYOUTS, "seatsLimit", "licenseEndDate"),
    "licenses": {
        **_as_seeded("licenses", *BLOCKS, *LAYOUTS),
        **drop_fields(FIELD_RULES, *ASSIGNMENTS.values()),
    },
    "purchasePaths": purchase_path_routes.RULES,
    "assets": _as_seeded("assets", "assetType", "processingStatus"),
    "customFields": _as_seeded("customFields", "level", "type", "options"),
    "videoAssets": _as_seeded("videoAssets", "source"),
    "enrollments": _as_seeded("enrollments", "status", "source"),
}
"""Rules of the fields that have one; every other field keeps its type, and is text where it is
empty."""


def set_object_fields(platform: Platform, list_: str, id_: str, fields: Doc) -> Doc:
    """Set fields to values of their type; null empties one that may be empty."""
    doc = _find_object(platform, list_, id_)
    for name, value in fields.items():
        doc[name] = _check_value(list_, doc, name, value)
    if list_ == "licenses":
        naming = (*ASSIGNMENTS, "parentLicenseId")
        require_references(platform, {name: doc.get(name) for name in naming})
    if "updatedAt" in doc and "updatedAt" not in fields:
        doc["updatedAt"] = platform.clock.format_now()
    platform.objects.save_object(list_, doc)
    return doc


def delete_object(platform: Platform, list_: str, id_: str) -> None:
    """Delete it; learners keep what it gave them, as with a license (spec 2.7)."""
    doc = _find_object(platform, list_, id_)
    if list_ in SOFT:
        platform.objects.save_object(list_, {**doc, SOFT[list_]: platform.clock.format_now()})
        return
    if list_ == "licenses":
        forget_license(platform, doc["id"])
    platform.objects.remove_object(list_, doc["id"])
    put_in_trash(platform, list_, doc)


def restore_object(platform: Platform, list_: str, id_: str) -> Doc:
    """Restore it under its old id; a restored license has no holders."""
    if list_ in SOFT:
        doc = _find_object(platform, list_, id_)
        doc[SOFT[list_]] = None
        platform.objects.save_object(list_, doc)
        return doc
    doc = take_from_trash(platform, list_, id_)["doc"]
    if platform.objects.has_object(list_, doc["id"]):
        raise InvalidValue(f"{list_} has the id {quote_value(doc['id'])} again", "id")
    return platform.objects.add_object(list_, doc)


def add_object(platform: Platform, list_: str, fields: Doc) -> Doc:
    """Add an item in the form of a seed; missing fields get their defaults."""
    if list_ in _LEFT_BY_LEARNERS:
        raise InvalidValue(
            f"{list_} come from what learners do; use the orders learners and events", "add"
        )
    rules, begun = RULES.get(list_, {}), dict.fromkeys(_needed_fields(list_), "")
    known = {**dict.fromkeys(rules), **begun, **make_blank(list_, platform.clock.format_now())}
    checked = {
        name: _check_value(list_, known, name, value)
        for name, value in fields.items()
        if name != "id" and value is not None
    }
    rule = value_checks.video_id if list_ == "videoAssets" else value_checks.check_uuid
    id_ = {"id": rule(fields["id"])} if fields.get("id") is not None else {}
    with error_path("add"):
        require_fields(checked, _needed_fields(list_))
    if list_ == "enrollments":
        checked = {"licenseId": None, "learningPathId": None, **checked}
        checked["createdAt"] = platform.clock.format_now()
    try:
        (item,) = checked_items(list_, [{**id_, **checked}])
    except InvalidValue as wrong:
        raise InvalidValue(str(wrong), "add") from None
    doc = complete_item(list_, item, platform.clock.format_now())
    if doc.get("id") and platform.objects.has_object(list_, str(doc["id"])):
        raise InvalidValue(f"{list_} already has the id {quote_value(doc['id'])}", "add")
    return platform.objects.add_object(list_, doc)


def _find_object(platform: Platform, list_: str, id_: str) -> Doc:
    doc = platform.objects.get_object(list_, id_)
    if doc is None:
        raise InvalidValue(f"nothing in {list_} has the id {quote_value(id_)}", "id")
    return doc


def _check_value(list_: str, doc: Doc, name: str, value: Any) -> Any:
    """The value as it is kept; raises InvalidValue for one that the sandbox could not handle."""
    if name == "id":
        raise InvalidValue("it cannot be changed", "id")
    rule = RULES.get(list_, {}).get(name) or _rule_of(name) or SEED_RULES[list_].get(name)
    if rule is None and name not in doc:
        known = sorted({*doc, *RULES.get(list_, {})} - {"id"})
        raise InvalidValue(f"not a field here; the fields are {', '.join(known)}", name[:60])
    if value is None:
        if name in _needed_fields(list_):
            raise InvalidValue("cannot be cleared", name)
        return make_blank(list_, "").get(name)
    before = doc.get(name)
    if rule is None and before is None:
        rule = value_checks.check_text
    if rule is not None:
        with error_path(name):
            return rule(value)
    if not _same_json_type(before, value):
        raise InvalidValue(
            f"is {quote_value(value)}; it must have the type of {quote_value(before)}", name
        )
    return value


def _rule_of(name: str) -> Rule | None:
    """The rule that follows from a name: a moment, an id, several ids."""
    if name.endswith("At"):
        return value_checks.check_date
    if name.endswith("Ids"):
        return value_checks.check_uuids
    return value_checks.check_uuid if name.endswith("Id") and name != "externalCustomerId" else None


def _needed_fields(list_: str) -> tuple[str, ...]:
    if list_ == "enrollments":
        return ("userId", "courseId", "status", "source")
    named = KINDS[list_].name
    return (*needed_fields_of(list_), *((named,) if named else ()))


def _same_json_type(before: Any, value: Any) -> bool:
    """True for two values of one JSON type, all numbers being one."""
    if isinstance(before, bool) or isinstance(value, bool):
        return isinstance(before, bool) and isinstance(value, bool)
    if isinstance(before, int | float):
        return isinstance(value, int | float)
    if isinstance(before, list) and isinstance(value, list):
        return not before or all(_same_json_type(before[0], item) for item in value)
    return type(before) is type(value)
