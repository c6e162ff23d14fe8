"""license: what a client's learners may take, and how many of them (spec 2.5)."""

from collections.abc import Iterator, Set

from ..address import Address
from ..problems import Finding, Severity
from ..resource import Form, Reference
from .kind import Change, Data, Described, Effect, Ids, Json, Kind, Manual, Piece
from .managed import OWN_FIELDS, Managed
from .refers import Refers, found_in, nodes, rewire
from .types import Date, Positive, Text, Title, Uuid

CREATE = "license.create"
REFERS = {
    "client": Refers("client", "clientId"),
    "courses": Refers("course", "courseIds", id="course"),
    "learningPaths": Refers("learningPath", "learningPathIds"),
    "courseTags": Refers("tag", "courseTagIds"),
    "parentLicense": Refers("license", "parentLicenseId"),
}
REPLACES = ("replaceCourseIds", "replaceLearningPathIds", "replaceCourseTagIds")


class LicenseSpec(Managed):
    """A license of a client."""

    client: Title
    """Slug or uuid of the client."""
    name: Title
    courses: list[Title]
    """Keys or uuids; may be empty."""
    learningPaths: list[Uuid]
    courseTags: list[Title]
    """Labels of tags; courses that carry one are in the license."""
    replaceCourseIds: bool | None = None
    """Takes away every other course assignment of the client."""
    replaceLearningPathIds: bool | None = None
    """Takes away every other learning path assignment of the client."""
    replaceCourseTagIds: bool | None = None
    """Takes away every other tag assignment of the client."""
    label: Text | None = None
    sku: Text | None = None
    seatsLimit: Positive | None = None
    """Unlimited when left out."""
    parentLicense: Title | None = None
    """Key or uuid of the license above this one."""
    accessDays: Positive | None = None
    """Days of access after enrollment."""
    expirationDate: Date | None = None
    enableBranding: bool | None = None
    isDefault: bool | None = None
    """The license that new learners of the client get."""
    ref1: Text | None = None
    ref2: Text | None = None
    ref3: Text | None = None
    ref4: Text | None = None
    ref5: Text | None = None
    ref6: Text | None = None
    ref7: Text | None = None
    ref8: Text | None = None
    ref9: Text | None = None
    ref10: Text | None = None


def replaces(license_: LicenseSpec) -> Iterator[Finding]:
    """The replace flags reach beyond the license, which their names do not say (spec 4)."""
    for field in REPLACES:
        if getattr(license_, field):
            yield Finding(
                "license-replaces",
                (field,),
                f"`{field}: true` takes away other assignments of the client as well",
                "leave it out unless that is meant: nothing can bring them back",
                Severity.WARNING,
            )


def grants(license_: LicenseSpec) -> Iterator[Finding]:
    """A license that opens nothing is accepted, and helps nobody."""
    if not (license_.courses or license_.learningPaths or license_.courseTags):
        yield Finding(
            "license-empty",
            ("courses",),
            "the license names no course, no learning path and no tag",
            "name what its holders may take",
            Severity.WARNING,
        )


def references(data: Data) -> Iterator[Reference]:
    return found_in(REFERS, data)


def normalise(_key: str, data: Data) -> Form:
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    return form | {f: nodes(refers, form[f]) for f, refers in REFERS.items() if f in form}


def create(_address: Address, form: Form, marker: str | None) -> Piece:
    """The marker is `refN=value`: the project file names the field."""
    body = {key: value for key, value in rewire(REFERS, form).items() if value is not None}
    if marker:
        field, _, value = marker.partition("=")
        body.setdefault(field, value)
    return Piece(CREATE, body, after=form, adds=True, repeatable=False)


def update(change: Change) -> Described:
    """No route of the specification changes a license: each field is a step for a person."""
    changed = [field for field, value in change.after.items() if change.before.get(field) != value]
    return Described(
        manual=[
            Manual(field, f"set `{field}` of the license in the admin interface")
            for field in changed
        ]
    )


def created(answer: Json) -> list[str]:
    return [answer["id"]]


def match(
    _form: Form, _marker: str | None, live: Json, _taken: Set[str], _known: Ids | None = None
) -> Ids | None:
    """The answer of a create is the license itself (spec 4)."""
    return Ids({"id": live["id"]}) if "id" in live else None


KIND = Kind(
    name="license",
    resource="license",
    noun="license",
    spec=LicenseSpec,
    normalise=normalise,
    references=references,
    rules=(replaces, grants),
    effects=dict.fromkeys(LicenseSpec.model_fields, Effect.ACCESS)
    | {"name": Effect.EDITORIAL, "label": Effect.EDITORIAL, "sku": Effect.EDITORIAL},
    creation=Effect.ACCESS,
    mark_setting="licenseMarker",
    create=create,
    update=update,
    created=created,
    match=match,
)
