"""What is worth a word in the manifest of one license."""

from collections.abc import Iterator

from ...problems import Finding, Severity
from .calls import REPLACES
from .spec import LicenseSpec


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
