"""A backend whose host cannot read what it keeps: segments and snapshots are encrypted.

The keys are in LMSSYNC_STATE_KEY, the newest first. The first one encrypts, and each of them
decrypts, so that a key can be replaced while older segments stay as they are. What was written
before there was a key stays readable. Nobody can exchange segments: the log is a chain of digests.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import StateError, WrongUse
from ...settings import STATE_KEY
from ...support import safe_files
from ...support.redaction import register_secret
from .state_backend import Snapshot, StateBackend

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

EXTRA = "encryption"
_BEGINNING = b"gAAAAA"
"""How each encrypted content begins: the version of Fernet, and a time before the year 2106."""
_KEY = re.compile(r"[A-Za-z0-9_-]{43}=")
"""32 bytes, as a name of a file is hardly ever."""
_FILE_MOST = 10_000
"""Bytes of a file with keys."""


class EncryptedBackend:
    """Encrypts what another backend keeps; without keys it refuses what is encrypted."""

    def __init__(self, backend: StateBackend, keys: Sequence[str]) -> None:
        self._backend = backend
        self._cipher = _make_cipher(keys) if keys else None
        self.place = backend.place

    def read(self, after: int = 0) -> Iterator[bytes]:
        """The segments after a number, as they were before they were encrypted."""
        return map(self._decrypt, self._backend.read(after))

    def append(self, number: int, segment: bytes, about: str = "") -> bool:
        """Keeps an encrypted segment; a commit of it says nothing about what is in it."""
        shown = "" if self._cipher else about
        return self._backend.append(number, self._encrypt(segment), shown)

    def snapshot(self) -> Snapshot | None:
        """The latest snapshot, decrypted."""
        kept = self._backend.snapshot()
        return kept and kept._replace(content=self._decrypt(kept.content))

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        self._backend.keep_snapshot(snapshot._replace(content=self._encrypt(snapshot.content)))

    def change_note(self, name: str, change: Callable[[str], str]) -> None:
        """Changes a note, which says nothing about what is in the log."""
        self._backend.change_note(name, change)

    def close(self) -> None:
        self._backend.close()

    def _encrypt(self, content: bytes) -> bytes:
        return self._cipher.encrypt(content) if self._cipher else content

    def _decrypt(self, content: bytes) -> bytes:
        if not content.startswith(_BEGINNING):
            return content
        if self._cipher is None:
            raise StateError(
                f"the state {self.place} is encrypted, and {STATE_KEY} is not set",
                f"set {STATE_KEY} to its key, or to the file with the key",
            )
        from cryptography.fernet import InvalidToken

        try:
            return self._cipher.decrypt(content)
        except InvalidToken:
            raise StateError(
                f"no key in {STATE_KEY} decrypts the state {self.place}, or it was changed",
                "add the key that it was written with, after the newest one and a comma",
            ) from None


def make_state_key() -> str:
    """A new key; raises `ImportError` without the package that encrypts."""
    from cryptography.fernet import Fernet

    return Fernet.generate_key().decode()


def read_state_keys(env: Mapping[str, str]) -> Sequence[str]:
    """The keys that the environment gives, or names the files of; raises `WrongUse` for others."""
    given = [one.strip() for one in env.get(STATE_KEY, "").split(",") if one.strip()]
    keys = [
        key
        for one in given
        for key in ([one] if _KEY.fullmatch(one) else _read_key_file(Path(one)))
    ]
    for key in keys:
        register_secret(key)
    return keys


def _read_key_file(file: Path) -> Sequence[str]:
    """The keys in a file, one on a line."""
    try:
        return safe_files.read_named(file, _FILE_MOST).decode("utf-8-sig").split()
    except (OSError, ValueError):
        raise WrongUse(
            f"{STATE_KEY} has neither a key nor the name of a file that can be read",
            f"`lmssync state encryption-key FILE` writes a key; set {STATE_KEY} to it or to FILE; "
            "commas are between several",
        ) from None


def _make_cipher(keys: Sequence[str]) -> "MultiFernet":
    from cryptography.fernet import Fernet, MultiFernet

    try:
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError:
        raise WrongUse(
            f"{STATE_KEY} has something that is no key",
            "a key has 44 characters, as `lmssync state encryption-key FILE` writes it",
        ) from None
