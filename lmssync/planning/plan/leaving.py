"""What leaves the catalog: it is forgotten, or needs a manual step if it would stay in force."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ...kind import ManualStep, Removal
from ...kinds import KINDS
from ...resource import Address
from ..diff import Change, Difference


class Leaving(NamedTuple):
    """Everything that leaves in one plan."""

    departures: Mapping[Address, Removal] = {}
    parts: Mapping[Address, Sequence[Address]] = {}
    """By resource, the parts of it that leave."""
    staying: Collection[Address] = frozenset()
    """What is recorded and stays, under its address in the catalog."""

    def owner_leaving(self, address: Address) -> Address | None:
        """The resource that it is a part of, if that also leaves or has left before."""
        whole = self.departures[address].whole
        return None if whole in self.staying else whole

    def manual_steps_of(self, address: Address) -> Sequence[ManualStep]:
        """Manual steps; a part that leaves with its owner is decided with the owner."""
        return () if self.owner_leaving(address) else self.departures[address].manual

    def reasons_of(self, address: Address) -> list[str]:
        """The reason, the effects that continue anyway, and what stays in force with it."""
        parts = [str(part) for part in sorted(self.parts.get(address, ()))]
        stays = [f"what belongs to it stays in force: {', '.join(parts)}"]
        return [self._why_it_leaves(address), *stays * bool(parts)]

    def _why_it_leaves(self, address: Address) -> str:
        whole, stays = self.owner_leaving(address), self.departures[address].stays
        if whole is None:
            return f"it left the catalog; no route deletes it, so the platform keeps it: {stays}"
        if whole in self.departures:
            return (
                f"it left the catalog with {whole}; no route deletes either, "
                f"so the platform keeps both: {stays}"
            )
        return f"it left the catalog, and {whole}, which it belongs to, is no longer managed"


def sort_leaving(recorded: Collection[Address], changes: Sequence[Change]) -> Leaving:
    """Sorts out what leaves; `recorded` is everything that the state knows."""
    departures: dict[Address, Removal] = {}
    parts: defaultdict[Address, list[Address]] = defaultdict(list)
    for change in changes:
        if change.difference is Difference.GONE:
            departure = KINDS[change.address.kind].calls.removal(change.before)
            departures[change.address] = departure
            if departure.whole:
                parts[departure.whole].append(change.address)
    moved = {change.address for change in changes if change.was}
    return Leaving(departures, parts, {*recorded, *moved} - departures.keys())
