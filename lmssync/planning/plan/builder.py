"""Collects the planned changes and the calls of a plan."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from ...kind import CallPart, Effect, ManualStep, Removal, UpdatePlan
from ...kinds import KINDS, is_structure
from ...resource import Address, Form, Reference, Resource
from ...settings import Platform
from ...state import DriftFinding, Store
from ...support.disk_buffer import DiskBuffer
from ..diff import ORDER, Change, Difference, FieldChange, Resolution, value_at
from .consequences import share_values, weigh_consequence
from .plan import Action, Adoption, PlannedChange
from .plan_context import Blocker, PlanState
from .release_plans import find_turns
from .schedule import Work


class Removals(NamedTuple):
    """Everything that leaves the catalog in one plan."""

    departures: Mapping[Address, Removal] = {}
    parts: Mapping[Address, Mapping[Address, str]] = {}
    """By resource, the parts of it that leave, with their titles."""
    staying: Collection[Address] = frozenset()
    """The recorded resources that stay, by their address in the catalog."""

    def find_removed_owner(self, address: Address) -> Address | None:
        """The resource that it is a part of, if that also leaves or has left before."""
        whole = self.departures[address].whole
        return None if whole in self.staying else whole

    def manual_steps_of(self, address: Address) -> Sequence[ManualStep]:
        """Manual steps; a part that leaves with its owner is decided with the owner."""
        return () if self.find_removed_owner(address) else self.departures[address].manual

    def reasons_of(self, address: Address) -> list[str]:
        """The reason, the effects that continue anyway, and which of its parts still apply."""
        whole, stays = self.find_removed_owner(address), self.departures[address].stays
        why = f"no longer managed, like {whole}, to which it belongs"
        if whole is None:
            why = f"no longer managed; the platform keeps it: {stays}"
        elif whole in self.departures:
            why = f"no longer managed, like its {whole.kind}; the platform keeps it: {stays}"
        titles = sorted(self.parts.get(address, {}).items())
        parts = ", ".join(f"“{title}” ({part})" for part, title in titles)
        return [why, f"these still apply: {parts}"] if parts else [why]


def sort_removals(recorded: Collection[Address], changes: Sequence[Change]) -> Removals:
    """Sorts out what leaves; `recorded` is everything that the state knows."""
    departures: dict[Address, Removal] = {}
    parts: defaultdict[Address, dict[Address, str]] = defaultdict(dict)
    leaving = [change for change in changes if change.difference is Difference.GONE]
    around = {change.address: change for change in changes} if leaving else {}
    for change in leaving:
        kind = KINDS[change.address.kind]
        departure = kind.calls.removal(change.before)
        departures[change.address] = departure
        if whole := departure.whole:
            form = around[whole].before if whole in around else {}
            parts[whole][change.address] = kind.authoring.title_beside(change.before, form)
    moved = {change.address for change in changes if change.was}
    return Removals(departures, parts, {*recorded, *moved} - departures.keys())


_NOTHING, _UNTITLED = frozenset[Address](), MappingProxyType[str, str]({})
"""One for all: each empty set of its own would take as much room as a call."""


@dataclass
class Builder:
    """A plan that is still being built."""

    platform: Platform
    state: PlanState
    left: Mapping[Address, int] = field(default_factory=dict)
    """How often something has moved away from an address, taking its mark along."""
    planned: list[PlannedChange] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    releases: dict[Address, bytes] = field(default_factory=dict)
    adoptions: dict[Address, Adoption] = field(default_factory=dict)
    new: set[Address] = field(default_factory=set)
    moving: set[Address] = field(default_factory=set)
    """New addresses of resources that can move."""
    blockers: Mapping[Address, Blocker] = field(default_factory=dict)
    removals: Removals = field(default_factory=Removals)
    named: set[Address] = field(default_factory=set)
    """What changes name (`find_named`)."""
    is_release: bool = False
    """What people see is changed last."""
    spill: DiskBuffer = field(default_factory=DiskBuffer)
    find_form: Callable[..., Form] = lambda _address, **_preference: {}
    """The form of a resource as it is desired, else as it is recorded; with `prefers_record`, the
    other way about."""

    def _will_exist(self, address: Address) -> bool:
        """True if it is on the platform, under the address that it has once the plan is applied."""
        return address in self.state.recorded or address in self.moving

    def add_change(
        self,
        change: Change,
        action: Action,
        effect: Effect,
        reasons: Sequence[str],
        *,
        described: UpdatePlan | None = None,
        after: Form | None = None,
        **more: Any,
    ) -> None:
        """Adds the planned change of a resource; `more` are fields of a `PlannedChange`.

        `described` is how an update is made, and `after` the form that it leads to, where that is
        unpacked already.
        """
        edited = len(change.came) + len(change.gone)
        # What waits for a conflict is said with the conflict.
        own = [one for one in change.drift if one.decision is not Resolution.WAITING]
        more = {
            # A saved plan must still find it; nothing was recorded of something forgotten.
            "basis": change.basis.fingerprint if change.basis and not change.returned else None,
            "was": change.was,
            "drift": own or (),
            "evidence": change.evidence,
            "edited_parts": edited,
            "listed_at": change.listed_at,
            "read_on": change.read_on,
            "filled": change.filled,
            **more,
        }
        self.named |= find_named(change.desired) if change.desired else set()
        reached = change.after if after is None else after
        more |= locate_change(change, reached, more.get("fields", ()))
        title_in, whole = KINDS[change.address.kind].authoring.title_in, more["part_of"]
        asked = bool(more.get("manual"))
        if title_in and whole and more.get("title"):
            is_gone = change.difference is Difference.GONE  # and so may be what it is named after
            title = title_in(
                reached or change.before, self.find_form(whole, prefers_record=is_gone)
            )
            more |= {"manual": _name_in_steps(more, title)} if asked else {}
            more["title"] = title
        more["manual"] = share_values(tuple(more.get("manual", ())))
        more["consequence"] = weigh_consequence(
            self.state, change, action, effect, asked=asked, described=described, after=reached
        )
        said = share_values(tuple(reasons))
        self.planned.append(PlannedChange(change.address, action, effect, said, **more))

    def add_calls(
        self,
        resource: Resource,
        calls: Sequence[CallPart],
        before: Form = MappingProxyType({}),  # type: ignore[assignment]
    ) -> None:
        """Adds the calls of a resource, after everything that it needs."""
        keep = self.spill.keep_bytes
        parts = tuple(
            # Bodies of a large plan do not fit into the memory: they are on the disk until they are
            # sent.
            part._replace(kept_body=keep(part.spelled_body), kept_after=keep(part.packed_after))
            for part in calls
        )
        needed = [
            reference.address
            for reference in resource.references
            if reference.address != resource.address and self._waits_for(resource, reference)
        ]
        turns: tuple[int, ...] = ()
        if self.is_release:
            kind = KINDS[resource.address.kind]
            turns = tuple(find_turns(kind, before, calls, resource.form))
        after = frozenset(needed) if needed else _NOTHING
        self.works.append(Work(resource.address, parts, after, turns=turns))

    def _waits_for(self, resource: Resource, reference: Reference) -> bool:
        """True if what is referred to must be made first: the resource, or a part to be added."""
        if reference.address in self.new:
            # Two new courses may name each other: what is deferrable is set by a later update.
            return not (reference.deferrable and resource.address in self.new)
        # A reference to a resource that exists needs no wait, unless it names a part that this plan
        # is about to add.
        if reference.part is None or not self._will_exist(reference.address):
            return False
        return reference.part not in self.state.parts_of(reference.address)


def find_named(resource: Resource) -> set[Address]:
    """What a resource names, as a whole, by a field that is no list."""
    return {
        one.address
        for one in resource.references
        if one.kind in KINDS and not one.part and not any(isinstance(i, int) for i in one.path)
    }


def _name_in_steps(more: Mapping[str, Any], title: str) -> list[ManualStep]:
    """The steps for people, in which the title replaces the one without titles of parts."""
    return [
        step._replace(text=step.text.replace(f"“{more['title']}”", f"“{title}”"))
        for step in more["manual"]
    ]


def to_the_end(calls: Sequence[CallPart], *, whole: bool = True) -> list[CallPart]:
    """The calls of a change; after the last one the resource is as desired, if `whole`."""
    return [call._replace(last=whole and n == len(calls)) for n, call in enumerate(calls, 1)]


def locate_change(change: Change, after: Form, fields: Sequence[FieldChange]) -> dict[str, Any]:
    """The resource that a change belongs to, and the titles of the parts that its fields are in."""
    before: Form = {}
    paths = [one.path for one in (*fields, *change.blocked_fields)]
    paths += [one.path for one in change.drift]
    titles: Mapping[str, str] = _UNTITLED
    if any("[" in path or path.endswith(f".{ORDER}") for path in paths):
        before = change.before if change.recorded else {}
        titles = dict(chain.from_iterable(find_part_titles(path, before, after) for path in paths))
    held = after or before or (change.before if change.recorded else {})
    whole = KINDS[change.address.kind].calls.removal(held).whole if held else None
    return {"part_of": whole, "part_titles": titles}


def list_part_titles(form: Form, above: str = "") -> Iterator[tuple[str, str]]:
    """The title of every part of a form, by the path of the part."""
    for level, items in form.items():
        for item in items if is_structure(items) else ():
            path = f"{above}{level}[{item['id']}]"
            yield path, str(item["title"] or "")
            yield from list_part_titles(item, f"{path}.")


def find_part_titles(path: str, *forms: Form) -> Iterator[tuple[str, str]]:
    """The title of each part that a path leads through, by the path of the part."""
    for end in (n for n, letter in enumerate(path, 1) if letter == "]"):
        values = (value_at(form, path[:end]) for form in forms)
        parts = (one for one in values if isinstance(one, dict) and one.get("title"))
        if part := next(parts, None):
            yield path[:end], str(part["title"])
    if path.endswith(f".{ORDER}"):
        level = path.removesuffix(f".{ORDER}")
        for item in value_at(forms[-1], level):
            yield f"{level}[{item['id']}]", str(item.get("title") or "")


def title_finding(store: Store, found: DriftFinding) -> dict[str, str]:
    """The title of what was found changed, by no path, and of its changed parts, by their paths."""
    record = store.find_record(found.address)
    if record is None:
        return {}
    title = KINDS[found.address.kind].authoring.title(record.form) or ""
    parts = (find_part_titles(path, record.form) for path in found.paths)
    return {"": title, **dict(chain.from_iterable(parts))}
