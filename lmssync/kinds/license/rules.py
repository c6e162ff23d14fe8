"""Warns about what may surprise in the manifest of one license."""

from collections.abc import Iterator

from ...problems import Finding, warning_rule
from .calls import REPLACES
from .spec import LicenseSpec

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
