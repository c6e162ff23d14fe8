"""A purchase path of the platform as a manifest (spec 2.6)."""

from ...kind import Ids, ImportedManifest, Imports, NameOf, ReadRequest, Shown
from ...vocabulary.enums import TargetType
from ..written import drop_unset_fields
from .spec import path_title


def path_manifest(shown: Shown, name_of: NameOf) -> ImportedManifest | str:
    item = shown["item"]
    if item["targetType"] == TargetType.CATALOG_ITEM:
        target = {"item": name_of("course", item["targetId"])}
    else:
        target = {"url": item["targetUrl"], "title": item["targetUrlTitle"]}
    data = {"course": name_of("course", item["courseId"]), "label": item["label"], "target": target}
    order, hides = item.get("displayOrder") or None, item.get("hidePrimaryCta") or None
    more = drop_unset_fields({"displayOrder": order, "hidePrimaryCta": hides})
    return ImportedManifest(data | more, Ids({"id": item["id"]}))


IMPORTS = Imports(
    owner="course",
    listed=ReadRequest("path.list", {"contentId": ""}, {}, "data"),
    ids=lambda item: [item["id"]],
    name=path_title,
    manifest=path_manifest,
    answers=lambda shown: {"path.list": {"data": [shown["item"]]}},
)
