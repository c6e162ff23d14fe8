"""From the manifest of a license to its form."""

from ...resource import Form
from ..kind import Data, Json
from ..managed import OWN_FIELDS
from ..references import ReferenceField, nodes, points_at

REFERENCES = {
    "client": ReferenceField("client", "clientId"),
    "courses": ReferenceField("course", "courseIds", id="course"),
    "learningPaths": ReferenceField("learningPath", "learningPathIds"),
    "courseTags": ReferenceField("tag", "courseTagIds"),
    "parentLicense": ReferenceField("license", "parentLicenseId"),
}
_PLAIN = ("name", "expirationDate", "accessDays", "seatsLimit", "isDefault")


def normalise(_key: str, data: Data) -> Form:
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    return form | {f: nodes(declared, form[f]) for f, declared in REFERENCES.items() if f in form}


def facts(_data: Data, form: Form) -> dict[str, Json]:
    """The client, the plain values of `_PLAIN`, and whether it opens what is not in the catalog."""
    found = {field: form[field] for field in _PLAIN if form.get(field) is not None}
    unknown = [course for course in form["courses"] if not isinstance(course, dict)]
    if unknown or form["learningPaths"] or form["courseTags"]:
        found["opensMore"] = True
    return found | {"client": points_at(form["client"])}
