"""A resource as the catalog wants it, its address, and where it is written.

It is small enough to keep ten thousand in memory.
"""

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from sys import intern
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, runtime_checkable

import orjson

PROJECT_FILE = "lmssync.yaml"
"""It makes a folder the root of a catalog."""
Path = tuple[str | int, ...]
"""Keys and positions that lead from the top of a document to a value."""


class Origin(NamedTuple):
    """The document, and the part of it, that a resource was read from."""

    file: str
    """Relative to the root of the catalog, with forward slashes."""
    document: int = 0
    path: Path = ()
    elsewhere: tuple[tuple[Path, "Origin"], ...] = ()
    """Parts of the document, by their full path, that stand elsewhere: in the defaults of the
    project file, in an overlay, at another position of a list."""

    def at(self, below: Path) -> "Origin":
        """Where something stands that the document has at `below` this path."""
        path = self.path + below
        homes = dict(self.elsewhere)
        # The longest path that has another home decides: a field of an overlay may be inside a list
        # that a default gives.
        for end in range(len(path), -1, -1) if homes else ():
            home = homes.get(path[:end])
            if home:
                return home._replace(path=home.path + path[end:])
        return Origin(self.file, self.document, path)


class Place(NamedTuple):
    """A spot in a file that an editor can jump to; lines and columns count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def spell_path(path: Path) -> str:
    """A path as people write it: `sections[0].title`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")


def is_within(path: str, outer: str) -> bool:
    """True for the path of a field itself, and for those below; all are within the empty path."""
    return not outer or path == outer or path.startswith((f"{outer}.", f"{outer}["))


KEY = r"^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$"
"""What a key may be: it can stand in an address, and be the name of a file."""
KEY_MOST = 200
SHORT_ID = 24
"""Characters of an id of a part that people like to type."""


class Address(NamedTuple):
    """Kind and key of a resource: `course.safety-101`, `criterion.safety-101.pass`."""

    kind: str
    key: str

    def __str__(self) -> str:
        return f"{self.kind}.{self.key}"

    @classmethod
    def parse(cls, text: str) -> "Address":
        """The address that `text` spells; the key may hold dots, the kind may not."""
        kind, _, key = text.partition(".")
        # All addresses share the few names of kinds.
        return cls._make((intern(kind), key))  # in two thirds of the time


Form = dict[str, Any]
"""A manifest made regular: files read, ids of parts written out, short forms taken apart.

Two nodes stand for what is not known yet or not worked out yet:
`{"$ref": "course.first-aid", "id": "courseGroup", "part": "a/b/c"}` is an id of another
resource, and `{"$markdown": "..."}` is HTML that is rendered when it is sent.
"""


class Reference(NamedTuple):
    """A manifest naming something else: `kind` and `name` as written, never a uuid."""

    path: Path
    kind: str
    name: str
    part: str | None = None
    part_types: frozenset[str] = frozenset()
    """Types the part may have; empty means any."""
    deferrable: bool = False
    """May be set by an update later, so that two resources can refer to each other."""
    settled: bool = False
    """Judged already: it names a part of a resource in the same file."""

    @property
    def address(self) -> Address:
        return Address(self.kind, self.name)


class NamedId(NamedTuple):
    """A manifest naming something by its uuid, which nobody manages here."""

    path: Path
    what: str
    """What has that id: `course`, `courseGroup`; the words of `kinds.SOUGHT`."""
    id: str


class Lifecycle(NamedTuple):
    """What a manifest says about itself: where it was before, and how careful to be with it."""

    moves: tuple[tuple[str, str], ...] = ()
    """Addresses that it had before, each with nothing; and paths that parts of it had, each with
    the path that the part has now."""
    protect: bool = False
    """No change of it without a word that names it."""
    ignore: tuple[str, ...] = ()
    """Fields that are set at creation and left alone afterwards."""

    @property
    def moved(self) -> Sequence[str]:
        """Addresses that the resource had before."""
        return [old for old, part in self.moves if not part]

    @property
    def moved_parts(self) -> Mapping[str, str]:
        """Paths that parts had before, each with the one that the part has now."""
        return {old: part for old, part in self.moves if part}


class Resource(NamedTuple):
    """What is kept of a manifest once its document has been dropped."""

    address: Address
    fingerprint: str
    body: bytes | Callable[[], bytes]
    """The form, packed: at 10,000 courses, dictionaries would fill the memory. Or how to get it."""
    references: tuple[Reference, ...]
    origin: Origin
    facts: Mapping[str, Any] = MappingProxyType({})
    """A few values of the form that are known without opening it (`Relations.facts`)."""
    lifecycle: Lifecycle = Lifecycle()

    @property
    def packed_form(self) -> bytes:
        """The form as `pack_text` makes it."""
        return self.body if isinstance(self.body, bytes) else self.body()

    @property
    def form(self) -> Form:
        return unpack_form(self.packed_form)


class RefusedResource(NamedTuple):
    """A resource with a mistake in its document, as far as that can be read."""

    readings: tuple[Resource, ...]
    """What it may be once it is corrected: a rule is broken where it is broken in all of them."""

    @property
    def address(self) -> Address:
        return self.readings[0].address

    def read_as(self, number: int) -> Resource:
        """One of them, over and over again."""
        return self.readings[number % len(self.readings)]


@runtime_checkable
class Indexed(Protocol):
    """Resources of which some things are known without opening any."""

    fingerprints: Mapping[Address, str]
    careful: Sequence[Address]
    """Those whose manifests say something about themselves (`Lifecycle`)."""


def compute_fingerprints(resources: Mapping[Address, Resource]) -> Mapping[Address, str]:
    """The fingerprint of each resource."""
    if isinstance(resources, Indexed):
        return resources.fingerprints
    return {address: resource.fingerprint for address, resource in resources.items()}


def careful_resources(resources: Mapping[Address, Resource]) -> Iterator[Resource]:
    """The resources whose manifests say something about themselves."""
    if isinstance(resources, Indexed):
        return (resources[address] for address in resources.careful)
    return (resource for resource in resources.values() if resource.lifecycle != _DEFAULT)


_DEFAULT = Lifecycle()


def canonical_text(form: Form) -> bytes:
    """The one spelling of a form, whatever the order its author wrote it in."""
    # Fingerprints are made of this text. Whatever changes it, another library or another option,
    # makes every resource of every state look changed.
    return orjson.dumps(form, option=orjson.OPT_SORT_KEYS)


def fingerprint_of(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


FORM_MOST = 256 * 1024**2
"""Bytes of one form: more than the files of a catalog may have."""


def pack_text(text: bytes) -> bytes:
    # Compare fingerprints, never packed bytes: another version of zlib gives others.
    return zlib.compress(text, 1)


def pack_form(form: Form) -> bytes:
    return pack_text(canonical_text(form))


def canonical_spelling(packed: bytes) -> bytes:
    """The canonical spelling of a packed form; a stage asks for that of one resource many times."""
    return _recent(packed) if len(packed) < _SMALL else unpack_bounded(packed)


def unpack_bounded(packed: bytes, most: int = FORM_MOST) -> bytes:
    """Packed bytes as they were; raises `zlib.error`, also for more than `most` bytes."""
    unpacking = zlib.decompressobj()
    plain = unpacking.decompress(packed, most)
    if unpacking.eof:
        return plain
    is_larger = len(plain) >= most
    raise zlib.error(f"it has more than {most:,} bytes" if is_larger else "it is cut short")


_recent = lru_cache(maxsize=32)(unpack_bounded)
_SMALL = 65_536
"""Bytes of a packed form that is remembered for a while: larger ones would fill the memory."""


def unpack_form(packed: bytes) -> Form:
    """The form that was packed. Nobody may change it: others get the same object, since the stages
    ask for the form of one resource many times."""
    return _recent_form(packed) if len(packed) < _SMALL_FORM else load_form(packed)


def load_form(packed: bytes) -> Form:
    """The form that was packed, for a stage that looks at each of many once: remembering them would
    take longer than unpacking."""
    form: Form = orjson.loads(canonical_spelling(packed))
    return form


# A look goes through a hundred records twice, and finds the forms of all of them the second time.
_recent_form = lru_cache(maxsize=128)(load_form)
_SMALL_FORM = 8_192
"""Bytes of a packed form that is remembered for a while as it is once it is unpacked."""
