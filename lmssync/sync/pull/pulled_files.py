"""The files of a catalog with other values in them: all are made before any is written."""

import os
import posixpath
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any

from ...catalog.manifests.catalog_files import TEMPLATE
from ...catalog.manifests.check import spell_catalog_path
from ...catalog.manifests.export import EditedFiles, is_long, put_beside, write_texts
from ...errors import LmssyncError
from ...kinds import BODY_FILE, KINDS, WAYS
from ...resource import Origin, Path as Place, Resource
from .list_edits import (
    ListChanges,
    ListSources,
    NoPlace,
    Unpullable,
    are_rows,
    arrange_lists,
    compare_rows,
    find_document_path,
    find_part_list,
    list_body_files,
    split_part_path,
    wrap_part,
)


@contextmanager
def write_or_undo(root: Path, texts: Mapping[str, bytes]) -> Iterator[None]:
    """Writes these texts into the files; where the block raises, the former texts are put back."""
    # All of them before the first write: a file that cannot be read stops the pull while nothing is
    # changed.
    before = {file: _read_if_there(root / file) for file in texts}
    try:
        write_texts(root, texts)
        yield
    except BaseException:
        for file, content in before.items():
            if content is not None:
                write_texts(root, {file: content})
            else:
                with suppress(FileNotFoundError):
                    (root / file).unlink()
        raise


def _read_if_there(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LmssyncError(f"{file} cannot be read: {error.strerror}") from None


def _take_long_bodies(
    root: Path, resource: Resource, document: Any, whole: Any, taken: Mapping[str, str]
) -> dict[str, str]:
    """Takes long bodies out of a new part, `whole`, and returns them by path."""
    bodies: dict[str, str] = {}
    put_beside(
        whole,
        KINDS[resource.address.kind].authoring.body_fields(whole),
        bodies,
        goes=is_long,
        folder=_choose_body_folder(resource, document),
        seen_from=posixpath.dirname(resource.origin.file),
        # `taken` are bodies that get files in the same run.
        is_there=lambda path: path in taken or os.path.lexists(root / path),
    )
    return bodies


def _choose_body_folder(resource: Resource, document: Any) -> str:
    """The folder for the body of a new part: where the other bodies are, if there are any."""
    here = posixpath.dirname(resource.origin.file)
    kind = KINDS[resource.address.kind]
    for slot in kind.authoring.body_fields(document):
        if isinstance(slot.holder.get(BODY_FILE), str):
            name = posixpath.dirname(slot.holder[BODY_FILE])
            return spell_catalog_path(resource.origin.file, name)
    # Imported manifests have a folder of their own, others get one that is named by the key.
    is_imported = posixpath.basename(resource.origin.file) == f"{kind.noun}.yaml"
    return here if is_imported else posixpath.join(here, resource.address.key)


BODY = "body"
ToMarkdown = Callable[[str], str | None]
"""The Markdown that renders to the page of some HTML; none where there is none."""


@dataclass(kw_only=True)
class PulledFiles(EditedFiles):
    """The texts of the catalog's files once they are written."""

    to_markdown: ToMarkdown
    left: set[str] = field(default_factory=set)
    """Files of bodies that no manifest may need any more."""

    def set_value(self, resource: Resource, path: str, value: Any) -> None:
        """A value, as an author writes it, for a field of a resource; raises `Unpullable`."""
        origin = resource.origin
        holder = self.read_document(origin)
        try:
            below = find_document_path(holder, path)
        except NoPlace:
            raise Unpullable("its manifest does not have the part any more") from None
        for step in below[:-1]:
            holder = holder[step]
        place = origin.at(below)
        if place.file != origin.file:
            raise Unpullable(f"its value comes from {place.file}")
        if are_rows(value):
            self._edit_rows(resource, path, value)
        elif below[-1] == BODY or (below[-1] in WAYS):
            self._edit_body(place, holder, value)
        else:
            self.edit_value(place, value)
            self._keep_id(place, holder, path)

    def _keep_id(self, place: Origin, holder: Any, path: str) -> None:
        """A part whose id follows from its title keeps it under another title."""
        part, _, field_ = path.rpartition("].")
        if part and field_ == "title" and not holder.get("id"):
            self.edit_value(
                place._replace(path=(*place.path[:-1], "id")), split_part_path(f"{part}]")[1]
            )

    def arrange_parts(self, resource: Resource, changes: ListChanges, sources: ListSources) -> None:
        """Other items for lists of parts; raises `Unpullable`, and then nothing is planned."""
        origin = resource.origin
        done = arrange_lists(origin, self.read_document(origin), changes, sources)
        self.lists.setdefault(origin.file, []).extend(done.lists)
        for edit in done.ids:
            self.add_edit(origin.file, edit)
        self.left.update(done.left)

    def point_reference(self, resource: Resource, path: Place, part: str) -> None:
        """Another part for the reference at a path of a document; raises `Unpullable`."""
        self.read_document(resource.origin)
        place = resource.origin.at(path)
        if place.file.endswith(TEMPLATE) or place.file != resource.origin.file:
            raise Unpullable(
                f"the reference is in {place.file}, which is not the manifest of the resource"
            )
        self.edit_value(place, part)

    def put_bodies_beside(self, resource: Resource, whole: Any) -> None:
        """Takes long bodies out of a document with a new part, into files of their own."""
        document = self.read_document(resource.origin)
        self.bodies |= _take_long_bodies(self.root, resource, document, whole, self.bodies)

    def read_document(self, origin: Origin) -> Any:
        """The mapping of a resource, as its manifest has it; raises `Unpullable`."""
        if origin.file.endswith(TEMPLATE):
            raise Unpullable(f"its manifest is made by a template, {origin.file}")
        return self.read_mapping(origin)

    def _edit_body(self, place: Origin, holder: Mapping[str, Any], html: str | None) -> None:
        """Puts a body where the one before it was."""
        way = next((way for way in WAYS if way in holder), BODY)
        here = place._replace(path=(*place.path[:-1], way))
        # As Markdown only if learners see the same.
        markdown = self.to_markdown(html) if html and way != BODY else None
        if way == BODY_FILE and html is not None:
            self._body_file(here, holder[BODY_FILE], html, markdown)
        elif way == BODY or html is None or markdown is not None:
            self.edit_value(here, markdown if way != BODY and markdown is not None else html)
        else:
            self.edit_value(here, html, name=BODY)

    def _edit_rows(self, resource: Resource, path: str, live: list[Any]) -> None:
        document = self.read_document(resource.origin)
        place, rows = find_part_list(resource.origin, document, path)
        # Rows that stay keep their texts, their files and comments.
        edits = compare_rows(place, rows, _find_form_rows(resource.form, path), live)
        for position, name, value in edits.fields:
            here = place._replace(path=(*place.path, position, name))
            if name == BODY:
                self._edit_body(here, rows[position], value)
            else:
                self.edit_value(here, value)
        for row in edits.new:
            if row.get(BODY) and (markdown := self.to_markdown(row[BODY])) is not None:
                del row[BODY]
                row["markdown"] = markdown
        self.bodies |= _take_long_bodies(
            self.root, resource, document, _wrap_rows(path, edits.new), self.bodies
        )
        if not rows:
            self.edit_value(place, edits.new)
        elif edits.items:
            self.add_list_edit(place.file, edits.items)
        gone = list_body_files(list(edits.gone))
        self.left.update(spell_catalog_path(place.file, file) for file in gone)

    def _body_file(self, place: Origin, name: str, html: str, markdown: str | None) -> None:
        folder = posixpath.dirname(place.file)
        # No Markdown renders to this page, so the body becomes HTML, in a file whose ending says
        # so.
        if name.endswith(".md") and markdown is None:
            self.left.add(spell_catalog_path(place.file, name))
            name = self._find_free_name(folder, name.removesuffix(".md"))
            self.edit_value(place, name)
        file = spell_catalog_path(place.file, name)
        self.bodies[file] = markdown if markdown is not None and name.endswith(".md") else html

    def _find_free_name(self, folder: str, stem: str) -> str:
        """The name of a file of HTML that is not there yet."""
        names = chain((f"{stem}.html",), (f"{stem}-{n}.html" for n in count(2)))
        return next(
            name
            for name in names
            if posixpath.normpath(posixpath.join(folder, name)) not in self.bodies
            and not os.path.lexists(self.root / folder / name)
        )


def _find_form_rows(form: Any, path: str) -> Any:
    """The rows of a form, at the path at which its manifest has them; there may be none."""
    *outer, last = find_document_path(form, path)
    for step in outer:
        form = form[step]
    return form.get(last) or []


def _wrap_rows(path: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A document with nothing but some rows of the list at a path."""
    outer, is_part, inner = path.rpartition("].")
    holder: Any = rows
    for name in reversed(inner.split(".")):
        holder = {name: holder}
    whole: dict[str, Any] = wrap_part(f"{outer}]", holder) if is_part else holder
    return whole
