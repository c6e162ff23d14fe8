"""Which items the lists of a manifest get when parts come, go or change places."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...catalog.manifests.export import Edit, Item, ListEdit, NewItem
from ...kinds import BODY_FILE, part_names
from ...resource import Origin
from .lists import ListChange, ListChanges, split
from .paths import NoPlace, Unpullable, steps


class ListSources(NamedTuple):
    """Where the items of lists come from that were not in them, by the paths of the parts."""

    new: Mapping[str, Any]
    """What an author would write of them."""
    was: Mapping[str, str]
    """Where they stood, if they were moved."""


class Arranged(NamedTuple):
    """Edits of a manifest."""

    lists: Sequence[ListEdit]
    ids: Sequence[Edit]
    """Ids that stay what they are although they would now be made otherwise from the titles."""
    left: Sequence[str]
    """Files of bodies that only parts name which have left."""


def arrange_lists(
    origin: Origin, document: Any, changes: ListChanges, sources: ListSources
) -> Arranged:
    """The edits that make the lists of a manifest as they shall be; raises `Unpullable`."""
    edits = [_List(origin, document, path, change) for path, change in changes.items()]
    moved = set(sources.was.values())
    return Arranged(
        [edit.items(sources) for edit in edits],
        [one for edit in edits for one in (*edit.ids(), *edit.ids_of_moved(sources))],
        [file for edit in edits for file in edit.left(moved)],
    )


class _List:
    """A list of a manifest on its way to other items."""

    def __init__(self, origin: Origin, document: Any, path: str, change: ListChange) -> None:
        self._origin, self._document, self._path, self._change = origin, document, path, change
        self._place, self._items = found(origin, document, path)
        self._names = part_names(self._items)
        self._result = change.arrange_names(self._names)

    def items(self, sources: ListSources) -> ListEdit:
        entries = [self._entry(name, sources) for name in self._result]
        return ListEdit(self._place.document, self._place.path, entries)

    def _entry(self, name: str, sources: ListSources) -> Item | NewItem:
        path = f"{self._path}[{name}]"
        if name in self._names:
            return Item(self._place.path, self._names.index(name))
        if path not in sources.was:
            return NewItem(sources.new[path])
        place, position, _ = self._before(sources.was[path])
        return Item(place.path, position)

    def _before(self, path: str) -> tuple[Origin, int, Any]:
        """Where a part stood that was moved here: its list, its position, and the part."""
        outer, was = split(path)
        place, items = found(self._origin, self._document, outer)
        names = part_names(items)
        if was not in names:
            raise Unpullable("its manifest does not have the part any more")
        return place, names.index(was), items[names.index(was)]

    def ids_of_moved(self, sources: ListSources) -> Iterator[Edit]:
        """Ids to write where parts stand that are to be moved: the list may have another one."""
        for name in self._change.came:
            was = sources.was.get(f"{self._path}[{name}]")
            if was and name not in self._names:
                place, position, item = self._before(was)
                if item.get("id") != name:
                    yield Edit(place.document, (*place.path, position, "id"), name)

    def ids(self) -> Iterator[Edit]:
        """Ids to write out, since they follow from the titles of others that come or go."""
        items = dict(zip(self._names, self._items, strict=True))
        kept = [(name, items.get(name, {"id": name})) for name in self._result]
        made = part_names(item for _, item in kept)
        for (name, item), by_title in zip(kept, made, strict=True):
            if name != by_title and not item.get("id"):
                place = (*self._place.path, self._names.index(name), "id")
                yield Edit(self._place.document, place, name)

    def left(self, moved: set[str]) -> Iterator[str]:
        """Files that bodies of parts name which leave for good."""
        folder = posixpath.dirname(self._origin.file)
        for name, item in zip(self._names, self._items, strict=True):
            if name in self._change.gone and f"{self._path}[{name}]" not in moved:
                for file in body_files(item):
                    yield posixpath.normpath(posixpath.join(folder, file))


def found(origin: Origin, document: Any, path: str) -> tuple[Origin, Sequence[Any]]:
    """A list of a manifest and its place; raises `Unpullable` where it stands elsewhere."""
    try:
        below = steps(document, path)
    except NoPlace:
        raise Unpullable("its manifest does not have the part any more") from None
    items: Any = document
    for step in below:
        items = items.get(step) if isinstance(items, dict) else items[step]
    place = origin.at(below)
    spots = [place, *(origin.at((*below, number)) for number in range(len(items or ())))]
    for spot in spots:
        if spot.file != origin.file:
            raise Unpullable(f"its list comes from {spot.file}")
    return place, items or []


def body_files(value: Any) -> Iterator[str]:
    """The files that bodies in a value name, as it names them."""
    if isinstance(value, dict) and isinstance(value.get(BODY_FILE), str):
        yield value[BODY_FILE]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        yield from body_files(item)
