"""Opens the state that the project file names."""

from pathlib import Path
from typing import TypeAlias

from ..errors import WrongUse
from .sqlite import SqliteStore

Store: TypeAlias = SqliteStore
SCHEME = "sqlite:///"


def open_store(url: str, root: Path) -> Store:
    """The store at `url`; a relative path counts from the root of the catalog."""
    if not url.startswith(SCHEME):
        raise WrongUse(
            f"`state: {url}` is not a state that this lmssync can keep",
            f"write `state: {SCHEME}.lmssync/state.db`",
        )
    return SqliteStore(root / url.removeprefix(SCHEME))
