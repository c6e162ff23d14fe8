"""What a home needs of an object store; what goes wrong there is a `StateError`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import AlreadyExistsError, PreconditionError
from obstore.store import ObjectStore

from .object_errors import in_words

if TYPE_CHECKING:
    from obstore import ObjectMeta, PutMode, UpdateVersion


class Bucket:
    """The objects whose names begin with a prefix; names are given without it."""

    def __init__(self, store: ObjectStore, prefix: str, place: str) -> None:
        self.place = place
        self._store = store
        self._prefix = f"{prefix}/" if prefix else ""

    def names(self, folder: str, after: str) -> Iterator[str]:
        """Of the objects in a folder that come after one, as the store lists them."""
        with in_words(self.place):
            start = f"{self._prefix}{folder}/"
            for page in obstore.list(self._store, start, offset=start + after):
                names = (entry["path"].removeprefix(start) for entry in page)
                # A store that does not know the offset lists them all.
                yield from (name for name in names if name > after)

    def has(self, name: str) -> bool:
        with in_words(self.place):
            try:
                obstore.head(self._store, self._prefix + name)
            except FileNotFoundError:
                return False
        return True

    def get(self, name: str) -> bytes | None:
        with in_words(self.place):
            try:
                return obstore.get(self._store, self._prefix + name).bytes().to_bytes()
            except FileNotFoundError:
                return None

    def beginning(self, name: str, size: int) -> tuple[bytes, "UpdateVersion"] | None:
        """The first bytes of an object, and the version that they are of."""
        with in_words(self.place):
            try:
                got = obstore.get(self._store, self._prefix + name, options={"range": (0, size)})
            except FileNotFoundError:
                return None
            return got.bytes().to_bytes(), _version(got.meta)

    def create(self, name: str, content: bytes) -> bool:
        """False if there is an object of that name."""
        with in_words(self.place):
            try:
                self._put(name, content, "create")
            except AlreadyExistsError:
                return False
        return True

    def replace(self, name: str, content: bytes, version: "UpdateVersion") -> bool:
        """False if the object has another version by now."""
        with in_words(self.place):
            try:
                self._put(name, content, version)
            except PreconditionError:
                return False
        return True

    def _put(self, name: str, content: bytes, mode: "PutMode") -> None:
        obstore.put(self._store, self._prefix + name, content, mode=mode, use_multipart=False)


def _version(meta: "ObjectMeta") -> "UpdateVersion":
    """A cloud names a version by one of the two, or by both."""
    version: UpdateVersion = {}
    if meta["e_tag"] is not None:
        version["e_tag"] = meta["e_tag"]
    if meta["version"] is not None:
        version["version"] = meta["version"]
    return version
