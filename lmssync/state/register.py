"""Who is behind the codes of a state: a private file beside it, on one machine.

People who left a list are named nowhere else, and the platform needs their name to take a
license away. So this file keeps the identifiers of everybody who is recorded.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import orjson

from ..errors import StateError
from ..support.writing import write_whole
from .files import PEOPLE

_FORMAT = "lmssync.people/1"
_HINT = "delete it: lmssync learns people in lists again, and asks for those who left one"


class RegisterContent(NamedTuple):
    """What the file says."""

    people: Mapping[str, str] = {}
    """Identifiers by code."""
    serial: int = -1
    """Of the state that it was brought in line with."""
    missing: int = 0
    """Codes of that state whose identifiers were not available."""


class PeopleRegister:
    """The file; it is written only while the state is locked."""

    def __init__(self, folder: Path, lineage: str) -> None:
        self.file = folder / PEOPLE / f"{lineage}.json"

    def read_people(self) -> RegisterContent:
        """What is known; nothing where there is no file. Raises `StateError` for a damaged one."""
        try:
            data = orjson.loads(self.file.read_bytes())
            people = {str(code): str(text) for code, text in data["people"].items()}
            return RegisterContent(people, int(data["serial"]), int(data["missing"]))
        except FileNotFoundError:
            return RegisterContent()
        except OSError as error:
            raise StateError(f"{self.file} cannot be read: {error.strerror}", _HINT) from None
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise StateError(f"{self.file} is damaged: {error!r}", _HINT) from None

    def write_people(self, known: RegisterContent) -> None:
        """On return it is on disk, readable for the owner only. Raises `StateError`."""
        data = {"format": _FORMAT, **known._asdict()}
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _hide_from_git(self.file.parent)
            write_whole(self.file, [orjson.dumps(data, option=_SPELLING)], private=True)
        except OSError as error:
            raise StateError(
                f"{self.file} cannot be written: {error.strerror}",
                "nothing was sent after this; check the folder's permissions and space",
            ) from None


def _hide_from_git(folder: Path) -> None:
    """Git passes over the folder: a state may lie where it is committed, this must not be."""
    if not (folder / ".gitignore").exists():
        (folder / ".gitignore").write_text("*\n", "utf-8")


_SPELLING = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
