"""A license of the platform as a manifest (spec 2.5, O33)."""

from ...kind import Ids, ImportedManifest, Imports, NameOf, ReadRequest, Shown
from ..written import as_written_date, drop_unset_fields
from .spec import REFERENCES, LicenseSpec

_NEEDED = ("courses", "learningPaths", "courseTags")
_OWN = frozenset({"resource", "key", "moved", "lifecycle", *REFERENCES})


def license_manifest(shown: Shown, name_of: NameOf) -> ImportedManifest | str:
    item, client = shown["item"], shown["owner"]
    fields = {name: item.get(name) for name in LicenseSpec.model_fields if name not in _OWN}
    if fields.get("expirationDate"):
        fields["expirationDate"] = as_written_date(fields["expirationDate"])
    data = {"client": name_of("client", client)} | drop_unset_fields(
        {name: value for name, value in fields.items() if value is not False}
    )
    for name in _NEEDED:
        declared = REFERENCES[name]
        data[name] = [name_of(declared.kind, id_) for id_ in item.get(declared.wire) or ()]
    if item.get("parentLicenseId"):
        data["parentLicense"] = name_of("license", item["parentLicenseId"])
    return ImportedManifest(data, Ids({"id": item["id"]}))


IMPORTS = Imports(
    owner="client",
    listed=ReadRequest("license.list", {"id": ""}, {}, "licenses"),
    ids=lambda item: [item["id"]],
    name=lambda item: item["name"],
    manifest=license_manifest,
    answers=lambda shown: {"license.list": shown["item"]},
)
