"""The files of a catalog with other values in them: all are made before any is written."""

import os
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any

from .. import inside
from ..errors import LmssyncError
from ..kinds import BODY_FILE, WAYS
from ..manifests.export import Edit, edited
from ..manifests.files import MANIFEST_BYTES, TEMPLATE
from ..manifests.formatter import Unproven
from ..manifests.yaml import load
from ..resource import Resource
from ..source import Origin
from .paths import NoPlace, steps

BODY = "body"
ToMarkdown = Callable[[str], str | None]
"""The Markdown that renders to some HTML, to the letter; none where there is none."""


class Unpullable(Exception):
    """A value that cannot be written where it belongs; says why."""


@dataclass
class PulledFiles:
    """What will stand in the files of a catalog once they are written."""

    root: Path
    to_markdown: ToMarkdown
    edits: dict[str, list[Edit]] = field(default_factory=dict)
    """By manifest."""
    bodies: dict[str, str] = field(default_factory=dict)
    """Texts of the files that hold bodies."""
    left: set[str] = field(default_factory=set)
    """Files of bodies that no manifest may need any more."""
    _read: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, resource: Resource, path: str, value: Any) -> None:
        """A value, as an author writes it, for a field of a resource; raises `Unpullable`."""
        origin = resource.origin
        holder = self._document(origin)
        try:
            below = steps(holder, path)
        except NoPlace:
            raise Unpullable("its manifest does not have the part any more") from None
        for step in below[:-1]:
            holder = holder[step]
        place = origin.at(below)
        if place.file != origin.file:
            raise Unpullable(f"its value comes from {place.file}")
        if below[-1] == BODY or (below[-1] in WAYS):
            self._body(place, holder, value)
        else:
            self._edit(place, value)

    def _document(self, origin: Origin) -> Any:
        """The mapping of a resource, as its manifest has it."""
        if origin.file.endswith(TEMPLATE):
            raise Unpullable(f"its manifest is made by a template, {origin.file}")
        if origin.file not in self._read:
            self._read[origin.file] = load(self._raw(origin.file))
        data = self._read[origin.file][origin.document]
        for step in origin.path:
            data = data[step]
        return data

    def _raw(self, file: str) -> bytes:
        try:
            return inside.read(self.root, file, MANIFEST_BYTES)
        except OSError as error:
            raise LmssyncError(f"{file} cannot be read: {error.strerror}") from None

    def _edit(self, place: Origin, value: Any, name: str = "") -> None:
        self.edits.setdefault(place.file, []).append(Edit(place.document, place.path, value, name))

    def _body(self, place: Origin, holder: Mapping[str, Any], html: str | None) -> None:
        """A body goes where the one before it was: as Markdown if that gives the same HTML."""
        way = next((way for way in WAYS if way in holder), BODY)
        here = place._replace(path=(*place.path[:-1], way))
        markdown = self.to_markdown(html) if html and way != BODY else None
        if way == BODY_FILE and html is not None:
            self._body_file(here, holder[BODY_FILE], html, markdown)
        elif way == BODY or html is None or markdown is not None:
            self._edit(here, markdown if way != BODY and markdown is not None else html)
        else:
            self._edit(here, html, name=BODY)

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
        """Manifests that are written in a way in which no value can be changed safely."""
        return {file for file in self.edits if self._edited(file) is None}

    def texts(self) -> dict[str, bytes]:
        """Every file that changes, by its path, but for the unsafe ones."""
        manifests = {file: text for file in self.edits if (text := self._edited(file)) is not None}
        return manifests | {file: text.encode() for file, text in self.bodies.items()}

    def _edited(self, file: str) -> bytes | None:
        try:
            return edited(self._raw(file), self.edits[file])
        except Unproven:
            return None
