"""Manifests as files: which file holds what, and how none of them is lost or left half."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from ..address import KEY
from ..errors import LmssyncError, WrongUse
from ..kinds import KINDS
from ..writing import write_below
from .limits import BODY_BYTES
from .reverse import Manifest
from .yaml.write import stream

BODY_LINES = 4
"""A body of more lines than this goes to a file of its own, where that is asked for."""
_SAFE = re.compile(KEY)


def texts(found: Iterable[Manifest], *, body_files: bool = False) -> dict[str, str]:
    """Texts by relative path: a file a resource; what belongs to another stands in its file.

    Raises `WrongUse` where two would have the same path.
    """
    grouped: dict[str, list[dict[str, Any]]] = {}
    bodies: dict[str, str] = {}
    for manifest in found:
        name = _name(manifest)
        if body_files and manifest.address not in manifest.inexact:
            bodies |= _bodies(manifest, name)
        grouped.setdefault(f"{name}.yaml", []).append(manifest.data)
    whole = {path: "".join(stream(documents)) for path, documents in grouped.items()}
    _different([*whole, *bodies])
    return whole | bodies


def _name(manifest: Manifest) -> str:
    """`courses/safety-101`, from the kind and the key."""
    address = manifest.owner or manifest.address
    if not _SAFE.fullmatch(address.key):
        raise WrongUse(
            f"the key of {address} cannot be the name of a file", "leave --out away: it is printed"
        )
    return f"{_folder(KINDS[address.kind].noun)}/{address.key}"


def _folder(noun: str) -> str:
    plural = f"{noun[:-2]}a" if noun.endswith("rion") else f"{noun}s"
    return plural.replace(" ", "-")


def _bodies(manifest: Manifest, name: str) -> dict[str, str]:
    """Long bodies by path; the document gets a `bodyFile` in place of each."""
    found: dict[str, str] = {}
    for slot in KINDS[manifest.address.kind].slots(manifest.data):
        way = next((way for way in ("markdown", "body") if _is_long(slot.holder.get(way))), None)
        if way is None:
            continue
        steps = list(_steps(manifest.data, slot.path)) or ["body"]
        path = _untaken(found, name, steps, "md" if way == "markdown" else "html")
        found[path] = slot.holder.pop(way)
        slot.holder["bodyFile"] = path.partition("/")[2]
    return found


def _is_long(text: Any) -> bool:
    """True for a text that reads the same from a file, and is worth one."""
    return (
        isinstance(text, str)
        and text.count("\n") > BODY_LINES
        and "\r" not in text  # editors and git make the line ends of a file one kind
        and not text.startswith("\ufeff")  # a mark at the start of a file is no part of the text
        and len(text.encode()) <= BODY_BYTES
    )


def _steps(data: Any, path: Iterable[str | int]) -> Iterator[str]:
    """Names of the parts on the way to a body, where they can stand in the name of a file."""
    for step in path:
        data = data[step]
        if isinstance(data, dict):
            name = data.get("id") or data.get("language")
            yield name if isinstance(name, str) and _SAFE.fullmatch(name) else str(step)


def _untaken(found: Mapping[str, str], folder: str, steps: list[str], ending: str) -> str:
    """The shortest path that no other body of the document has, on any file system."""
    taken = {path.casefold() for path in found}
    names = ["-".join(steps[-n:]) for n in range(1, len(steps) + 1)]
    names += [f"{names[-1]}-{n}" for n in range(2, len(found) + 3)]
    paths = [f"{folder}/{name}.{ending}" for name in names]
    return next(path for path in paths if path.casefold() not in taken)


def _different(paths: Collection[str]) -> None:
    """Raises `WrongUse` for a path that is there twice, in other capitals, or is a folder too."""
    taken = {str(parent).casefold() for path in paths for parent in PurePosixPath(path).parents}
    for path in paths:
        if path.casefold() in taken:
            raise WrongUse(f"two resources would be written to {path}", "export them one by one")
        taken.add(path.casefold())


def put(root: Path, found: Mapping[str, str], *, force: bool = False) -> None:
    """Writes the files; none of them if one is there already, unless `force` says so.

    Each appears whole or not at all. Raises `WrongUse`, or `LmssyncError` with the system's words.
    """
    there = [path for path in found if os.path.lexists(root / path)]
    if there and not force:
        more = f" and {len(there) - 1:,} more" if len(there) > 1 else ""
        raise WrongUse(
            f"there is already {root / there[0]}{more}; nothing was written",
            "choose another folder, or pass --force to write over them",
        )
    for done, (path, text) in enumerate(found.items()):
        try:
            write_below(root, path, [text.encode()])
        except OSError as error:
            raise LmssyncError(
                f"{root / path} cannot be written: {error.strerror}",
                f"{done:,} of {len(found):,} files were written, each of them whole",
            ) from error
