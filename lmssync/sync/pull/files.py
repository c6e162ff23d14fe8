"""The files of a catalog with other values in them: all are made before any is written."""

import os
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any

from ...catalog.manifests.catalog_files import MANIFEST_BYTES, TEMPLATE
from ...catalog.manifests.export import Edit, ListEdit, edit_manifest
from ...catalog.manifests.formatter import Unproven
from ...catalog.manifests.yaml import load_yaml
from ...errors import LmssyncError
from ...kinds import BODY_FILE, WAYS
from ...resource import Origin, Path as Place, Resource
from ...support import inside
from .arranging import ListSources, arrange_lists, body_files, found
from .beside import beside
from .lists import ListChanges, split, wrap_part
from .paths import NoPlace, Unpullable, steps
from .rows import are_rows, row_edits

BODY = "body"
ToMarkdown = Callable[[str], str | None]
"""The Markdown that renders to the page of some HTML; none where there is none."""


@dataclass
class PulledFiles:
    """What will stand in the files of a catalog once they are written."""

    root: Path
    to_markdown: ToMarkdown
    edits: dict[str, list[Edit]] = field(default_factory=dict)
    """By manifest."""
    bodies: dict[str, str] = field(default_factory=dict)
    """Texts of the files that hold bodies."""
    lists: dict[str, list[ListEdit]] = field(default_factory=dict)
    """By manifest."""
    left: set[str] = field(default_factory=set)
    """Files of bodies that no manifest may need any more."""
    _read: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, resource: Resource, path: str, value: Any) -> None:
        """A value, as an author writes it, for a field of a resource; raises `Unpullable`."""
        origin = resource.origin
        holder = self.document(origin)
        try:
            below = steps(holder, path)
        except NoPlace:
            raise Unpullable("its manifest does not have the part any more") from None
        for step in below[:-1]:
            holder = holder[step]
        place = origin.at(below)
        if place.file != origin.file:
            raise Unpullable(f"its value comes from {place.file}")
        if are_rows(value):
            self._rows(resource, path, value)
        elif below[-1] == BODY or (below[-1] in WAYS):
            self._body(place, holder, value)
        else:
            self._edit(place, value)
            self._keep_id(place, holder, path)

    def _keep_id(self, place: Origin, holder: Any, path: str) -> None:
        """A part whose id follows from its title keeps it under another title."""
        part, _, field_ = path.rpartition("].")
        if part and field_ == "title" and not holder.get("id"):
            self._edit(place._replace(path=(*place.path[:-1], "id")), split(f"{part}]")[1])

    def arrange(self, resource: Resource, changes: ListChanges, sources: ListSources) -> None:
        """Other items for lists of parts; raises `Unpullable`, and then nothing is planned."""
        origin = resource.origin
        done = arrange_lists(origin, self.document(origin), changes, sources)
        self.lists.setdefault(origin.file, []).extend(done.lists)
        for edit in done.ids:
            self._add(origin.file, edit)
        self.left.update(done.left)

    def point(self, resource: Resource, path: Place, part: str) -> None:
        """Another part for the reference at a path of a document; raises `Unpullable`."""
        self.document(resource.origin)
        place = resource.origin.at(path)
        if place.file.endswith(TEMPLATE) or place.file != resource.origin.file:
            raise Unpullable(f"{place.file} names it, and is not the manifest of the resource")
        self._edit(place, part)

    def put_beside(self, resource: Resource, whole: Any) -> None:
        """Takes long bodies out of a document with a new part, into files of their own."""
        document = self.document(resource.origin)
        self.bodies |= beside(self.root, resource, document, whole, self.bodies)

    def document(self, origin: Origin) -> Any:
        """The mapping of a resource, as its manifest has it; raises `Unpullable`."""
        if origin.file.endswith(TEMPLATE):
            raise Unpullable(f"its manifest is made by a template, {origin.file}")
        if origin.file not in self._read:
            self._read[origin.file] = load_yaml(self._raw(origin.file))
        data = self._read[origin.file][origin.document]
        for step in origin.path:
            data = data[step]
        return data

    def _raw(self, file: str) -> bytes:
        try:
            return inside.read_inside(self.root, file, MANIFEST_BYTES)
        except OSError as error:
            raise LmssyncError(f"{file} cannot be read: {error.strerror}") from None

    def _edit(self, place: Origin, value: Any, name: str = "") -> None:
        self._add(place.file, Edit(place.document, place.path, value, name))

    def _add(self, file: str, edit: Edit) -> None:
        edits = self.edits.setdefault(file, [])
        if edit not in edits:
            edits.append(edit)

    def _body(self, place: Origin, holder: Mapping[str, Any], html: str | None) -> None:
        """A body goes where the one before it was: as Markdown if learners see the same."""
        way = next((way for way in WAYS if way in holder), BODY)
        here = place._replace(path=(*place.path[:-1], way))
        markdown = self.to_markdown(html) if html and way != BODY else None
        if way == BODY_FILE and html is not None:
            self._body_file(here, holder[BODY_FILE], html, markdown)
        elif way == BODY or html is None or markdown is not None:
            self._edit(here, markdown if way != BODY and markdown is not None else html)
        else:
            self._edit(here, html, name=BODY)

    def _rows(self, resource: Resource, path: str, live: list[Any]) -> None:
        """Rows change one by one: those that stay keep their texts, their files and comments."""
        document = self.document(resource.origin)
        place, rows = found(resource.origin, document, path)
        edits = row_edits(place, rows, _at(resource.form, path), live)
        for position, name, value in edits.fields:
            here = place._replace(path=(*place.path, position, name))
            if name == BODY:
                self._body(here, rows[position], value)
            else:
                self._edit(here, value)
        for row in edits.new:
            self._as_markdown(row)
        self.bodies |= beside(self.root, resource, document, _whole(path, edits.new), self.bodies)
        if not rows:
            self._edit(place, edits.new)
        elif edits.items:
            self.lists.setdefault(place.file, []).append(edits.items)
        folder = posixpath.dirname(place.file)
        for file in body_files(list(edits.gone)):
            self.left.add(posixpath.normpath(posixpath.join(folder, file)))

    def _as_markdown(self, row: dict[str, Any]) -> None:
        markdown = self.to_markdown(row[BODY]) if row.get(BODY) else None
        if markdown is not None:
            del row[BODY]
            row["markdown"] = markdown

    def _body_file(self, place: Origin, name: str, html: str, markdown: str | None) -> None:
        folder = posixpath.dirname(place.file)
        if name.endswith(".md") and markdown is None:
            self.left.add(posixpath.normpath(posixpath.join(folder, name)))
            name = self._free(folder, name.removesuffix(".md"))
            self._edit(place, name)
        file = posixpath.normpath(posixpath.join(folder, name))
        self.bodies[file] = markdown if markdown is not None and name.endswith(".md") else html

    def _free(self, folder: str, stem: str) -> str:
        """The name of a file of HTML that is not there yet."""
        names = chain((f"{stem}.html",), (f"{stem}-{n}.html" for n in count(2)))
        return next(
            name
            for name in names
            if posixpath.normpath(posixpath.join(folder, name)) not in self.bodies
            and not os.path.lexists(self.root / folder / name)
        )

    def unsafe(self) -> set[str]:
        """Manifests that are written in a way in which nothing can be changed safely."""
        return {file for file in self._manifests if self._edited_bytes(file) is None}

    def texts(self) -> dict[str, bytes]:
        """Every file that changes, by its path, but for the unsafe ones."""
        manifests = {file: text for file in self._manifests if (text := self._edited_bytes(file))}
        changed = {file: text for file, text in manifests.items() if text != self._raw(file)}
        return changed | {file: text.encode() for file, text in self.bodies.items()}

    @property
    def _manifests(self) -> list[str]:
        return sorted(self.edits.keys() | self.lists.keys())

    def _edited_bytes(self, file: str) -> bytes | None:
        try:
            return edit_manifest(
                self._raw(file), self.edits.get(file, ()), self.lists.get(file, ())
            )
        except Unproven:
            return None


def _at(form: Any, path: str) -> Any:
    """The rows of a form, at the path at which its manifest has them; there may be none."""
    *outer, last = steps(form, path)
    for step in outer:
        form = form[step]
    return form.get(last) or []


def _whole(path: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A document with nothing but some rows of the list at a path."""
    outer, is_part, inner = path.rpartition("].")
    holder: Any = rows
    for name in reversed(inner.split(".")):
        holder = {name: holder}
    whole: dict[str, Any] = wrap_part(f"{outer}]", holder) if is_part else holder
    return whole
