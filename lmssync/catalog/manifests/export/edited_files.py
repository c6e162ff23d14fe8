"""The files of a catalog with other values in them: all are made before any is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from ....errors import LmssyncError
from ....resource import Origin
from ....support.file_writing import write_below
from ....support.safe_files import read_inside
from ..catalog_files import MANIFEST_BYTES
from ..formatter import Unproven
from ..yaml import YamlMistake, load_yaml
from .manifest_edits import Edit, ListEdit, edit_manifest


@dataclass
class EditedFiles:
    """The changes of manifests and of the files with bodies."""

    root: Path
    edits: dict[str, list[Edit]] = field(default_factory=dict)
    """By manifest."""
    lists: dict[str, list[ListEdit]] = field(default_factory=dict)
    """By manifest."""
    bodies: dict[str, str] = field(default_factory=dict)
    """The texts of files with bodies."""
    _read: dict[str, list[Any]] = field(default_factory=dict)

    def edit_value(self, place: Origin, value: Any, name: str = "") -> None:
        """Plans another value, under another name if one is given."""
        self.add_edit(place.file, Edit(place.document, place.path, value, name))

    def add_edit(self, file: str, edit: Edit) -> None:
        """Plans an edit of a manifest, once."""
        edits = self.edits.setdefault(file, [])
        if edit not in edits:
            edits.append(edit)

    def add_list_edit(self, file: str, edit: ListEdit) -> None:
        """Plans other items of a list."""
        self.lists.setdefault(file, []).append(edit)

    def read_manifest(self, file: str) -> bytes:
        """The manifest as it is; raises `LmssyncError`."""
        try:
            return read_inside(self.root, file, MANIFEST_BYTES)
        except OSError as error:
            raise LmssyncError(f"{file} cannot be read: {error.strerror}") from None

    def read_mapping(self, origin: Origin) -> Any:
        """What an author has written at a place, before any edit."""
        if origin.file not in self._read:
            self._read[origin.file] = load_yaml(self.read_manifest(origin.file))
        return reduce(getitem, origin.path, self._read[origin.file][origin.document])

    def find_unsafe_files(self) -> set[str]:
        """Manifests that are written in a way in which nothing can be changed safely."""
        return {file for file in self._changed_manifests if self._edited_bytes(file) is None}

    def make_texts(self) -> dict[str, bytes]:
        """Every file that changes, by its path, but for the unsafe ones."""
        manifests = {file: self._edited_bytes(file) for file in self._changed_manifests}
        changed = {
            file: text
            for file, text in manifests.items()
            if text is not None and text != self.read_manifest(file)
        }
        return changed | {file: text.encode() for file, text in self.bodies.items()}

    @property
    def _changed_manifests(self) -> list[str]:
        return sorted(self.edits.keys() | self.lists.keys())

    def _edited_bytes(self, file: str) -> bytes | None:
        edits, lists = self.edits.get(file, ()), self.lists.get(file, ())
        try:
            return edit_manifest(self.read_manifest(file), edits, lists)
        except (Unproven, YamlMistake):
            return None


def write_texts(root: Path, texts: Mapping[str, bytes]) -> None:
    """Writes these texts into the files; raises `LmssyncError`."""
    for file, text in texts.items():
        try:
            write_below(root, file, [text])
        except OSError as error:
            raise LmssyncError(f"{root / file} cannot be written: {error.strerror}") from None
