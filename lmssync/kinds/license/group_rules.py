"""Checks whether the licenses of a client can be told apart and open something (spec 2.5)."""

from collections.abc import Iterator
from itertools import chain

from ...kind import Groups, Resources
from ...problems import Finding, Rule, warning_rule
from ...resource import Resource
from ...vocabulary.enums import CreateStatus
from ..siblings import find_lookalikes
from .reference_rules import client_name

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


def one_default(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """New learners of a client get one license."""
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
    """It opens only drafts, which nobody can take."""
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
