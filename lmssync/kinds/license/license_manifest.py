"""What an author may write of a license, and what may surprise in one manifest (spec 2.5)."""

from collections.abc import Iterator
from typing import Annotated

from ...kind import Data, Json
from ...problems import Finding, warning_rule
from ...resource import Form
from ..field_types import Date, Line, Positive, Shown, Switch, Title, Uuid
from ..reference_fields import ReferenceField, points_at
from ..shared_fields import Managed

LICENSE_REPLACES = warning_rule(
    "license-replaces",
    "A `replace...` flag takes away other assignments of the client as well.",
    "Leave it out unless you intend that. They cannot be restored.",
    source="spec 4",
    within="a license",
    wrong="replaceCourseIds: true",
    right="replaceCourseIds: false",
)
LICENSE_EMPTY = warning_rule(
    "license-empty",
    "The license opens nothing.",
    "Name courses, learning paths or tags.",
    within="a license",
    wrong="courses: []",
    right="courses: [safety-101]",
)

REPLACES = {
    "replaceCourseIds": "course",
    "replaceLearningPathIds": "learning path",
    "replaceCourseTagIds": "tag",
}
"""The flags, and the assignments that each takes away."""


class LicenseSpec(Managed):
    """A license of a client."""

    client: Annotated[Title, Shown(("acme",), wire="clientId")]
    """Slug or uuid of the client."""
    name: Annotated[Title, Shown(("Acme, all safety courses",))]
    """Its name in the admin interface."""
    label: Annotated[Line | None, Shown(("Safety",))] = None
    """Label of the license."""
    courses: Annotated[list[Title], Shown((["safety-101", "first-aid"],), wire="courseIds")]
    """Keys or uuids of courses that it opens; may be empty."""
    learningPaths: Annotated[list[Uuid], Shown(wire="learningPathIds")]
    """Uuids of learning paths that it opens; may be empty."""
    courseTags: Annotated[list[Title], Shown((["Safety"],), wire="courseTagIds")]
    """Labels of tags; courses that carry one are in the license."""
    replaceCourseIds: Switch = None
    """Takes away every other course assignment of the client."""
    replaceLearningPathIds: Switch = None
    """Takes away every other learning path assignment of the client."""
    replaceCourseTagIds: Switch = None
    """Takes away every other tag assignment of the client."""
    sku: Annotated[Line | None, Shown(("LIC-ACME-SAF",))] = None
    """SKU of the license."""
    parentLicense: Annotated[Title | None, Shown(("acme-safety",), wire="parentLicenseId")] = None
    """Key or uuid of the parent license."""
    seatsLimit: Annotated[Positive | None, Shown((250,))] = None
    """How many learners may hold it; unlimited when left out."""
    accessDays: Annotated[Positive | None, Shown((365,))] = None
    """Days of access after enrollment."""
    expirationDate: Date | None = None
    """When it ends for everybody, no matter when they enrolled."""
    enableBranding: Switch = None
    """Learners see the branding of the license."""
    isDefault: Switch = None
    """The license that new learners of the client get."""
    ref1: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field."""
    ref2: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field."""
    ref3: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field."""
    ref4: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field."""
    ref5: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field."""
    ref6: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field."""
    ref7: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field."""
    ref8: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field."""
    ref9: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field."""
    ref10: Annotated[Line | None, Shown(("Contract 2028-114",))] = None
    """Custom reference field; one of the ten may carry the mark of lmssync."""


REFERENCES = {
    "client": ReferenceField("client", "clientId"),
    "courses": ReferenceField("course", "courseIds", id="course"),
    "learningPaths": ReferenceField("learningPath", "learningPathIds"),
    "courseTags": ReferenceField("tag", "courseTagIds"),
    "parentLicense": ReferenceField("license", "parentLicenseId"),
}
_REFS = tuple(f"ref{number}" for number in range(1, 11))
_PLAIN = ("name", "expirationDate", "accessDays", "seatsLimit", "isDefault", *_REFS)


def license_facts(_data: Data, form: Form) -> dict[str, Json]:
    """The client, the plain values of `_PLAIN`, and whether it opens what is not in the catalog."""
    plain = {field: form[field] for field in _PLAIN if form.get(field) is not None}
    unknown = [course for course in form["courses"] if not isinstance(course, dict)]
    if unknown or form["learningPaths"] or form["courseTags"]:
        plain["opensMore"] = True
    return plain | {"client": points_at(form["client"])}


def check_replace_flags(license_: LicenseSpec) -> Iterator[Finding]:
    """The replace flags reach beyond the license, which their names do not say (spec 4)."""
    for field in REPLACES:
        if getattr(license_, field):
            message = f"`{field}: true` takes away other assignments of the client as well"
            hint = "leave it out unless you intend that: they cannot be restored"
            yield LICENSE_REPLACES.at((field,), message, hint)


def check_grants(license_: LicenseSpec) -> Iterator[Finding]:
    """The platform accepts a license that opens nothing, but it is useless."""
    if not (license_.courses or license_.learningPaths or license_.courseTags):
        message = "the license names no course, no learning path and no tag"
        yield LICENSE_EMPTY.at(("courses",), message, "name what its holders may use")
