"""A catalog as it can be read, for commands that show what is in it and send nothing."""

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import WrongUse
from ..resource import Address

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog
    from ..report.catalog_report import Tree
    from ..resource import Resource


def read(root: Path, environment: str | None, *, warn: bool = True) -> "Catalog":
    """Everything that can be read; can warn on stderr how many errors the rest has."""
    from ..catalog import checking
    from ..problems import only_errors
    from ..report.value_words import count_noun

    catalog, problems = checking.readable(root.absolute(), environment, os.environ)
    if warn and (wrong := only_errors(problems)):
        count = count_noun(len(wrong), "error")
        click.echo(f"warning: the catalog has {count}: `lmssync validate` shows them", err=True)
    return catalog


def trees(catalog: "Catalog", patterns: Sequence[str]) -> list["Tree"]:
    """Outlines of all matching resources; without patterns, of all with their own manifests."""
    from ..report.catalog_report import tree

    named = list(_named_addresses(catalog, patterns)) if patterns else _by_themselves(catalog)
    users = _users(catalog)
    places = catalog.find_places({str(a): catalog.resources[a].origin for a in named})
    return [tree(catalog.resources[a], places[str(a)], users.get(a, {})) for a in named]


def one(catalog: "Catalog", text: str) -> Address:
    """The one resource of that address; raises `WrongUse`."""
    address, *others = _named_addresses(catalog, [text])
    if others:
        raise WrongUse(f"{text} names {len(others) + 1} resources", "name one of them")
    return address


def _named_addresses(catalog: "Catalog", patterns: Sequence[str]) -> Iterator[Address]:
    from ..problems import suggest_near

    seen: set[Address] = set()
    for pattern in patterns:
        named = [a for a in catalog.resources if fnmatchcase(str(a), pattern)]
        if not named and Address.parse(pattern) in catalog.refused:
            raise WrongUse(f"{pattern} has errors", "`lmssync validate` shows them")
        if not named:
            hint = (
                suggest_near(pattern, map(str, catalog.resources)) or "`lmssync outline` lists all"
            )
            raise WrongUse(f"there is no {pattern} in the catalog", hint)
        yield from (a for a in named if a not in seen)
        seen.update(named)


def _by_themselves(catalog: "Catalog") -> list[Address]:
    """Resources that are not written inside another manifest, ordered by kind and key."""
    from ..kinds import KINDS

    users = _users(catalog).items()
    inside = {a for owner, named in users for a in named if a.key.startswith(f"{owner.key}.")}
    order = list(KINDS)
    rest = (address for address in catalog.resources if address not in inside)
    return sorted(rest, key=lambda address: (order.index(address.kind), address.key))


def _users(catalog: "Catalog") -> dict[Address, dict[Address, "Resource"]]:
    """By address, the resources that refer to it, in the order of the catalog."""
    users: dict[Address, dict[Address, Resource]] = {}
    for address, resource in catalog.resources.items():
        for reference in resource.references:
            users.setdefault(reference.address, {})[address] = resource
    return users


def users_of_tags(catalog: "Catalog") -> dict[str, list[Address]]:
    """By label, in alphabetical order, the addresses of resources with the tag."""
    used: dict[str, list[Address]] = {}
    for address, resource in catalog.resources.items():
        for label in dict.fromkeys(r.name for r in resource.references if r.kind == "tag"):
            used.setdefault(label, []).append(address)
    return {label: sorted(used[label]) for label in sorted(used, key=str.casefold)}
