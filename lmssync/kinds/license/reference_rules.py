"""Checks whether a license opens what it names, and fits the others of its client (spec 2.5)."""

from collections.abc import Iterator
from datetime import timedelta

from ...problems import Finding, Rule, warning_rule
from ...resource import Reference, Resource
from ..course import OPENS, access_end
from ..moments import begins_after, latest_date, moment_of_begin, moment_of_end
from ..references import is_uuid

LICENSE_BEFORE_COURSE = Rule(
    "license-before-course",
    "A license expires before a course in it opens.",
    "Let it expire later, or take the course out of it.",
    fixed=False,
    source="spec 2.5",
)
LICENSE_ENDS_EARLY = warning_rule(
    "license-ends-early",
    "A license expires while a course in it is still running.",
    "Let it expire later, unless you intend that.",
    source="spec 2.5",
)
ACCESS_BEFORE_START = warning_rule(
    "access-before-start",
    "Counted from the first day of enrollment, access through a license ends before the "
    "course starts.",
    "Raise `accessDays`, or open the enrollment later.",
    source="spec 2.5",
)
PARENT_OF_OTHER_CLIENT = Rule(
    "parent-of-other-client",
    "A license has a parent license of another client.",
    "Name a license of the same client.",
    fixed=False,
    source="spec 2.5",
)
SEATS_OVER_PARENT = warning_rule(
    "seats-over-parent",
    "A license has more seats than its parent license.",
    "Write at most as many as the parent has.",
    source="spec 2.5",
)


def check_duration(license_: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """A license that ends before a course begins, or before it ends."""
    expires = license_.facts.get("expirationDate")
    if not expires:
        return
    opens, end = latest_date(course.facts, OPENS), access_end(course.facts)
    if begins_after(opens, expires):
        yield LICENSE_BEFORE_COURSE.at(
            reference.path,
            f"the license expires on {expires}, and `{reference.name}` opens on {opens}: "
            "none of its holders can take it",
            "let the license expire later, or take the course out of it",
        )
    elif end and moment_of_end(expires) < moment_of_end(end):
        yield LICENSE_ENDS_EARLY.at(
            reference.path,
            f"the license expires on {expires}, and `{reference.name}` goes on until {end}: "
            "its holders lose access before it ends",
            "let the license expire later, unless you intend that",
        )


def days_suffice(license_: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """Days count from the enrollment, which may be long before the course starts."""
    days = license_.facts.get("accessDays")
    joins, starts = (course.facts.get(f) for f in ("enrollmentStartDate", "courseStartDate"))
    if not (days and joins and starts):
        return
    if moment_of_begin(starts) - moment_of_begin(joins) >= timedelta(days=days):
        yield ACCESS_BEFORE_START.at(
            reference.path,
            f"access ends {days} days after enrollment; a learner who enrols in "
            f"`{reference.name}` on {joins} has lost it when the course starts on {starts}",
        )


def check_parent(license_: Resource, reference: Reference, above: Resource) -> Iterator[Finding]:
    """A license's parent has the same client, and at least as many seats."""
    ours, theirs = license_.facts["client"], above.facts["client"]
    if ours != theirs and is_uuid(ours) == is_uuid(theirs):
        yield PARENT_OF_OTHER_CLIENT.at(
            reference.path,
            f"`{reference.name}` is a license of {client_name(above)}, and this one is of "
            f"{client_name(license_)}",
        )
    seats, most = license_.facts.get("seatsLimit"), above.facts.get("seatsLimit")
    if seats and most and seats > most:
        message = f"the license has {seats} seats, and `{reference.name}`, its parent, has {most}"
        hint = f"write at most {most}, or raise the seats of `{reference.name}`"
        yield SEATS_OVER_PARENT.at(("seatsLimit",), message, hint)


def client_name(license_: Resource) -> str:
    """The client of a license, as its author wrote it."""
    client: str = license_.facts["client"]
    return f"`{client.partition('.')[2] or client}`"


REFERENCE_RULES = {"courses": (check_duration, days_suffice), "parentLicense": (check_parent,)}
