"""Files of a catalog that somebody names, as a person writes them: from here or from the root."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ....errors import WrongUse
from ....problems import suggest_near
from .listing import ENDINGS, PROJECT, Listing, walk_catalog

_TEXTS = (".md", ".html", ".htm", ".csv")


def find_existing(root: Path, name: str) -> Path:
    """The file or folder of that name, from here or else from the root; raises `WrongUse`."""
    places = (Path(name), root / name)
    for place in places:
        if os.path.lexists(place):
            return place
    folders = (place.parent for place in places if os.access(place.parent, os.R_OK))
    beside = {entry.name for folder in folders if folder.is_dir() for entry in folder.iterdir()}
    raise WrongUse(f"there is no file {name}", suggest_near(Path(name).name, sorted(beside)))


def choose_files(root: Path, names: Sequence[str]) -> set[str]:
    """The files of the catalog that `names` stand for, from its root; folders are entered.

    Raises `WrongUse` for a name that stands for nothing that a catalog reads.
    """
    listing = walk_catalog(root)
    read = {
        PROJECT,
        *listing.manifests(),
        *listing.yaml_files_below("overlays"),
        *listing.yaml_files_below("policies"),
    }
    read |= {file for file in listing.files if file.endswith(_TEXTS)}
    return {file for name in names for file in _files_of(root, name, listing, read)}


def _files_of(root: Path, name: str, listing: Listing, read: set[str]) -> Iterator[str]:
    path = _from_root(root, name, find_existing(root, name))
    if path in listing.files:
        if path not in read:
            raise WrongUse(f"{name} is not a file that lmssync reads", _what_is_read())
        yield path
        return
    below = [file for file in read if path == "." or file.startswith(f"{path}/")]
    if not below:
        raise WrongUse(f"lmssync reads nothing in {name}", _what_is_read())
    yield from below


def _what_is_read() -> str:
    endings = ", ".join(sorted({*ENDINGS, *_TEXTS}))
    return f"name files that end in {endings}, and are not in a hidden folder or in schemas/"


def _from_root(root: Path, name: str, file: Path) -> str:
    """The path from the root, with forward slashes; raises `WrongUse` for what lies elsewhere."""
    real = Path(os.path.realpath(file.parent)) / file.name
    for path, top in (
        (Path(os.path.normpath(file.absolute())), root.absolute()),
        (Path(os.path.normpath(real)), Path(os.path.realpath(root))),
    ):
        if path.is_relative_to(top):
            return path.relative_to(top).as_posix()
    raise WrongUse(f"{name} is not in the catalog {root}", "name another catalog with -C DIR")
