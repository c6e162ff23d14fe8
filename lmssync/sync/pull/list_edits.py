"""Which items the lists of a manifest get when parts or rows come, go or change places."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...catalog.manifests.export import Edit, Item, ListEdit, NewItem
from ...kinds import BODY_FILE, LANGUAGE, part_names
from ...resource import Origin, Path
from ...texts.html_layout import show_same_page
from ...texts.values import render_markdown

Row = Mapping[str, Any]


class RowEdits(NamedTuple):
    """The changes after which a list of rows is as the platform has it."""

    fields: Sequence[tuple[int, str, Any]]
    """Position of a row in the manifest, field and value; a body is HTML."""
    items: ListEdit | None
    """Set if rows came or went, or changed their order."""
    new: list[dict[str, Any]]
    """Rows that came, in the form for the edit of the list."""
    gone: Sequence[Row]
    """Rows of the manifest that leave it."""


def are_rows(value: Any) -> bool:
    """True for rows that are each known by a language of their own; at least one."""
    if not isinstance(value, list) or not value:
        return False
    names = [row.get(LANGUAGE) if isinstance(row, dict) else None for row in value]
    return None not in names and len(set(names)) == len(names)


def compare_rows(
    place: Origin, rows: Sequence[Row], forms: Sequence[Row], shown: Sequence[Row]
) -> RowEdits:
    """Compares the rows of a manifest, with their forms, with those of the platform."""
    # A row that is as it was recorded may have its body as Markdown.
    live = [{**row, "body": _render_body(row["body"])} if "body" in row else row for row in shown]
    at = {row[LANGUAGE]: position for position, row in enumerate(rows)}
    new = [dict(row) for row in live if row[LANGUAGE] not in at]
    by_name = {row[LANGUAGE]: NewItem(row) for row in new}
    items = [
        Item(place.path, at[row[LANGUAGE]]) if row[LANGUAGE] in at else by_name[row[LANGUAGE]]
        for row in live
    ]
    there = {row[LANGUAGE]: row for row in live}
    fields = [
        (position, name, value)
        for position, form in enumerate(forms)
        if form[LANGUAGE] in there
        for name, value in _compare_row_fields(form, there[form[LANGUAGE]])
    ]
    stays = list(there) == list(at)
    edit = None if stays else ListEdit(place.document, place.path, items)
    return RowEdits(fields, edit, new, [row for row in rows if row[LANGUAGE] not in there])


def _compare_row_fields(form: Row, live: Row) -> Iterator[tuple[str, Any]]:
    """Fields of a row with what they shall say; None for one that the platform has emptied."""
    for name in dict.fromkeys([*form, *live]):
        mine, there = _render_body(form.get(name)) or None, live.get(name) or None
        if name == "body" and mine and there and show_same_page(mine, there):
            continue
        if mine != there:
            yield name, there


def _render_body(value: Any) -> Any:
    return render_markdown(value["$markdown"]) if isinstance(value, dict) else value


@dataclass
class ListChange:
    """The changes of a pull to one list of parts, by their ids."""

    order: Sequence[str] = ()
    """The ids that both sides know, in the order of the platform, if that is to be taken."""
    gone: set[str] = field(default_factory=set)
    came: dict[str, Sequence[str]] = field(default_factory=dict)
    """Ids of parts that come, each with those of the parts in front of it, the nearest first."""

    def arrange_names(self, names: Sequence[str]) -> list[str]:
        """The ids of a list after it; parts that only git has stay where they are."""
        turn = iter([name for name in self.order if name in names])
        result = [next(turn) if name in self.order else name for name in names]
        result = [name for name in result if name not in self.gone]
        for name, ahead in self.came.items():
            if name in result:
                continue  # git has it there as well
            # The neighbours of the platform may be gone in git: the nearest that is left decides.
            near = next((other for other in ahead if other in result), None)
            result.insert(0 if near is None else result.index(near) + 1, name)
        return result


ListChanges = Mapping[str, ListChange]
"""By path of the list: `sections[start].lessons`."""


def order_inner_first(changes: ListChanges) -> list[str]:
    """The paths of the changed lists, those of inner lists first."""
    return sorted(changes, key=lambda path: -path.count("["))


def split_part_path(path: str) -> tuple[str, str]:
    """The path of the list that a part is in, and the part's id."""
    lists, _, name = path.removesuffix("]").rpartition("[")
    return lists, name


def wrap_part(path: str, part: Any) -> dict[str, Any]:
    """A document with nothing but a part, at its path."""
    level, _ = split_part_path(path)
    outer, _, field_ = level.rpartition("].")
    below = {field_: [part]}
    return (
        wrap_part(f"{outer}]", {"id": split_part_path(f"{outer}]")[1], **below}) if outer else below
    )


class Unpullable(Exception):
    """A value that cannot be written where it belongs; says why."""


class NoPlace(LookupError):
    """The document does not have the mapping that the field is in."""


def find_document_path(data: Any, path: str) -> Path:
    """`sections[start].title` as `("sections", 0, "title")`; parts may have no ids in a document.

    The last step may be a key that is not there. Raises `NoPlace`.
    """
    if isinstance(data, list):
        name, _, rest = path.removeprefix("[").partition("]")
        names = part_names(data)
        if name not in names:
            raise NoPlace(path)
        place = names.index(name)
        return (place, *find_document_path(data[place], rest.removeprefix(".")))
    if not isinstance(data, dict):
        raise NoPlace(path)
    if not path or path in data:
        return (path,) if path else ()
    key = next((key for key in data if path.startswith((f"{key}.", f"{key}["))), None)
    if key is None:
        return (path,)
    return (key, *find_document_path(data[key], path.removeprefix(key).removeprefix(".")))


class ListSources(NamedTuple):
    """Where the items of lists come from that were not in them, by the paths of the parts."""

    new: Mapping[str, Any]
    """What an author would write of them."""
    was: Mapping[str, str]
    """Their former places, if they were moved."""


class ArrangedLists(NamedTuple):
    """Edits of a manifest."""

    lists: Sequence[ListEdit]
    ids: Sequence[Edit]
    """Ids that stay what they are although they would now be made otherwise from the titles."""
    left: Sequence[str]
    """Files of bodies that only parts name which have left."""


def arrange_lists(
    origin: Origin, document: Any, changes: ListChanges, sources: ListSources
) -> ArrangedLists:
    """The edits that make the lists of a manifest as they shall be; raises `Unpullable`."""
    edits = [_PartListEdit(origin, document, path, change) for path, change in changes.items()]
    moved = set(sources.was.values())
    return ArrangedLists(
        [edit.make_list_edit(sources) for edit in edits],
        [one for edit in edits for one in (*edit.keep_title_ids(), *edit.keep_moved_ids(sources))],
        [file for edit in edits for file in edit.find_left_files(moved)],
    )


class _PartListEdit:
    """A list of a manifest on its way to other items."""

    def __init__(self, origin: Origin, document: Any, path: str, change: ListChange) -> None:
        self._origin, self._document, self._path, self._change = origin, document, path, change
        self._place, self._items = find_part_list(origin, document, path)
        self._names = part_names(self._items)
        self._result = change.arrange_names(self._names)

    def make_list_edit(self, sources: ListSources) -> ListEdit:
        entries = [self._make_entry(name, sources) for name in self._result]
        return ListEdit(self._place.document, self._place.path, entries)

    def _make_entry(self, name: str, sources: ListSources) -> Item | NewItem:
        path = f"{self._path}[{name}]"
        if name in self._names:
            return Item(self._place.path, self._names.index(name))
        if path not in sources.was:
            return NewItem(sources.new[path])
        place, position, _ = self._find_former_place(sources.was[path])
        return Item(place.path, position)

    def _find_former_place(self, path: str) -> tuple[Origin, int, Any]:
        """Where a part stood that was moved here: its list, its position, and the part."""
        outer, was = split_part_path(path)
        place, items = find_part_list(self._origin, self._document, outer)
        names = part_names(items)
        if was not in names:
            raise Unpullable("its manifest does not have the part any more")
        return place, names.index(was), items[names.index(was)]

    def keep_moved_ids(self, sources: ListSources) -> Iterator[Edit]:
        """Ids to write where parts stand that are to be moved: the list may have another one."""
        for name in self._change.came:
            was = sources.was.get(f"{self._path}[{name}]")
            if was and name not in self._names:
                place, position, item = self._find_former_place(was)
                if item.get("id") != name:
                    yield Edit(place.document, (*place.path, position, "id"), name)

    def keep_title_ids(self) -> Iterator[Edit]:
        """Ids to write out, since they follow from the titles of others that come or go."""
        items = dict(zip(self._names, self._items, strict=True))
        kept = [(name, items.get(name, {"id": name})) for name in self._result]
        made = part_names(item for _, item in kept)
        for (name, item), by_title in zip(kept, made, strict=True):
            # A part without an id has a name that follows from its title and its place among equal
            # titles. If a sibling leaves, that name would be another, so it is written out.
            if name != by_title and not item.get("id"):
                place = (*self._place.path, self._names.index(name), "id")
                yield Edit(self._place.document, place, name)

    def find_left_files(self, moved: set[str]) -> Iterator[str]:
        """Files that bodies of parts name which leave for good."""
        folder = posixpath.dirname(self._origin.file)
        for name, item in zip(self._names, self._items, strict=True):
            if name in self._change.gone and f"{self._path}[{name}]" not in moved:
                for file in list_body_files(item):
                    yield posixpath.normpath(posixpath.join(folder, file))


def find_part_list(origin: Origin, document: Any, path: str) -> tuple[Origin, Sequence[Any]]:
    """A list of a manifest and its place; raises `Unpullable` where it stands elsewhere."""
    try:
        below = find_document_path(document, path)
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


def list_body_files(value: Any) -> Iterator[str]:
    """The files that bodies in a value name, as it names them."""
    if isinstance(value, dict) and isinstance(value.get(BODY_FILE), str):
        yield value[BODY_FILE]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        yield from list_body_files(item)
