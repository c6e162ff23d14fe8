"""What a state calls people: keyed hashes of what identifies them, their key, and who they are.

The key lies in the state, so a code alone, in a plan or a message, reveals nobody. With the state,
one can check whether a given person is in it; nobody else can. An exported state does not have the
key: that is in a file of its own. People who left a list are named nowhere else, and the platform
needs their name to take a license away, so a private file beside the state, the register, keeps the
identifiers of everybody who is recorded.
"""

import hmac
import json
import re
import sqlite3
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

import orjson

from ..errors import StateError, WrongUse
from ..settings import PEOPLE_KEY
from ..support import redaction, safe_files
from ..support.file_writing import write_whole
from ..support.persons import DIGITS, person_node
from .row_changes import HIDDEN
from .state_files import PEOPLE

_FORMAT = "lmssync.people/1"
_HINT = (
    "delete it: lmssync learns people again from the lists, and asks for those who have left a list"
)


class RegisterContent(NamedTuple):
    """The content of the register."""

    people: Mapping[str, str] = {}
    """Identifiers by code."""
    serial: int = -1
    """Of the state that it was brought in line with."""
    missing: int = 0
    """Codes of that state whose identifiers were not available."""


class PeopleRegister:
    """The file; it is written only while the state is locked."""

    def __init__(self, folder: Path, lineage: str) -> None:
        self.file = folder / PEOPLE / f"{lineage}.json"

    def read_people(self) -> RegisterContent:
        """Reads the file; empty where there is none. Raises `StateError` for a damaged one."""
        try:
            data = orjson.loads(self.file.read_bytes())
            people = {str(code): str(text) for code, text in data["people"].items()}
            return RegisterContent(people, int(data["serial"]), int(data["missing"]))
        except FileNotFoundError:
            return RegisterContent()
        except OSError as error:
            raise StateError(f"{self.file} cannot be read: {error.strerror}", _HINT) from None
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise StateError(f"{self.file} is damaged: {error!r}", _HINT) from None

    def write_people(self, known: RegisterContent) -> None:
        """On return it is on disk, readable for the owner only. Raises `StateError`."""
        data = {"format": _FORMAT, **known._asdict()}
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A state may lie where it is committed, this must not be.
            if not (ignore := self.file.with_name(".gitignore")).exists():
                ignore.write_text("*\n", "utf-8")
            write_whole(self.file, [orjson.dumps(data, option=_SPELLING)], private=True)
        except OSError as error:
            raise StateError(
                f"{self.file} cannot be written: {error.strerror}",
                "nothing was sent after this; check the folder's permissions and space",
            ) from None


_SPELLING = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE


_KEY, _KNOWN, _DIGEST = HIDDEN, "people forms", "people key digest"
_WHERE = (
    f"set {PEOPLE_KEY} to the key, or to the file that `lmssync state key FILE` writes on a "
    f"machine that knows it; in a pipeline, make it a secret of the project"
)
_MISSING = (
    "this shared state contains people as codes, but not the key to the codes",
    f"{_WHERE}. For a new state, `lmssync state key FILE` makes one",
)
_ANOTHER = (
    f"the codes for people in this state were made with another key than that in {PEOPLE_KEY}",
    _WHERE,
)
_OF_KEY = "key of people"
"""The text whose code tells one key from another, and reveals none."""


def make_people_key(db: sqlite3.Connection) -> None:
    """Gives a state its key, once and for all; to be called inside a transaction."""
    db.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", (_KEY, token_hex(32)))
    keep_key_digest(db)


def keep_key_digest(db: sqlite3.Connection) -> None:
    """Keeps what tells the key of a state from others, for those who have only its log."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    if row:
        db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_DIGEST, digest_of_key(row[0])))


def give_people_key(db: sqlite3.Connection, key: str) -> None:
    """Gives the key of a state to a copy of it; to be called inside a transaction."""
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_KEY, key))
    keep_key_digest(db)


def take_people_key(db: sqlite3.Connection, key: str) -> None:
    """Gives a state the key of another one, whose codes it has got; inside a transaction."""
    give_people_key(db, key)
    db.execute("DELETE FROM meta WHERE key = ?", (_KNOWN,))


def digest_of_key(key: str) -> str:
    """A digest of a key of people: equal for equal keys, and it reveals nothing of them."""
    return _keyed_hash(bytes.fromhex(key), _OF_KEY)


def _keyed_hash(key: bytes, text: str) -> str:
    # A plain hash of an e-mail address can be reversed by trying a list of addresses. With a key it
    # takes the key as well.
    digest = hmac.digest(key, text.encode("utf-8", "surrogatepass"), "sha256")
    return digest.hex()[:DIGITS]


class PeopleCodes:
    """The codes of one state."""

    def __init__(self, db: sqlite3.Connection, file: Path, given: str | None = None) -> None:
        """`given` is the key of a state whose log others share, who get it in the same way."""
        self._db = db
        self._file = file
        self._given = given

    def codes_in(self, db: sqlite3.Connection, file: Path) -> "PeopleCodes":
        """The codes of the same state as it was once, in `db`: its log does not have the key."""
        try:
            return PeopleCodes(db, file, self.key)
        except StateError:
            return PeopleCodes(db, file, "")

    @cached_property
    def register(self) -> PeopleRegister:
        """The register of this state on this machine."""
        return PeopleRegister(self._file.parent, self.lineage)

    @property
    def lineage(self) -> str:
        """The state whose codes these are."""
        return self._meta("lineage")

    @property
    def key(self) -> str:
        """The secret that the codes are made with; raises `StateError` where it is not here."""
        if self._given is None:
            return self._meta(_KEY)
        if not self._given:
            raise StateError(*_MISSING)
        if self._meta(_DIGEST) not in {"", digest_of_key(self._given)}:
            raise StateError(*_ANOTHER)
        return self._given

    @property
    def unknown_digest(self) -> tuple[str, str] | None:
        """The row that tells a key that was given, where the state does not know one yet."""
        return (
            (_DIGEST, digest_of_key(self._given))
            if self._given and not self._meta(_DIGEST)
            else None
        )

    @property
    def has_key(self) -> bool:
        """True if the state has a key, whether or not it is here."""
        return bool(self._meta(_DIGEST))

    @property
    def key_digest(self) -> str:
        """The digest of this key, with which others can tell whether theirs is the same."""
        return self._meta(_DIGEST) or digest_of_key(self.key)

    @cached_property
    def _key(self) -> bytes:
        return bytes.fromhex(self.key)

    def _meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else ""

    def hash_text(self, text: str) -> str:
        """The keyed hash of a text."""
        return _keyed_hash(self._key, text)

    def derive_key(self, purpose: str) -> bytes:
        """A key for another purpose, which tells nothing of this one."""
        if not self.key:
            raise StateError(*_MISSING)
        return hmac.digest(self._key, f"\0{purpose}".encode(), "sha256")  # no identifier has a NUL

    def code_of(self, identifier: str) -> str:
        """The code of an identifier. Spellings that differ only in capitals share the first part of
        their code (`persons.bare_code`)."""
        small = identifier.strip().lower()
        # Two spellings of one address are one person: the first part of the code finds the person,
        # the rest tells the spellings apart.
        code = self.hash_text(small)
        return code if small == identifier else f"{code}-{self.hash_text(identifier)[:4]}"

    def swap_for_node(self, value: Any) -> Any:
        """The node of an identifier; a node stays."""
        return person_node(self.code_of(value)) if isinstance(value, str) else value

    def known_forms(self) -> dict[str, str]:
        """Fingerprints of concealed forms, by `hash_of_manifest` of what they were made from:
        so that none has to be opened to see that nothing has changed."""
        forms: dict[str, str] = json.loads(self._meta(_KNOWN) or "{}")
        return forms

    def hash_of_manifest(self, fingerprint: str) -> str:
        """A keyed hash of the fingerprint of a form that is not concealed: from the fingerprint
        itself, anybody could guess who is in a short list."""
        return self.hash_text(f"form {fingerprint}")

    def keep_forms(self, forms: Mapping[str, str]) -> None:
        """Keeps what `known_forms` gives back; to be called inside a transaction."""
        text = json.dumps(dict(sorted(forms.items())))
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_KNOWN, text))


_KEY_FORMAT = "lmssync.people-key/1"
_BYTES_MOST = 10_000
_HEX = re.compile("[0-9a-fA-F]{64}")


def write_key(codes: PeopleCodes, file: Path) -> None:
    """Writes the key for its owner alone: with it, one can check whether somebody is in the state.

    Raises `WrongUse` where that is not possible.
    """
    _write_key(file, codes.lineage, codes.key)


def make_key(codes: PeopleCodes, file: Path) -> None:
    """Writes a new key for a shared state that has none yet; raises `WrongUse`."""
    if codes.has_key:
        raise WrongUse(
            "the state already has a people key, which this machine does not know",
            f"copy it from where {PEOPLE_KEY} is set, or ask a colleague who has its file",
        )
    _write_key(file, codes.lineage, token_hex(32))


def _write_key(file: Path, lineage: str, key: str) -> None:
    data = {"format": _KEY_FORMAT, "lineage": lineage, "key": key}
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
    redaction.register_secret(given)
    return given.lower()


def read_key(file: Path) -> str:
    """The key in a file; raises `WrongUse` for any other file."""
    try:
        data = orjson.loads(safe_files.read_named(file, _BYTES_MOST))
        if data["format"] != _KEY_FORMAT:
            raise ValueError(data["format"])
        digest_of_key(data["key"])
        return str(data["key"])
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    except (LookupError, TypeError, ValueError):
        raise WrongUse(
            f"{file} is not a people key", "it is the file that `--people-key` has written"
        ) from None
