"""From the manifest of a license to its form."""

from collections.abc import Iterator

from ...resource import Form, Reference
from ..kind import Data
from ..managed import OWN_FIELDS
from ..refers import Refers, found_in, nodes

REFERS = {
    "client": Refers("client", "clientId"),
    "courses": Refers("course", "courseIds", id="course"),
    "learningPaths": Refers("learningPath", "learningPathIds"),
    "courseTags": Refers("tag", "courseTagIds"),
    "parentLicense": Refers("license", "parentLicenseId"),
}


def references(data: Data) -> Iterator[Reference]:
    return found_in(REFERS, data)


def normalise(_key: str, data: Data) -> Form:
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    return form | {f: nodes(refers, form[f]) for f, refers in REFERS.items() if f in form}
