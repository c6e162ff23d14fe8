"""Which files are to be put in order: the whole catalog, or what somebody named."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ...errors import WrongUse
from . import catalog_files

_ENDINGS = (".yaml", ".yml")


class ChosenFile(NamedTuple):
    """A file, by the name under which people know it."""

    name: str
    root: Path
    """The folder that no link may lead out of."""
    path: str
    """From there."""
    is_link: bool = False
    """It is left as it is: it may lead to any file, also one that was not asked for."""

    @property
    def is_project(self) -> bool:
        return Path(self.path).name == catalog_files.PROJECT

    @property
    def is_overlay(self) -> bool:
        """True for what changes parts of others, which it names by their ids."""
        return catalog_files.OVERLAYS in Path(self.path).parts[:-1]


def choose_catalog_files(root: Path) -> list[ChosenFile]:
    """Every file of a catalog that is YAML and no template; raises `WrongUse` where none is."""
    if not (root / catalog_files.PROJECT).is_file():
        raise WrongUse(
            f"there is no {catalog_files.PROJECT} in {root}",
            "it belongs at the root of a catalog: go there, name it with -C DIR, or name files",
        )
    listing = catalog_files.walk_catalog(root)
    parts = (name for name in listing.files if name.endswith(catalog_files.PART_ENDING))
    names = {*listing.list_yaml_files(), *parts}
    return [
        ChosenFile(name, root, name, (root / name).is_symlink())
        for name in sorted(names)
        if not name.endswith(catalog_files.TEMPLATE)
    ]


def choose_named_files(root: Path, names: Sequence[str]) -> list[ChosenFile]:
    """The files that `names` stand for, from here or else from the root; folders are entered.

    Raises `WrongUse` for a name that stands for nothing, or for no YAML. Templates are left out.
    """
    targets = {(t.root, t.path): t for name in names for t in _choose_below(root, name)}
    return list(targets.values())


def _choose_below(root: Path, name: str) -> Iterator[ChosenFile]:
    file = catalog_files.find_existing(root, name)
    if file.is_dir():
        for inner in _yaml_files_in(file):
            yield _make_target(root, f"{name.rstrip('/')}/{inner}", file / inner)
    elif name.endswith(_ENDINGS):
        yield _make_target(root, name, file)
    elif not name.endswith(catalog_files.TEMPLATE):
        raise WrongUse(
            f"{name} is not a YAML file", f"name files that end in {' or '.join(_ENDINGS)}"
        )


def _make_target(root: Path, name: str, file: Path) -> ChosenFile:
    """The file as one of the catalog or, where it is none, of the folder that we are in."""
    path = Path(os.path.normpath(file.absolute()))
    for folder in (root.absolute(), Path.cwd()):
        if path.is_relative_to(folder):
            return ChosenFile(name, folder, path.relative_to(folder).as_posix())
    return ChosenFile(name, path.parent, path.name)


def _yaml_files_in(folder: Path) -> list[str]:
    """Files of YAML in a folder, which may be a catalog."""
    if (folder / catalog_files.PROJECT).is_file():
        return [target.path for target in choose_catalog_files(folder)]
    return [name for name in catalog_files.walk_catalog(folder).files if name.endswith(_ENDINGS)]
