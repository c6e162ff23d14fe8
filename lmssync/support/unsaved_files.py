"""Texts that somebody is writing, in the place of the files that they will be saved to.

Whoever reads files of a catalog then sees what its author sees. The stamp of such a text never
settles, so nothing that is found in it is kept as if the file had it.
"""

import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_NEVER = 2**62
"""Nanoseconds: a time that does not come."""
_NO_TEXTS: Mapping[str, bytes] = {}
_TEXTS: ContextVar[Mapping[str, bytes]] = ContextVar("unsaved texts", default=_NO_TEXTS)


@contextmanager
def show_unsaved_files(root: Path, texts: Mapping[str, bytes]) -> Iterator[None]:
    """Meanwhile the files of a catalog, by their names from its root, have these contents."""
    token = _TEXTS.set({os.path.normpath(root / name): text for name, text in texts.items()})
    try:
        yield
    finally:
        _TEXTS.reset(token)


def are_files_unsaved() -> bool:
    """Whether anything is shown in the place of files; other processes do not see it."""
    return bool(_TEXTS.get())


def find_unsaved_text(path: "str | os.PathLike[str]") -> bytes | None:
    """What is shown in the place of a file; None where the file itself counts."""
    texts = _TEXTS.get()
    return texts.get(os.path.normpath(path)) if texts else None


def find_unsaved_stamp(path: "str | os.PathLike[str]") -> str | None:
    """The stamp of what is shown in the place of a file, in the form of those of files."""
    text = find_unsaved_text(path)
    return None if text is None else f"{len(text)}.{_NEVER}.{_NEVER + zlib.crc32(text)}.0"


def list_unsaved_names(root: str) -> Iterator[str]:
    """The names of all such files below a folder, with forward slashes, but of hidden ones."""
    for path in _TEXTS.get():
        name = os.path.relpath(path, root).replace(os.sep, "/")
        if not name.startswith(".") and "/." not in name:
            yield name
