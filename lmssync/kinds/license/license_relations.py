"""Checks whether the licenses of a client can be told apart and open something (spec 2.5)."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import chain

from ...kind import Groups, Resources
from ...problems import Finding, Rule, warning_rule
from ...resource import Reference, Resource
from ...vocabulary.enums import CreateStatus
from ...vocabulary.iso_dates import parse_last_moment, parse_moment
from ..course import OPENS, access_end
from ..platform_values import begins_after, latest_date
from ..reference_fields import is_uuid
from ..sibling_names import find_lookalikes

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
LICENSE_OF_DRAFTS = warning_rule(
    "license-of-drafts",
    "Every course of a license is a draft, and the license opens nothing else.",
    "Publish one of them, or assign the license later.",
)
DEFAULT_TWICE = Rule(
    "default-twice",
    "A client has two default licenses.",
    "Keep `isDefault: true` in one of them.",
    fixed=False,
    source="spec 2.5",
)
LICENSE_NAME_TWICE = warning_rule(
    "license-name-twice",
    "Two licenses of a client have the same name.",
    "Give one of them another name.",
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
    elif end and parse_last_moment(expires) < parse_last_moment(end):
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
    if parse_moment(starts) - parse_moment(joins) >= timedelta(days=days):
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


def one_default(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """Yields a finding for a client with two default licenses: new learners get the one that was
    created last."""
    for license_, first in find_lookalikes(
        groups, lambda other: other.facts.get("isDefault") or None
    ):
        message = (
            f"{first.address} is the default license of {client_name(first)} too: the one that is "
            "created last would win"
        )
        hint = "keep `isDefault: true` at one of them"
        yield license_, DEFAULT_TWICE.at(("isDefault",), message, hint)


def own_names(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """People who assign licenses choose them by name."""
    for license_, first in find_lookalikes(groups, lambda other: other.facts["name"]):
        name = first.facts["name"]
        message = f"{first.address} of the same client is called “{name}” as well"
        hint = "give one of the two another name"
        yield license_, LICENSE_NAME_TWICE.at(("name",), message, hint)


def opens_something(groups: Groups, catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """Yields a finding for each license that opens only drafts, which nobody can take."""
    for license_ in chain.from_iterable(groups.values()):
        if not license_.facts.get("opensMore") and _only_drafts(license_, catalog):
            message = "every course of the license is a draft: its holders find nothing yet"
            yield license_, LICENSE_OF_DRAFTS.at(("courses",), message)


def _only_drafts(license_: Resource, catalog: Resources) -> bool:
    named = [r.address for r in license_.references if r.path[0] == "courses"]
    return bool(named) and all(
        address in catalog and catalog[address].facts.get("status") == CreateStatus.DRAFT
        for address in named
    )


GROUP_RULES = (one_default, own_names, opens_something)
