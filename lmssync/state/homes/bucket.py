"""What a home needs of an object store; what goes wrong there is a `StateError`."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    GenericError,
    PermissionDeniedError,
    PreconditionError,
    UnauthenticatedError,
)
from obstore.store import ObjectStore

from .failures import BackendTrouble, backend_error

if TYPE_CHECKING:
    from obstore import ObjectMeta, PutMode, UpdateVersion


FAILURES = (BaseError, FileNotFoundError, NotImplementedError)
_BY_TYPE: tuple[tuple[type[Exception], BackendTrouble], ...] = (
    (UnauthenticatedError, BackendTrouble.DENIED),
    (PermissionDeniedError, BackendTrouble.FORBIDDEN),
    (FileNotFoundError, BackendTrouble.MISSING),
    (NotImplementedError, BackendTrouble.UNFIT),
)
_BY_STATUS = {
    "401": BackendTrouble.DENIED,
    "403": BackendTrouble.FORBIDDEN,
    "404": BackendTrouble.MISSING,
    "429": BackendTrouble.BUSY,
    "503": BackendTrouble.BUSY,
}
"""A list says of what went wrong nothing but the status."""
_METADATA = ("169.254.169.254", "metadata.google.internal")
"""Who is asked for credentials where no variable has any: the cloud that a machine stands in."""
_STATUS = re.compile(r"status code: (?P<shown>(?P<status>\d{3})[^:\n]*)")
_CODE, _MESSAGE = re.compile(r"<Code>([^<]+)"), re.compile(r"<Message>([^<]+)")
_CAUSES = re.compile(
    r'(?:message|error): "([^"]+)"|InvalidCertificate\(\s*(?:\w+\(\s*)*(\w+)'
    r"|(kind: Timeout|IncompleteMessage|InvalidMessage)"
)
_IN_WORDS = {
    "kind: Timeout": "no answer came in time",
    "IncompleteMessage": "the connection was closed before an answer came",
    "InvalidMessage": "what answers there does not speak TLS",
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


def _classify_error(error: Exception, debug: str) -> BackendTrouble:
    if any(host in str(error) for host in _METADATA):
        return BackendTrouble.DENIED
    if not isinstance(error, GenericError):
        kinds = (trouble for kind, trouble in _BY_TYPE if isinstance(error, kind))
        return next(kinds, BackendTrouble.OTHER)
    if "InvalidCertificate" in debug:
        return BackendTrouble.UNSAFE
    status = _STATUS.search(str(error))
    if status is None:
        return BackendTrouble.UNREACHABLE
    return _BY_STATUS.get(status["status"], BackendTrouble.OTHER)


def _describe_error(text: str, debug: str) -> str:
    """What the store has said, or else what has hindered the request."""
    if any(host in text for host in _METADATA):
        return "no variable has credentials"
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
        """Of the objects in a folder that come after one, as the store lists them."""
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
        obstore.put(self._store, self._prefix + name, content, mode=mode, use_multipart=False)


def _version_of(meta: "ObjectMeta") -> "UpdateVersion":
    """A cloud names a version by one of the two, or by both."""
    version: UpdateVersion = {}
    if meta["e_tag"] is not None:
        version["e_tag"] = meta["e_tag"]
    if meta["version"] is not None:
        version["version"] = meta["version"]
    return version
