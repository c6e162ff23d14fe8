"""Whether a license opens what it names, and fits the others of its client (spec 2.5)."""

from collections.abc import Iterator
from datetime import timedelta

from ...problems import Finding, Severity
from ...resource import Reference, Resource
from ...vocabulary.enums import CreateStatus
from ..course.facts import access_end
from ..course.reference_rules import OPENS
from ..kind import Groups, Resources
from ..moments import after, begins, ends, latest
from ..references import is_uuid
from ..siblings import repeated


def lasts(license_: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """A license that ends before a course begins, or before it ends."""
    expires = license_.facts.get("expirationDate")
    if reference.path[0] != "courses" or not expires:
        return
    opens, end = latest(course.facts, OPENS), access_end(course.facts)
    if after(opens, expires):
        yield Finding(
            "license-before-course",
            reference.path,
            f"the license expires on {expires}, and `{reference.name}` opens on {opens}: "
            "none of its holders can take it",
            "let the license expire later, or take the course out of it",
        )
    elif end and ends(expires) < ends(end):
        yield Finding(
            "license-ends-early",
            reference.path,
            f"the license expires on {expires}, and `{reference.name}` goes on until {end}: "
            "its holders lose access before it ends",
            "let the license expire later, unless you intend that",
            Severity.WARNING,
        )


def days_suffice(license_: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """Days count from the enrollment, which may be long before the course starts."""
    days = license_.facts.get("accessDays")
    joins, starts = (course.facts.get(f) for f in ("enrollmentStartDate", "courseStartDate"))
    if reference.path[0] != "courses" or not (days and joins and starts):
        return
    if begins(starts) - begins(joins) >= timedelta(days=days):
        yield Finding(
            "access-before-start",
            reference.path,
            f"access ends {days} days after enrollment; a learner who enrols in "
            f"`{reference.name}` on {joins} has lost it when the course starts on {starts}",
            "raise `accessDays`, or open the enrollment later",
            Severity.WARNING,
        )


def parent(license_: Resource, reference: Reference, above: Resource) -> Iterator[Finding]:
    """A license stands below one of the same client, and takes no more seats than that has."""
    if reference.path[0] != "parentLicense":
        return
    ours, theirs = license_.facts["client"], above.facts["client"]
    if ours != theirs and is_uuid(ours) == is_uuid(theirs):
        yield Finding(
            "parent-of-other-client",
            reference.path,
            f"`{reference.name}` is a license of {_client(theirs)}, and this one is of "
            f"{_client(ours)}",
            "name a license of the same client",
        )
    seats, most = license_.facts.get("seatsLimit"), above.facts.get("seatsLimit")
    if seats and most and seats > most:
        yield Finding(
            "seats-over-parent",
            ("seatsLimit",),
            f"the license has {seats} seats, and `{reference.name}`, its parent, has {most}",
            f"write at most {most}, or raise the seats of `{reference.name}`",
            Severity.WARNING,
        )


def _client(name: str) -> str:
    return f"`{name.partition('.')[2] or name}`"


def one_default(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """New learners of a client get one license."""
    for siblings in groups.values():
        for license_, first in repeated(
            siblings, lambda other: other.facts.get("isDefault") or None
        ):
            yield (
                license_,
                Finding(
                    "default-twice",
                    ("isDefault",),
                    f"{first.address} is the default license of {_client(first.facts['client'])} "
                    "too: the one that is created last would win",
                    "keep `isDefault: true` at one of them",
                ),
            )


def own_names(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """People who assign licenses choose them by name."""
    for siblings in groups.values():
        for license_, first in repeated(siblings, lambda other: other.facts["name"]):
            yield (
                license_,
                Finding(
                    "license-name-twice",
                    ("name",),
                    f"{first.address} of the same client is called “{first.facts['name']}” as well",
                    "give one of the two another name",
                    Severity.WARNING,
                ),
            )


def opens_something(groups: Groups, catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """All that it opens are drafts, which nobody can take."""
    for siblings in groups.values():
        for license_ in siblings:
            if not license_.facts.get("opensMore") and _only_drafts(license_, catalog):
                yield (
                    license_,
                    Finding(
                        "license-of-drafts",
                        ("courses",),
                        "every course of the license is a draft: its holders find nothing yet",
                        "publish one of them, or assign the license later",
                        Severity.WARNING,
                    ),
                )


def _only_drafts(license_: Resource, catalog: Resources) -> bool:
    named = [r.address for r in license_.references if r.path[0] == "courses"]
    return bool(named) and all(
        address in catalog and catalog[address].facts.get("status") == CreateStatus.DRAFT
        for address in named
    )


REFERENCE_RULES = (lasts, days_suffice, parent)
GROUP_RULES = (one_default, own_names, opens_something)
