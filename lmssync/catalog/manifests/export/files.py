"""Manifests as files: which file holds what, and how none of them is lost or left half."""

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from ....errors import LmssyncError, WrongUse
from ....kind import declare_nothing
from ....kinds import KINDS
from ....resource import KEY
from ....support.writing import unwrite_below, write_below
from ..files import MANIFEST_BYTES
from ..formatter import of_document
from ..yaml import write_stream
from .bodies import is_large, is_long, put_beside
from .to_manifest import Manifest, arrange_keys

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
