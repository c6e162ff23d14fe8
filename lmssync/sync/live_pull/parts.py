"""Parts that people added, deleted or moved on the platform, on their way into a manifest."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...kind import LivePart, PartDrift, part_name
from ...kinds import KINDS
from ...planning.diff import Drift
from ...resource import Form, Resource
from ...support.decisions import is_within
from ..discovery import NoManifest, written_part
from ..pull import ListChange, ListSources, PulledFiles, Unpullable, split, steps, wrap_part
from .context import PulledPart

ORDER = ".order"
_BY_HAND = (
    "write it into the manifest yourself, with the same title and type: the next plan takes it over"
)


@dataclass
class PartsPull:
    """What becomes of the lists of parts of one resource."""

    resource: Resource
    lists: dict[str, ListChange] = field(default_factory=dict)
    """By path of the list."""
    came: dict[str, LivePart] = field(default_factory=dict)
    """By path."""
    gone: dict[str, str] = field(default_factory=dict)
    """Paths of deleted parts, with their titles."""
    whole: dict[str, Any] = field(default_factory=dict)
    """By path of a new part, a document with nothing else in it."""
    forms: dict[str, Form] = field(default_factory=dict)
    """The forms of these documents."""
    notes: dict[str, list[str]] = field(default_factory=dict)
    """What a manifest cannot say of new parts, by path."""
    orders: dict[str, Drift] = field(default_factory=dict)
    """By path of the list."""

    def moved_names(self, names: Iterable[str]) -> dict[str, str]:
        """Of names of parts, those that stand elsewhere now, each with its new name."""
        moves = {part_name(one.was): one.name for one in self.came.values() if one.was}
        inside = {name: [was for was in moves if is_inside(name, was)] for name in names}
        nearest = {name: max(holders, key=len) for name, holders in inside.items() if holders}
        return {name: f"{moves[was]}{name.removeprefix(was)}" for name, was in nearest.items()}

    @property
    def needs_another_look(self) -> bool:
        """Whether a second look is needed: at what was moved, or what was moved into a new part."""
        return any(one.was or not one.whole for one in self.came.values())

    def take_order(self, drift: Drift) -> None:
        """Takes the order of a list as the platform has it."""
        path = drift.path.removesuffix(ORDER)
        self.orders[path] = drift
        self._list(path).order = drift.live

    def add(self, part: LivePart) -> None:
        path, name = split(part.path)
        self.came[part.path] = part
        self._list(path).came[name] = part.ahead
        if part.was:
            before, old = split(part.was)
            self._list(before).gone.add(old)

    def remove(self, path: str, title: str) -> None:
        outer, name = split(path)
        self.gone[path] = title
        self._list(outer).gone.add(name)

    def _list(self, path: str) -> ListChange:
        return self.lists.setdefault(path, ListChange())

    def write(self, files: PulledFiles) -> None:
        """Plans the edits of the manifest; raises `Unpullable`, and then nothing is planned."""
        new = {path: part.data for path, part in self.came.items() if not part.was}
        was = {path: part.was for path, part in self.came.items() if part.was}
        files.arrange(self.resource, self.lists, ListSources(new, was))
        for whole in self.whole.values():
            files.put_beside(self.resource, whole)

    def pulled(self) -> Iterator[PulledPart]:
        address = self.resource.address
        for path, part in self.came.items():
            what = f"{part.noun} “{part.title}”"
            if part.was:
                text = f"{what} moved here, from {part_name(part.was)}"
                yield PulledPart(address, path, "moved", text, part.was)
            else:
                text = "; ".join([f"{what} added", *self.notes[path]])
                yield PulledPart(address, path, "added", text)
        for path, title in self.gone.items():
            text = f"“{title}” taken out of the manifest: it was deleted on the platform"
            yield PulledPart(address, path, "removed", text)

    def paths(self) -> list[str]:
        """Of everything that it is about."""
        return [*self.came, *self.gone, *(f"{path}{ORDER}" for path in self.orders)]


def is_inside(name: str, part: str) -> bool:
    """Whether a part is another one or stands in it; both as in `Ids.parts`."""
    return name == part or name.startswith(f"{part}/")


def is_selected(path: str, wanted: str) -> bool:
    """Whether a path is that of a field or part that somebody named, or lies within it."""
    return is_within(path, wanted) or wanted == part_name(path)


def check_added_part(parts: PartsPull, files: PulledFiles, part: LivePart) -> None:
    """Makes a manifest's words of a part that was added; raises `Unpullable`."""
    resource, whole = parts.resource, wrap_part(part.path, part.data)
    document = files.document(resource.origin)
    try:
        place = steps(document, split(part.path)[0])
        notes = written_part(resource.address, document, place, part.data, whole)
    except (LookupError, TypeError):
        raise Unpullable("its manifest does not have what it stands in") from None
    except NoManifest as error:
        raise Unpullable(f"{error}; {_BY_HAND}") from None
    normalise = KINDS[resource.address.kind].authoring.normalise
    parts.whole[part.path], parts.notes[part.path] = whole, notes
    parts.forms[part.path] = normalise(resource.address.key, whole)


def doubt_deletions(drift: PartDrift, again: PartDrift | None) -> Mapping[str, str]:
    """Why parts that look deleted may be there all the same, by their paths."""
    unsure = dict.fromkeys(
        drift.unsure, "the read does not show the list that it stands in, which proves nothing"
    )
    if again is None:
        return unsure
    sure = set(again.gone) - set(again.unsure)
    other = "another read shows it, or does not show what it stands in: look again later"
    return dict.fromkeys((path for path in drift.gone if path not in sure), other) | unsure
