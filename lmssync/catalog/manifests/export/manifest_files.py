"""Manifests as files: which file holds what, and how none of them is lost or left half.

Long bodies of a document go into files of their own, named by their place in it.
"""

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any

from ....errors import LmssyncError, WrongUse
from ....kind import BodyField, declare_nothing
from ....kinds import BODY_FILE, KINDS
from ....resource import KEY
from ....support.file_writing import unwrite_below, write_below
from ..catalog_files import BODY_BYTES, MANIFEST_BYTES
from ..formatter import of_document
from ..yaml import write_stream
from .to_manifest import Manifest, arrange_keys

BODY_LINES = 4
"""A body of more lines than this goes to a file of its own, where that is asked for."""
BODY_LARGE = 100_000
"""Bytes from which on a body goes to a file of its own, wherever there are files."""
_ENDINGS = {"markdown": "md", "body": "html"}


def put_beside(
    document: Any,
    slots: Iterable[BodyField],
    bodies: dict[str, str],
    *,
    goes: Callable[[str], bool],
    folder: str = "",
    seen_from: str = "",
    is_there: Callable[[str], bool] = lambda _path: False,
) -> None:
    """Takes bodies out of a document; their texts are added to `bodies` by their paths.

    Their files are in `folder`, and the document names them as seen from the folder of its own
    file. Each has the shortest path where nothing is there yet, and none of the others on any file
    system.
    """
    for slot in slots:
        texts = ((way, slot.holder.get(way)) for way in _ENDINGS)
        way = next((way for way, text in texts if isinstance(text, str) and goes(text)), None)
        if way is None:
            continue
        taken = {path.casefold() for path in bodies}
        names = _possible_names(list(_name_steps(document, slot.path)) or ["body"])
        paths = (posixpath.join(folder, f"{name}.{_ENDINGS[way]}") for name in names)
        path = next(path for path in paths if path.casefold() not in taken and not is_there(path))
        bodies[path] = slot.holder.pop(way)
        slot.holder[BODY_FILE] = posixpath.relpath(path, seen_from or ".")


def _name_steps(data: Any, path: Iterable[str | int]) -> Iterator[str]:
    """Names of the parts on the way to a body, where they can stand in the name of a file."""
    for step in path:
        data = data[step]
        if isinstance(data, dict):
            name = data.get("id") or data.get("language")
            yield name if isinstance(name, str) and _SAFE.fullmatch(name) else str(step)


def _possible_names(steps: list[str]) -> Iterator[str]:
    """The shortest name first, then longer ones, then numbered ones."""
    yield from ("-".join(steps[-number:]) for number in range(1, len(steps) + 1))
    yield from (f"{'-'.join(steps)}-{number}" for number in count(2))


def is_long(text: str) -> bool:
    """True for a text that is worth a file, and reads the same from it."""
    return (text.count("\n") > BODY_LINES or is_large(text)) and _fits_a_file(text)


def is_large(text: str) -> bool:
    """True for a text that nobody wants in the middle of a manifest."""
    return len(text.encode()) > BODY_LARGE and _fits_a_file(text)


def _fits_a_file(text: str) -> bool:
    return (
        "\r" not in text  # editors and git make the line ends of a file one kind
        and not text.startswith("\ufeff")  # a mark at the start of a file is no part of the text
        and len(text.encode()) <= BODY_BYTES
    )


_SAFE = re.compile(KEY)


def manifest_texts(
    manifests: Iterable[Manifest], *, body_files: bool = False, folders: bool = False
) -> dict[str, str]:
    """Texts by relative path: a file a resource; what belongs to another stands in its file.

    Long bodies have files of their own where that is asked for, or where they are very large.
    With `folders`, what can have bodies has a folder with its manifest and its bodies.
    Raises `WrongUse` where two would have the same path, or where one could not be read again.
    """
    grouped: dict[str, list[Manifest]] = {}
    for manifest in manifests:
        grouped.setdefault(_manifest_name(manifest), []).append(manifest)
    whole: dict[str, str] = {}
    bodies: dict[str, str] = {}
    for name, group in grouped.items():
        path = f"{name}{_file_name(group[0]) if folders else ''}.yaml"
        beside: dict[str, str] = {}
        whole[path] = _format_group(path, group, beside, is_long if body_files else is_large)
        if _is_too_large(whole[path]):
            whole[path] = _format_group(path, group, beside, is_long)
        if _is_too_large(whole[path]):
            text = f"{path} would have more than {MANIFEST_BYTES:,} bytes, the most for a manifest"
            raise WrongUse(text, "name the other resources to export them without it")
        bodies |= beside
    _require_distinct([*whole, *bodies])
    return whole | bodies


def _format_group(
    path: str, group: list[Manifest], bodies: dict[str, str], goes: Callable[[str], bool]
) -> str:
    """The text of a file as `lmssync fmt` would leave it; bodies that are to go are put beside."""
    for manifest in group:
        if manifest.address not in manifest.inexact:
            slots = KINDS[manifest.address.kind].authoring.body_fields(manifest.data)
            folder, here = _manifest_name(manifest), posixpath.dirname(path)
            put_beside(manifest.data, slots, bodies, goes=goes, folder=folder, seen_from=here)
    data = (arrange_keys(of_document(manifest.data), manifest.data) for manifest in group)
    return "".join(write_stream(data))


def _is_too_large(text: str) -> bool:
    return len(text) > MANIFEST_BYTES or len(text.encode()) > MANIFEST_BYTES


def _manifest_name(manifest: Manifest) -> str:
    """`courses/safety-101`, from the kind and the key."""
    address = manifest.owner or manifest.address
    if not _SAFE.fullmatch(address.key):
        raise WrongUse(
            f"the key of {address} cannot be the name of a file", "run it without --out to print it"
        )
    return f"{KINDS[address.kind].nouns.replace(' ', '-')}/{address.key}"


def _file_name(manifest: Manifest) -> str:
    """`/course`: what the manifest is called in the folder of a resource that can have bodies."""
    kind = KINDS[manifest.address.kind]
    return f"/{kind.noun}" if kind.authoring.body_fields is not declare_nothing else ""


def _require_distinct(paths: Collection[str]) -> None:
    """Raises `WrongUse` for a path that is there twice, in other capitals, or is a folder too."""
    taken = {str(parent).casefold() for path in paths for parent in PurePosixPath(path).parents}
    for path in paths:
        if path.casefold() in taken:
            raise WrongUse(f"two resources would be written to {path}", "export them one by one")
        taken.add(path.casefold())


def write_manifests(root: Path, texts: Mapping[str, str], *, force: bool = False) -> None:
    """Writes the files; none of them if one is there already, unless `force` says so.

    Each appears whole or not at all, and those that are new together or not at all. Raises
    `WrongUse`, or `LmssyncError` with the system's words.
    """
    there = [path for path in texts if os.path.lexists(root / path)]
    if there and not force:
        more = f" and {len(there) - 1:,} more" if len(there) > 1 else ""
        message = f"there is already {root / there[0]}{more}; nothing was written"
        raise WrongUse(message, "choose another folder, or pass --force to write over them")
    before, new = set(there), list[str]()
    for path, text in texts.items():
        try:
            write_below(root, path, [text.encode()])
        except OSError as error:
            _take_back(root, new)
            over = (
                f"; of {len(there):,} that were there, each is whole, old or new" if there else ""
            )
            message = f"{root / path} cannot be written: {error.strerror}"
            raise LmssyncError(message, f"no new file was left{over}") from error
        if path not in before:
            new.append(path)


def _take_back(root: Path, paths: Iterable[str]) -> None:
    """Half of what belongs together would be a catalog with mistakes."""
    for path in paths:
        with suppress(OSError):
            unwrite_below(root, path)
