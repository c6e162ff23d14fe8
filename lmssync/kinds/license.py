"""license: what a client's learners may take, and how many of them (spec 2.5)."""

from collections.abc import Iterator, Set
from typing import Annotated

from ..address import Address
from ..problems import Finding, Severity
from ..resource import Form, Reference
from ..vocabulary.routes import Capability
from .between import licenses
from .between.siblings import named_twice
from .call_part import CallPart
from .kind import (
    Change,
    Data,
    Departure,
    Described,
    Effect,
    Ids,
    Json,
    Kind,
    Loss,
    Manual,
    Reading,
    Search,
)
from .managed import OWN_FIELDS, Managed
from .refers import Refers, found_in, nodes, rewire
from .texts import quality
from .types import Date, Line, Positive, Shown, Switch, Title, Uuid

CREATE = "license.create"
REFERS = {
    "client": Refers("client", "clientId"),
    "courses": Refers("course", "courseIds", id="course"),
    "learningPaths": Refers("learningPath", "learningPathIds"),
    "courseTags": Refers("tag", "courseTagIds"),
    "parentLicense": Refers("license", "parentLicenseId"),
}
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


def replaces(license_: LicenseSpec) -> Iterator[Finding]:
    """The replace flags reach beyond the license, which their names do not say (spec 4)."""
    for field in REPLACES:
        if getattr(license_, field):
            yield Finding(
                "license-replaces",
                (field,),
                f"`{field}: true` takes away other assignments of the client as well",
                "leave it out unless you intend that: they cannot be restored",
                Severity.WARNING,
            )


def grants(license_: LicenseSpec) -> Iterator[Finding]:
    """The platform accepts a license that opens nothing, but it is useless."""
    if not (license_.courses or license_.learningPaths or license_.courseTags):
        yield Finding(
            "license-empty",
            ("courses",),
            "the license names no course, no learning path and no tag",
            "name what its holders may use",
            Severity.WARNING,
        )


def references(data: Data) -> Iterator[Reference]:
    return found_in(REFERS, data)


def normalise(_key: str, data: Data) -> Form:
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    return form | {f: nodes(refers, form[f]) for f, refers in REFERS.items() if f in form}


def create(address: Address, form: Form, marker: str | None) -> CallPart:
    """The marker is `refN=value`: the project file names the field."""
    body = {key: value for key, value in rewire(REFERS, form).items() if value is not None}
    if marker:
        field, _, value = marker.partition("=")
        body.setdefault(field, value)
    return CallPart.of(address, CREATE, body, adds=True, repeatable=False)


def update(change: Change) -> Described:
    """No route of the specification changes a license: each field is a step for a person."""
    changed = [field for field, value in change.after.items() if change.before.get(field) != value]
    return Described(
        manual=[
            Manual(field, f"set `{field}` of the license in the admin interface")
            for field in changed
        ]
    )


def departure(_form: Form) -> Departure:
    """No route of the specification deletes a license."""
    return Departure(Effect.ACCESS, "its holders keep their access, and their seats stay taken")


def losses(before: Form, after: Form) -> Iterator[Loss]:
    """A replace flag ends what other licenses of the client have assigned (spec 4)."""
    for field, assigned in REPLACES.items():
        if after.get(field) and not before.get(field):
            yield Loss(
                f"`{field}: true` takes away every other {assigned} assignment of the client, "
                "those of its other licenses too, and they cannot be restored",
                Effect.ACCESS,
            )


def created(answer: Json) -> list[str]:
    return [answer["id"]]


def match(
    _form: Form, _marker: str | None, live: Json, _taken: Set[str], _known: Ids | None = None
) -> Ids | None:
    """The answer of a create is the license itself (spec 4)."""
    return Ids({"id": live["id"]}) if "id" in live else None


def search(form: Form, marker: str | None) -> Search:
    """Among the licenses of its client, where the instance lists them (O33): by its mark.

    Without one, a license of the same name stays a matter for a person.
    """
    field, _, value = (marker or "").partition("=")
    reading = Reading("license.list", {"id": form["client"]}, {}, "licenses")

    def fits(item: Json) -> str | None:
        same = item.get(field) == value if field else item.get("name") == form["name"]
        return str(item["id"]) if same else None

    return Search(reading, fits, Capability.EXTENDED)


KIND = Kind(
    name="license",
    resource="license",
    noun="license",
    spec=LicenseSpec,
    normalise=normalise,
    references=references,
    rules=(replaces, grants, named_twice("courses", "learningPaths", "courseTags"), quality),
    facts=licenses.facts,
    between=licenses.BETWEEN,
    family="client",
    among=licenses.AMONG,
    effects=dict.fromkeys(LicenseSpec.model_fields, Effect.ACCESS)
    | {"name": Effect.EDITORIAL, "label": Effect.EDITORIAL, "sku": Effect.EDITORIAL},
    creation=Effect.ACCESS,
    losses=losses,
    mark_setting="licenseMarker",
    create=create,
    departure=departure,
    update=update,
    created=created,
    hidden=True,
    match=match,
    search=search,
)
