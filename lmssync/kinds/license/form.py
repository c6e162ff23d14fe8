"""From the manifest of a license to its form."""

from collections.abc import Iterator

from ...resource import Form, Reference
from ..kind import Data
from ..managed import OWN_FIELDS
from ..references import ReferenceField, found_in, nodes

REFERENCES = {
    "client": ReferenceField("client", "clientId"),
    "courses": ReferenceField("course", "courseIds", id="course"),
    "learningPaths": ReferenceField("learningPath", "learningPathIds"),
    "courseTags": ReferenceField("tag", "courseTagIds"),
    "parentLicense": ReferenceField("license", "parentLicenseId"),
}


def references(data: Data) -> Iterator[Reference]:
    return found_in(REFERENCES, data)


def normalise(_key: str, data: Data) -> Form:
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    return form | {f: nodes(declared, form[f]) for f, declared in REFERENCES.items() if f in form}
