"""Opens the state that the project file names."""

from pathlib import Path
from typing import TypeAlias

from ..errors import StateError, WrongUse
from .sqlite import SqliteStore

Store: TypeAlias = SqliteStore
SCHEME = "sqlite:///"


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
    return SqliteStore(root / url.removeprefix(SCHEME))
