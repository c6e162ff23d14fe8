"""Opens the state that the project file names."""

from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from ..errors import StateError, WrongUse
from ..writing import lay_below
from .sqlite import SqliteStore

Store: TypeAlias = SqliteStore
SCHEME = "sqlite:///"
_FOLDER = ".lmssync"
"""Of the catalog: what is in it belongs to one machine, and git leaves it alone."""


def open_store(url: str, root: Path, environment: str) -> Store:
    """The store at `url`; a relative path counts from the root of the catalog.

    Raises `StateError` for the state of another environment: ids of one platform mean nothing
    on another.
    """
    store = _open(url.replace("{environment}", environment), root)
    owner = store.environment
    if owner not in {None, environment}:
        store.close()
        raise StateError(
            f"the state {url} is of the environment `{owner}`, this run is for `{environment}`",
            f"give each its own: `state: {SCHEME}.lmssync/{{environment}}.db`",
        )
    return store


def _open(url: str, root: Path) -> Store:
    if not url.startswith(SCHEME):
        raise WrongUse(
            f"`state: {url}` is not a state that this lmssync can keep",
            f"write `state: {SCHEME}.lmssync/state.db`",
        )
    name = url.removeprefix(SCHEME)
    if name.startswith(f"{_FOLDER}/"):
        with suppress(OSError):  # who cannot write this cannot write the state: that is told
            lay_below(root.absolute(), f"{_FOLDER}/.gitignore", b"*\n")
    return SqliteStore(root / name)
