"""The log as objects of a store: `s3://bucket/prefix`, `gs://` and `az://`.

The usual variables of the cloud have the credentials. What goes wrong there is a `StateError`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    GenericError,
    PermissionDeniedError,
    PreconditionError,
    UnauthenticatedError,
)
from obstore.store import ObjectStore, from_url

from ...errors import StateError, WrongUse
from ...support.hosts import NoHost, parse_site
from ...support.invisible_characters import escape_invisible
from ...support.redaction import redact_secrets, register_secret
from .state_backend import Snapshot, Trouble, backend_error

if TYPE_CHECKING:
    from obstore import ObjectMeta, PutMode, UpdateVersion
    from obstore.store import ClientConfig, RetryConfig


FAILURES = (BaseError, FileNotFoundError, NotImplementedError)
_BY_TYPE: tuple[tuple[type[Exception], Trouble], ...] = (
    (UnauthenticatedError, Trouble.DENIED),
    (PermissionDeniedError, Trouble.FORBIDDEN),
    (FileNotFoundError, Trouble.MISSING),
    (NotImplementedError, Trouble.UNFIT),
)
_BY_STATUS = {
    "401": Trouble.DENIED,
    "403": Trouble.FORBIDDEN,
    "404": Trouble.MISSING,
    "429": Trouble.BUSY,
    "503": Trouble.BUSY,
}
"""A list says of what went wrong nothing but the status."""
_METADATA = ("169.254.169.254", "metadata.google.internal")
"""The services of clouds that give a machine its credentials, for where no variable has any."""
_STATUS = re.compile(r"status code: (?P<shown>(?P<status>\d{3})[^:\n]*)")
_CODE, _MESSAGE = re.compile(r"<Code>([^<]+)"), re.compile(r"<Message>([^<]+)")
_CAUSES = re.compile(
    r'(?:message|error): "([^"]+)"|InvalidCertificate\(\s*(?:\w+\(\s*)*(\w+)'
    r"|(kind: Timeout|IncompleteMessage|InvalidMessage)"
)
_IN_WORDS = {
    "kind: Timeout": "no answer came in time",
    "IncompleteMessage": "the connection was closed before an answer came",
    "InvalidMessage": "the server at this address does not speak TLS",
}
_MARK = "\n\nDebug source:"
"""What follows is for programmers, and the only place where a cause stands."""


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Errors of the store leave as `StateError`."""
    try:
        yield
    except FAILURES as error:
        text, _, debug = str(error).partition(_MARK)
        raise backend_error(
            place, _classify_error(error, debug), _describe_error(text, debug)
        ) from None


def _classify_error(error: Exception, debug: str) -> Trouble:
    if any(host in str(error) for host in _METADATA):
        return Trouble.DENIED
    if not isinstance(error, GenericError):
        kinds = (trouble for kind, trouble in _BY_TYPE if isinstance(error, kind))
        return next(kinds, Trouble.OTHER)
    if "InvalidCertificate" in debug:
        return Trouble.UNSAFE
    status = _STATUS.search(str(error))
    if status is None:
        return Trouble.UNREACHABLE
    return _BY_STATUS.get(status["status"], Trouble.OTHER)


def _describe_error(text: str, debug: str) -> str:
    """The store's own message or, without one, what has hindered the request."""
    if any(host in text for host in _METADATA):
        return "no variable of the environment has credentials"
    if status := _STATUS.search(text):
        more = (found[1] for kind in (_CODE, _MESSAGE) if (found := kind.search(text)))
        return ", ".join([status["shown"], *more])
    if cause := _CAUSES.search(debug):
        said, certificate, kind = cause.groups("")
        if certificate:
            return f"its certificate is not trusted here ({certificate})"
        return said or _IN_WORDS[kind]
    return text.rpartition(" - ")[2]


class Bucket:
    """The objects whose names begin with a prefix; names are given without it."""

    def __init__(self, store: ObjectStore, prefix: str, place: str) -> None:
        self.place = place
        self._store = store
        self._prefix = f"{prefix}/" if prefix else ""

    def list_names(self, folder: str, after: str) -> Iterator[str]:
        """Yields the names of the objects in a folder that follow one, as the store lists them."""
        with in_words(self.place):
            start = f"{self._prefix}{folder}/"
            for page in obstore.list(self._store, start, offset=start + after):
                names = (entry["path"].removeprefix(start) for entry in page)
                # A store that does not know the offset lists them all.
                yield from (name for name in names if name > after)

    def has_object(self, name: str) -> bool:
        with in_words(self.place):
            try:
                obstore.head(self._store, self._prefix + name)
            except FileNotFoundError:
                return False
        return True

    def get_object(self, name: str) -> bytes | None:
        with in_words(self.place):
            try:
                return obstore.get(self._store, self._prefix + name).bytes().to_bytes()
            except FileNotFoundError:
                return None

    def read_beginning(self, name: str, size: int) -> tuple[bytes, "UpdateVersion"] | None:
        """The first bytes of an object, and the version that they are of."""
        with in_words(self.place):
            try:
                got = obstore.get(self._store, self._prefix + name, options={"range": (0, size)})
            except FileNotFoundError:
                return None
            return got.bytes().to_bytes(), _version_of(got.meta)

    def create_object(self, name: str, content: bytes) -> bool:
        """False if there is an object of that name."""
        with in_words(self.place):
            try:
                self._put_object(name, content, "create")
            except AlreadyExistsError:
                return False
        return True

    def replace_object(self, name: str, content: bytes, version: "UpdateVersion") -> bool:
        """False if the object has another version by now."""
        with in_words(self.place):
            try:
                self._put_object(name, content, version)
            except PreconditionError:
                return False
        return True

    def _put_object(self, name: str, content: bytes, mode: "PutMode") -> None:
        # An upload in several parts would check the condition at its end at the earliest, and some
        # stores not at all.
        obstore.put(self._store, self._prefix + name, content, mode=mode, use_multipart=False)


def _version_of(meta: "ObjectMeta") -> "UpdateVersion":
    """A cloud names a version by one of the two, or by both."""
    version: UpdateVersion = {}
    if meta["e_tag"] is not None:
        version["e_tag"] = meta["e_tag"]
    if meta["version"] is not None:
        version["version"] = meta["version"]
    return version


_DIGITS = 12
_SEGMENTS, _SNAPSHOT, _PROBE, _NOTES = "segments", "snapshot", "probe", ".notes"
_TRIES, _NOTE_MOST = 8, 100_000
"""How often a note is changed that others change too, and its bytes."""
_AT_ONCE = 8
"""Segments that are fetched side by side: a store answers slowly, but many at a time."""


class ObjectStoreBackend:
    """A backend in a store that makes an object only where there is none."""

    def __init__(self, bucket: Bucket, beside: Bucket | None = None) -> None:
        """`beside` is where all states of the bucket's address have their notes."""
        self.place = bucket.place
        self._bucket, self._beside = bucket, beside or bucket
        self._last = 0
        """The largest number that is known to be there."""
        self._is_sure = False

    def read(self, after: int = 0) -> Iterator[bytes]:
        # The list is complete before the first segment is yielded: what others append meanwhile is
        # for the next read.
        numbers = self._segment_numbers(after)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for start in range(0, len(numbers), _AT_ONCE):
                yield from pool.map(self._read_segment, numbers[start : start + _AT_ONCE])

    def append(self, number: int, segment: bytes, about: str = "") -> bool:  # noqa: ARG002
        self._make_sure()
        if not (0 < number <= self._last + 1 or self._bucket.has_object(_segment_name(number - 1))):
            raise StateError(
                f"segment {number} cannot be written to {self.place}: the one before it is missing",
                "nothing was written; `lmssync state verify` says how far the log goes",
            )
        # If it is there, it may be ours, from a first try of which no answer came.
        created = self._bucket.create_object(_segment_name(number), segment)
        if kept := created or self._bucket.get_object(_segment_name(number)) == segment:
            self._last = max(self._last, number)
        return kept

    def snapshot(self) -> Snapshot | None:
        content = self._bucket.get_object(_SNAPSHOT)
        if content is None:
            return None
        return Snapshot(self._number_of(content), content.partition(b"\n")[2])

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        while not self._is_kept(snapshot):
            pass  # another run has kept one in between: which of the two is later?

    def change_note(self, name: str, change: Callable[[str], str]) -> None:
        for _ in range(_TRIES):
            if self._change_note(f"{_NOTES}/{name}", change):
                return
        raise backend_error(self.place, Trouble.BUSY, "others change the same object all the time")

    def _change_note(self, name: str, change: Callable[[str], str]) -> bool:
        """False if somebody else has changed it in between."""
        there = self._beside.read_beginning(name, _NOTE_MOST)
        text = there[0].decode("utf-8", "replace") if there else ""
        if (changed := change(text)) == text:
            return True
        if there is None:
            return self._beside.create_object(name, changed.encode())
        return self._beside.replace_object(name, changed.encode(), there[1])

    def close(self) -> None:
        """Connections go with the store."""

    def _is_kept(self, snapshot: Snapshot) -> bool:
        content = b"%d\n%b" % snapshot
        there = self._bucket.read_beginning(_SNAPSHOT, _DIGITS + 1)
        if there is None:
            return self._bucket.create_object(_SNAPSHOT, content)
        beginning, version = there
        is_later = self._number_of(beginning) >= snapshot.number
        return is_later or self._bucket.replace_object(_SNAPSHOT, content, version)

    def _segment_numbers(self, after: int) -> range:
        """The numbers of the segments that follow; raises `StateError` if one is missing."""
        names = set(filter(_is_number, self._bucket.list_names(_SEGMENTS, f"{after:0{_DIGITS}}")))
        numbers = range(after + 1, after + 1 + len(names))
        for number in numbers:
            if f"{number:0{_DIGITS}}" not in names:
                raise self._missing_error(number)
        self._last = max(self._last, after + len(names))
        return numbers

    def _read_segment(self, number: int) -> bytes:
        segment = self._bucket.get_object(_segment_name(number))
        if segment is None:
            raise self._missing_error(number)
        return segment

    def _number_of(self, snapshot: bytes) -> int:
        number = snapshot.partition(b"\n")[0]
        if not number.isdigit() or len(number) > _DIGITS:
            raise StateError(
                f"the snapshot at {self.place} was not written by lmssync",
                "delete the object: the log itself has everything",
            )
        return int(number)

    def _missing_error(self, number: int) -> StateError:
        return StateError(
            f"segment {number} of the state {self.place} is missing",
            "somebody deleted it: restore it from the versions of the bucket or from a backup",
        )

    def _make_sure(self) -> None:
        """Raises `StateError` if the store writes over objects that it should only make."""
        if self._is_sure:
            return
        # A store that knows no conditional writes answers both with success. The probe stays, so
        # later runs ask once only.
        if self._bucket.create_object(_PROBE, b"") and self._bucket.create_object(_PROBE, b""):
            raise StateError(
                f"the store of {self.place} ignores conditional writes (If-None-Match), so two"
                " runs could overwrite each other's state",
                "use a store that honours them, or PostgreSQL or git for the state",
            )
        self._is_sure = True


def _segment_name(number: int) -> str:
    return f"{_SEGMENTS}/{number:0{_DIGITS}}"


def _is_number(name: str) -> bool:
    return len(name) == _DIGITS and name.isdecimal()


_EXAMPLE = "write it as s3://bucket/prefix; gs:// and az:// have the same parts"
_VARIABLES = "set the variables of its cloud (AWS_..., GOOGLE_... or AZURE_...): see docs/state.md"
_ENDPOINTS = {
    "s3": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
    "gs": ("GOOGLE_BASE_URL",),
    "az": ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"),
}
_ALLOWS_HTTP = {"s3": "AWS_ALLOW_HTTP", "gs": "GOOGLE_ALLOW_HTTP", "az": "AZURE_ALLOW_HTTP"}
_CLOUDS = ("AWS_", "GOOGLE_", "AZURE_")
_SECRETS = ("SECRET", "KEY", "TOKEN", "SAS", "PASSWORD")
_CLIENT: "ClientConfig" = {"connect_timeout": "10s", "timeout": "120s"}
_RETRIES: "RetryConfig" = {"max_retries": 4, "retry_timeout": timedelta(seconds=60)}


def connect_objects(url: str, environment: str, env: Mapping[str, str]) -> ObjectStoreBackend:
    """The log below `PREFIX/NAME` of a bucket; `NAME` is the part after `#`, or the environment."""
    parts = urlsplit(url)
    if not parts.hostname or parts.username or parts.query:
        raise WrongUse(
            "the address of the state names no bucket, or has a user or a query", _EXAMPLE
        )
    for variable, value in env.items():
        if variable.startswith(_CLOUDS) and any(word in variable for word in _SECRETS):
            register_secret(value)  # an error of a store may quote its request
    bucket = f"{parts.scheme}://{parts.netloc}"
    name = unquote(parts.fragment) or environment
    folders = [part for part in parts.path.split("/") if part]
    store = _open_store(bucket, _client_config(parts.scheme, env))
    own, above = (
        Bucket(store, prefix, escape_invisible(f"{bucket}/{prefix}"))
        for prefix in ("/".join([*folders, name]), "/".join(folders))
    )
    return ObjectStoreBackend(own, above)


def _open_store(bucket: str, client: "ClientConfig") -> ObjectStore:
    try:
        return from_url(bucket, client_options=client, retry_config=_RETRIES)
    except (BaseError, ValueError) as error:
        reason = escape_invisible(redact_secrets(str(error).partition("\n")[0]))
        raise WrongUse(f"{bucket} cannot be opened: {reason}", _VARIABLES) from None


def _client_config(scheme: str, env: Mapping[str, str]) -> "ClientConfig":
    """Options of the HTTP client; raises `WrongUse` where the address of the store is none."""
    set_ones = (name for name in _ENDPOINTS[scheme] if env.get(name))
    if (name := next(set_ones, None)) is None:
        return _CLIENT
    try:
        there = parse_site(env[name])
    except NoHost as error:
        raise WrongUse(f"the address in {name} {error}") from None
    # Http is for this machine, so that nobody reads along, unless the cloud's variable allows it.
    if there.is_clear and env.get(_ALLOWS_HTTP[scheme], "").lower() != "true":
        raise WrongUse(
            f"{name} is {there.url}, and everybody on the way could read and change the state",
            f"use https, or set {_ALLOWS_HTTP[scheme]}=true",
        )
    return {**_CLIENT, "allow_http": there.scheme == "http"}
