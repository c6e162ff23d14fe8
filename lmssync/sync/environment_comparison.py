"""Compares the records of two environments. Nothing here asks a platform."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import NamedTuple

from ..errors import WrongUse
from ..kinds import KINDS
from ..planning.diff import FieldChange, compare_forms, drop_missed_people
from ..planning.plan import list_part_titles
from ..problems import suggest_near
from ..resource import Address, Form
from ..state import Store
from ..support.persons import codes_in


class EnvironmentDifference(NamedTuple):
    """A resource that is recorded in one of two environments only, or differs between them."""

    address: Address
    title: str
    side: int | None
    """0 or 1 if only the first or the second environment has it; None if both have."""
    fields: Sequence[FieldChange] = ()
    """`before` is the value of the first, `after` that of the second."""
    part_titles: Mapping[str, str] = MappingProxyType({})
    """The titles of the parts that the fields are in, by the paths of the parts."""


class EnvironmentComparison(NamedTuple):
    """Two environments beside each other."""

    same: int
    """How many resources are recorded alike in both."""
    differences: Sequence[EnvironmentDifference]
    uncompared: Sequence[Address]
    """Lists of people: each state names them by codes that are made with its own key."""


def compare_environments(
    first: Store, second: Store, patterns: Sequence[str] = ()
) -> EnvironmentComparison:
    """Compares what is recorded, or what matches a pattern; raises `WrongUse` if nothing does."""
    recorded = first.fingerprints(), second.fingerprints()
    addresses = sorted(_match_addresses({*recorded[0], *recorded[1]}, patterns))
    equal = {a for a in addresses if recorded[0].get(a) == recorded[1].get(a)}
    found = [
        (address, _recorded_form(first, address), _recorded_form(second, address))
        for address in addresses
        if address not in equal
    ]
    hidden = [address for address, *forms in found if _about_people(*forms)]
    if hidden and first.codes.key_digest == second.codes.key_digest:
        hidden = []
    differences = [_describe_difference(*one) for one in found if one[0] not in {*hidden}]
    return EnvironmentComparison(len(equal), differences, hidden)


def _match_addresses(known: set[Address], patterns: Sequence[str]) -> Iterator[Address]:
    if not patterns:
        yield from known
    names = {str(address): address for address in known}
    for pattern in patterns:
        hits = [address for name, address in names.items() if fnmatchcase(name, pattern)]
        if not hits:
            raise WrongUse(
                f"neither of the two environments has a recorded resource `{pattern}`",
                suggest_near(pattern, names) or "`lmssync state list -e ENV` lists them",
            )
        yield from hits


def _recorded_form(store: Store, address: Address) -> Form | None:
    record = store.find_record(address) if address in store.fingerprints() else None
    return drop_missed_people(address, record.form) if record else None


def _about_people(*forms: Form | None) -> bool:
    return all(form is not None and any(True for _ in codes_in(form)) for form in forms)


def _describe_difference(
    address: Address, first: Form | None, second: Form | None
) -> EnvironmentDifference:
    title = KINDS[address.kind].authoring.title(first or second or {})
    if first is None or second is None:
        return EnvironmentDifference(address, title, 0 if second is None else 1)
    titles = {**dict(list_part_titles(second)), **dict(list_part_titles(first))}
    shown = compare_both_ways(first, second)
    return EnvironmentDifference(address, title, None, shown, titles)


def compare_both_ways(before: Form, after: Form) -> Sequence[FieldChange]:
    """Every field that differs, also one that only `before` has; by their paths."""
    # A comparison passes over what its second form leaves out: the other way round shows it.
    back = (FieldChange(one.path, one.after, one.before) for one in compare_forms(after, before))
    fields = {one.path: one for one in (*back, *compare_forms(before, after))}
    return [fields[path] for path in sorted(fields)]
