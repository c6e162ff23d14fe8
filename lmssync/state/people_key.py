"""The key of the codes of people in a file of its own: an exported state does not have it."""

import re
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex

import orjson

from ..errors import WrongUse
from ..settings import PEOPLE_KEY
from ..support import inside, secrets
from ..support.writing import write_whole
from .codes import digest_of_key
from .reader import StateReader

_FORMAT = "lmssync.people-key/1"
_BYTES_MOST = 10_000
_HEX = re.compile("[0-9a-fA-F]{64}")


def write_key(store: StateReader, file: Path) -> None:
    """Writes the key for its owner alone: with it, one can check whether somebody is in the state.

    Raises `WrongUse` where that is not possible.
    """
    _write_key(file, store.lineage, store.codes.key)


def make_key(store: StateReader, file: Path) -> None:
    """The same with a new key, for a shared state that has none yet; raises `WrongUse`."""
    if store.codes.has_key:
        raise WrongUse(
            "the state has a key of people already, and this machine does not know it",
            f"take it from where {PEOPLE_KEY} is set, or from who has the file with it",
        )
    _write_key(file, store.lineage, token_hex(32))


def _write_key(file: Path, lineage: str, key: str) -> None:
    data = {"format": _FORMAT, "lineage": lineage, "key": key}
    try:
        write_whole(file, [orjson.dumps(data, option=orjson.OPT_APPEND_NEWLINE)], private=True)
    except OSError as error:
        raise WrongUse(f"{file} cannot be written: {error.strerror}") from None


def given_key(env: Mapping[str, str]) -> str:
    """The key that the environment gives, or nothing; raises `WrongUse` for what is none."""
    given = env.get(PEOPLE_KEY, "").strip()
    if not given:
        return ""
    if not _HEX.fullmatch(given):
        return read_key(Path(given))
    secrets.register_secret(given)
    return given.lower()


def read_key(file: Path) -> str:
    """The key in a file; raises `WrongUse` for any other file."""
    try:
        data = orjson.loads(inside.read_named(file, _BYTES_MOST))
        if data["format"] != _FORMAT:
            raise ValueError(data["format"])
        digest_of_key(data["key"])
        return str(data["key"])
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    except (LookupError, TypeError, ValueError):
        raise WrongUse(
            f"{file} is not a key of people", "it is the file that `--people-key` has written"
        ) from None
