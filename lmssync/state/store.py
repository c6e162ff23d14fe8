"""Opens the state that the project file names."""

from contextlib import suppress
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

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


def check_instance(store: Store, base_url: str) -> None:
    """Raises `StateError` if the ids of this state are those of another instance."""
    if store.instance not in {None, instance_of(base_url)}:
        raise StateError(
            f"the state is of the instance at {store.instance}, this run is for {base_url}",
            "give each instance a state of its own; if the instance has only moved to another "
            f"address: `lmssync state rebind {base_url}`",
        )


def instance_of(base_url: str) -> str:
    """The address of an instance in the one spelling in which addresses are compared."""
    try:
        parts = urlsplit(base_url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:  # no address at all: nothing will be reached there
        return base_url
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{(parts.hostname or '').rstrip('.')}:{port}{path}"


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
