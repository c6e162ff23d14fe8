"""The ledger of translations: a file beside each manifest with hashes of what was translated.

For each passage it has the hash of the source and that of the translation, on one line, so that two
branches which accept different passages can be merged.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import LmssyncError
from ...problems import Problem, warning_rule
from ...resource import Origin, Resource
from ...support.file_writing import write_below
from ...support.safe_files import read_inside

LEDGER_DAMAGED = warning_rule(
    "ledger-damaged",
    "A ledger of translations cannot be read, so it is not known which translations are stale.",
    "Restore the file from git; or delete it, and accept the translations again.",
)
LEDGER = ".translations.json"
"""What the names of ledgers end with."""
_ENDING = re.compile(r"\.ya?ml(\.j2)?$")
_BYTES_MOST = 8 * 1024 * 1024
_VERSION = 1
Entries = Mapping[str, Sequence["Accepted"]]
"""The accepted passages of one translation of a page, by field."""


class Accepted(NamedTuple):
    """A passage that somebody has accepted, by two hashes."""

    source: str
    translation: str
    """Of the passage; of the whole field where its passages are not those of the source."""


def name_ledger_file(manifest: str) -> str:
    """`law/course.translations.json` of `law/course.yaml`."""
    folder, name = posixpath.split(manifest)
    return posixpath.join(folder, f"{_ENDING.sub('', name)}{LEDGER}")


class Ledgers:
    """The ledgers of a catalog, each read once and written whole."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, Any] = {}
        self._changed: set[str] = set()

    def find_entries(self, resource: Resource, part: str, language: str) -> Entries | None:
        """What was accepted of a translation of a page; None if nothing ever was."""
        file = self._read_file(name_ledger_file(resource.origin.file))
        # Under another key, the entries are those of the old one until something is accepted.
        names = (str(resource.address), *resource.lifecycle.moved)
        pages: dict[str, Any] = next((file[name] for name in names if name in file), {})
        found = pages.get(part, {}).get(language)
        if found is None:
            return None
        return {name: [Accepted(*line.split()) for line in lines] for name, lines in found.items()}

    def set_entries(self, resource: Resource, part: str, language: str, entries: Entries) -> None:
        """Keeps what was accepted, until `write_files` writes it."""
        name = name_ledger_file(resource.origin.file)
        file = self._read_file(name)
        old: dict[str, Any] = next(
            (file.pop(one) for one in resource.lifecycle.moved if one in file), {}
        )
        pages = file.setdefault(str(resource.address), old)
        lines = {field: [" ".join(one) for one in some] for field, some in entries.items() if some}
        if pages.setdefault(part, {}).get(language) != lines:
            pages[part][language] = lines
            self._changed.add(name)

    def write_files(self) -> list[str]:
        """Writes the ledgers that have changed, and returns their names."""
        for name in sorted(self._changed):
            text = json.dumps(self._files[name], ensure_ascii=False, indent=2, sort_keys=True)
            try:
                write_below(self._root, name, [f"{text}\n".encode()])
            except OSError as error:
                raise LmssyncError(f"{name} cannot be written: {error.strerror}") from None
        return sorted(self._changed)

    def is_readable(self, resource: Resource) -> bool:
        """Whether the ledger beside a manifest can be read; `validate` names those that cannot."""
        try:
            self._read_file(name_ledger_file(resource.origin.file))
        except LmssyncError:
            return False
        return True

    def _read_file(self, name: str) -> dict[str, Any]:
        if name not in self._files:
            self._files[name] = _parse_ledger(self._root, name)
        entries: dict[str, Any] = self._files[name]
        return entries


def find_damaged_ledgers(root: Path, names: Iterable[str]) -> Iterator[Problem]:
    """A problem for each ledger among the files of a catalog that cannot be read."""
    for name in names:
        if name.endswith(LEDGER) and name.isprintable():
            try:
                _parse_ledger(root, name)
            except LmssyncError as error:
                yield LEDGER_DAMAGED.problem(error.message, Origin(name), error.hint)


def _parse_ledger(root: Path, name: str) -> dict[str, Any]:
    """The content of a ledger; that of a new one if there is none. Raises `LmssyncError`."""
    try:
        found = json.loads(read_inside(root, name, _BYTES_MOST))
        _check_ledger(found)
    except FileNotFoundError:
        return {"version": _VERSION}
    except OSError as error:
        raise LmssyncError(f"{name} cannot be read: {error.strerror}") from None
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise LmssyncError(
            f"{name} is not a ledger of translations of version {_VERSION}",
            "restore it from git; or delete it, and accept the translations again",
        ) from None
    return dict(found)


def _check_ledger(found: Any) -> None:
    """Raises an error of Python for what is no ledger."""
    if found.get("version") != _VERSION:
        raise ValueError
    for address, pages in found.items():
        if address != "version":
            for languages in pages.values():
                for fields in languages.values():
                    for lines in fields.values():
                        [Accepted(*line.split()) for line in lines]
