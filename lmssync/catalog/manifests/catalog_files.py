"""The files of a catalog: which exist, whether they changed, and how much they may hold.

Nothing here knows what is in them. `CatalogFiles` reads the files that manifests name, bodies of
prose and tables of users, and remembers which it looked at.
"""

import hashlib
import marshal
import os
import posixpath
import secrets
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from ... import resource as source
from ...errors import WrongUse
from ...problems import Finding, Rule, suggest_near
from ...support import safe_files
from ...support.operating_system import HAS_OWNERS, make_like
from ...support.safe_files import Folder, find_unsaved_stamp, list_unsaved_names

TICK = 1_000_000_000
"""Nanoseconds in which a file can change twice and look the same, on the coarsest file system."""
GONE = "-1.-1.-1.0"
"""The stamp of a file that is not there, or of a link that leads nowhere."""


def stamp_of(entry: "os.DirEntry[str] | Path") -> str:
    """The stamp of a file, or of the text in its place; `GONE` if there is none."""
    return find_unsaved_stamp(entry) or _stamp_file(entry)


def _stamp_file(entry: "os.DirEntry[str] | Path") -> str:
    try:
        status = entry.stat()
    except OSError:
        return GONE
    # The number changes when another file with the same size and time is put in its place. On
    # Windows it is not the same in a listing and in a `stat`.
    node = status.st_ino if HAS_OWNERS else 0
    return f"{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}.{node}"


def stamped_size(stamp: str) -> int:
    """The number of bytes of a file, by its stamp; negative for `GONE`."""
    return int(stamp.partition(".")[0])


def newest_stamp(stamps: Iterable[str]) -> int:
    """When the last of these files was changed, in nanoseconds."""
    return max(map(int, chain.from_iterable(stamp.split(".")[1:3] for stamp in stamps)), default=0)


def settle_stamp(stamp: str, now: int) -> str:
    """The stamp of a file that is read `now`, if that says all that can be said of it.

    Empty for a file so new that it may change once more and look the same.
    """
    # Git calls such a file racily clean: it is read once more by the next run.
    return "" if stamp == GONE or newest_stamp([stamp]) > now - TICK else stamp


MANIFEST_BYTES = 64 * 1024 * 1024
"""Of any file of YAML."""
BODY_BYTES = 8 * 1024 * 1024
"""Of a body or a table in a file of its own."""
FORMAT_BYTES = 8 * 1024 * 1024
"""Of a file that `fmt` puts in order although only ruamel.yaml reads it, as one with tabs: it takes
a second or two for each million."""
VALUES = 1_000_000
"""Of a file, once its aliases are written out."""
MERGED = 200_000
"""Keys that the merge keys (`<<`) of a file stand for."""
MISTAKES = 500
"""Told of one document: each takes a search for what was meant."""
FOLDERS = 100
"""The most folders that may be inside each other."""
PROJECT = "lmssync.yaml"
OVERLAYS, POLICIES, STORIES, RELEASES = "overlays", "policies", "stories", "releases"
RESERVED = (OVERLAYS, POLICIES, STORIES, RELEASES, "schemas")
"""Folders at the top of a catalog whose YAML files are not manifests."""
TEMPLATE, PART_ENDING = ".j2", ".part.yaml"
ENDINGS = (".yaml", ".yml", ".yaml.j2", ".yml.j2")


def _holds_resources(name: str) -> bool:
    top = name.partition("/")[0]
    named = name.endswith(ENDINGS) and not name.endswith(PART_ENDING)
    return named and top not in RESERVED and name != PROJECT


@dataclass(frozen=True)
class Listing:
    """Every file of a catalog by its path from the root, with forward slashes; sorted."""

    files: dict[str, str]
    """The stamp of each."""
    linked: tuple[str, ...] = ()
    """Links to folders, which are not entered: such a folder may lie anywhere."""
    begun: int = field(default_factory=time.time_ns, compare=False)
    """When the files were looked at, in nanoseconds."""

    def manifests(self, known: Set[str] = frozenset()) -> list[str]:
        return [n for n in self.files if n not in known and _holds_resources(n) and n.isprintable()]

    def unnameable(self) -> list[str]:
        """Files that would hold resources, but whose names no message and no table can hold."""
        return [name for name in self.files if not name.isprintable() and _holds_resources(name)]

    def yaml_files_below(self, folder: str) -> list[str]:
        names = [*self.files]  # sorted: `0` is the character that follows `/`
        below = names[bisect_left(names, f"{folder}/") : bisect_left(names, f"{folder}0")]
        return [name for name in below if name.endswith(ENDINGS)]

    def list_yaml_files(self) -> list[str]:
        """The files of YAML that are read: manifests, those of other sorts, the project file."""
        others = map(self.yaml_files_below, (OVERLAYS, POLICIES, STORIES, RELEASES))
        return [*self.manifests(), *chain.from_iterable(others), PROJECT]

    @cached_property
    def digest(self) -> str:
        """Changes with anything that is in the catalog."""
        # In version 2 the same values always have the same spelling; later ones count references.
        digest, files = hashlib.sha256(marshal.dumps(self.linked, 2)), iter(self.files.items())
        while some := list(islice(files, 1_000)):  # the spelling of all would be a copy of them
            digest.update(marshal.dumps(some, 2))
        return digest.hexdigest()

    @cached_property
    def settled(self) -> bool:
        """False while a file is so new that it may change once more and look the same."""
        return newest_stamp(self.files.values()) <= self.begun - TICK


def walk_catalog(root: Path) -> Listing:
    """Everything below the root, without what is hidden; nothing where there is no such folder.

    Raises `WrongUse` for a folder that cannot be read: what is in it must not seem to be gone.
    """
    begun = time.time_ns()
    if not root.is_dir():
        return Listing({})
    linked: list[str] = []
    try:
        files = dict(_walk_folder(str(root), linked))
    except OSError as error:
        text = f"the folder {error.filename} cannot be read: {error.strerror}"
        hint = "everything in it would look as if it were no longer in the catalog"
        raise WrongUse(text, hint) from None
    files |= {name: stamp_of(root / name) for name in list_unsaved_names(str(root))}
    return Listing({name: files[name] for name in sorted(files)}, tuple(sorted(linked)), begun)


def _walk_folder(root: str, linked: list[str]) -> Iterator[tuple[str, str]]:
    """Every file below a folder with its stamp; links to folders are put into `linked`."""
    # A stack in place of recursion: a stranger's catalog may be thousands of folders deep.
    waiting = [("", 0)]
    while waiting:
        prefix, depth = waiting.pop()
        if depth > FOLDERS:
            raise OSError(None, f"it is more than {FOLDERS} folders deep", prefix)
        with os.scandir(os.path.join(root, prefix)) as entries:  # noqa: PTH118 - a third of the time
            for entry in entries:
                name = prefix + entry.name
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((f"{name}/", depth + 1))
                # A link to a file is read, where it leads is checked later. A link to a folder
                # could lead to the whole disk, or back to the catalog.
                elif entry.is_symlink() and entry.is_dir():
                    linked.append(name)
                else:
                    yield name, _stamp_file(entry)


_TEXTS = (".md", ".html", ".htm", ".csv")


def find_existing(root: Path, name: str) -> Path:
    """The file or folder of that name, from here or else from the root; raises `WrongUse`."""
    places = (Path(name), root / name)
    if there := next(filter(os.path.lexists, places), None):
        return there
    folders = (place.parent for place in places if os.access(place.parent, os.R_OK))
    beside = {entry.name for folder in folders if folder.is_dir() for entry in folder.iterdir()}
    raise WrongUse(f"there is no file {name}", suggest_near(Path(name).name, sorted(beside)))


def choose_files(root: Path, names: Sequence[str]) -> set[str]:
    """The files of the catalog that `names` stand for, from its root; folders are entered.

    Raises `WrongUse` for a name that stands for nothing that a catalog reads.
    """
    listing = walk_catalog(root)
    read = {*listing.list_yaml_files(), *(n for n in listing.files if n.endswith(_TEXTS))}
    return {file for name in names for file in _files_of(root, name, listing, read)}


def _files_of(root: Path, name: str, listing: Listing, read: set[str]) -> Iterator[str]:
    path = _from_root(root, name, find_existing(root, name))
    if path in listing.files:
        if path not in read:
            raise WrongUse(f"{name} is not a file that lmssync reads", _what_is_read())
        yield path
        return
    below = [file for file in read if path == "." or file.startswith(f"{path}/")]
    if not below:
        raise WrongUse(f"lmssync reads nothing in {name}", _what_is_read())
    yield from below


def _what_is_read() -> str:
    endings = ", ".join(sorted({*ENDINGS, *_TEXTS}))
    return f"name files that end in {endings}, and are not in a hidden folder or in schemas/"


def _from_root(root: Path, name: str, file: Path) -> str:
    """The path from the root, with forward slashes; raises `WrongUse` for what lies elsewhere."""
    real = Path(os.path.realpath(file.parent)) / file.name
    for path, top in (
        (Path(os.path.normpath(file.absolute())), root.absolute()),
        (Path(os.path.normpath(real)), Path(os.path.realpath(root))),
    ):
        if path.is_relative_to(top):
            return path.relative_to(top).as_posix()
    raise WrongUse(f"{name} is not in the catalog {root}", "name another catalog with -C DIR")


def replace_file(root: Path, name: str, before: bytes, after: bytes) -> None:
    """Replaces a file that holds `before`; raises `OSError`, and then nothing has happened.

    The new text is written beside the file, with its mode and owner, and then takes its place. Of
    a link within `root`, the file that it leads to is replaced. What somebody else wrote
    meanwhile is kept.
    """
    above, last = posixpath.split(safe_files.resolve_inside(root, name))
    beside = f".lmssync-{secrets.token_hex(8)}.tmp"
    with safe_files.open_inside(root, above) as folder:
        try:
            _write_beside(folder, beside, last, after)
            # As late as can be: no file system has a rename that compares.
            if safe_files.read_inside(root, name, MANIFEST_BYTES) not in {before, after}:
                raise OSError(None, "it was changed in the meantime")
            folder.replace(beside, last)
        finally:
            with suppress(FileNotFoundError):
                folder.unlink(beside)


def _write_beside(folder: Folder, beside: str, last: str, data: bytes) -> None:
    """Writes a new file beside another, which it is like, and waits until it is on the disk."""
    if not folder.is_writable(last):
        raise PermissionError(None, "it is write-protected")
    like = folder.stat(last)
    with os.fdopen(folder.create(beside, 0o600), "wb") as out:
        make_like(out.fileno(), like)
        out.write(data)
        out.flush()
        # Before the rename: a crash must not leave an empty file under the name of a manifest.
        os.fsync(out.fileno())


FILE_MISSING = Rule(
    "file-missing", "The file does not exist.", "Check the path; the hint may suggest one."
)
FILE_OUTSIDE = Rule(
    "file-outside",
    "The file is outside the catalog, or is a link to a file outside it or to a hidden file.",
    "Put the file itself into the catalog.",
)
FILE_SIZE = Rule("file-size", "The file is too large.", "Split the page.")
FILE_ENDING = Rule(
    "file-ending",
    "By its name, the file is neither Markdown nor HTML.",
    "Name it `.md` or `.html`.",
    within="a topic",
    wrong="bodyFile: hello.docx",
    right="bodyFile: hello.md",
)
NOT_UTF_8 = Rule("not-utf-8", "The file is not UTF-8.", "Save it as UTF-8.")
SAVE_AS_UTF_8 = "save the file as UTF-8"


def describe_undecodable(error: UnicodeDecodeError) -> tuple[str, tuple[int, int]]:
    """What makes a text not UTF-8, with the line and column of the first byte that does."""
    data = error.object
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "the file is UTF-16", (1, 1)
    before = data[: error.start].decode("utf-8")
    odd = data[error.start : error.start + 1]
    meant = odd.decode("cp1252", "ignore")
    message = f"byte 0x{odd.hex()} is not UTF-8" + (
        f"; in the encoding of Windows it is `{meant}`" if meant.isprintable() and meant else ""
    )
    return message, (before.count("\n") + 1, len(before) - before.rfind("\n"))


_SLASHES = "write it with forward slashes (/), which work on every system"


class NoFile(Exception):
    """The mistake in a file that a manifest names."""

    def __init__(
        self, rule: Rule, message: str, hint: str | None = None, place: source.Place | None = None
    ) -> None:
        super().__init__(message)
        self.rule, self.message, self.hint, self.place = rule, message, hint, place

    def as_finding(self, path: source.Path) -> Finding:
        """The finding for the value that names the file, or for a line of the file itself."""
        return self.rule.at(path, self.message, self.hint, self.place)


class Sight(NamedTuple):
    """A file as it was when it was read; both empty if it could not be."""

    stamp: str = ""
    digest: str = ""


class CatalogFiles:
    """Reads files inside a catalog."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.seen: dict[str, Sight] = {}
        """By path from the root. What was made of a manifest holds as long as these do."""

    def read_attached_text(self, manifest: str, name: str) -> str:
        """The text of the file that a manifest calls `name`; raises `NoFile`.

        Its line ends are those of every system: git checks out others on Windows.
        """
        try:
            text = self.read_attached_bytes(manifest, name).decode("utf-8")
        except UnicodeDecodeError as error:
            file = posixpath.normpath(posixpath.join(posixpath.dirname(manifest), name))
            message, spot = describe_undecodable(error)
            place = source.Place(file, *spot)
            raise NoFile(NOT_UTF_8, message, SAVE_AS_UTF_8, place) from None
        # Else the same commit would have another fingerprint on Windows, and every body would seem
        # changed.
        return text.removeprefix("\ufeff").replace("\r\n", "\n")

    def read_attached_bytes(self, manifest: str, name: str) -> bytes:
        """The bytes of the file that a manifest calls `name`; raises `NoFile`."""
        path = posixpath.join(posixpath.dirname(manifest), name)
        # Noted before it is read: what is not there today, and is tomorrow, changes the result too.
        given = posixpath.normpath(path)
        self.seen[given] = Sight()
        real = self._resolve_path(name, path)
        self.seen[real] = Sight()
        now = time.time_ns()
        stamp = stamp_of(self._root / real)
        data = self._read_real_file(name, real)
        sight = Sight(settle_stamp(stamp, now), hashlib.sha256(data).hexdigest())
        self.seen[given] = self.seen[real] = sight  # behind a link it has two names
        return data

    def _resolve_path(self, name: str, path: str) -> str:
        """The path of a file in the catalog, behind links."""
        if os.sep in name.replace("/", ""):  # it would be found on this system alone
            raise NoFile(FILE_MISSING, f"there is no file `{name}`", _SLASHES)
        try:
            return safe_files.resolve_inside(self._root, path)
        except safe_files.Outside as error:
            text = f"`{name}` cannot be read: {error.strerror}"
            raise NoFile(FILE_OUTSIDE, text, "move it into the catalog") from None
        except OSError:
            text = f"`{name}` is not the path of a file"
            raise NoFile(FILE_MISSING, text, "name a file next to the manifest") from None

    def _read_real_file(self, name: str, real: str) -> bytes:
        try:
            return safe_files.read_inside(self._root, real, BODY_BYTES)
        except (FileNotFoundError, NotADirectoryError):
            hint = _SLASHES if "\\" in name else _guess_file(self._root / real)
            raise NoFile(FILE_MISSING, f"there is no file `{name}`", hint) from None
        except safe_files.TooLarge as error:
            text = f"`{name}` has {error.size:,} bytes; {BODY_BYTES:,} are allowed"
            raise NoFile(FILE_SIZE, text, "split it") from None
        except OSError as error:
            text = f"`{name}` cannot be read: {error.strerror}"
            raise NoFile(FILE_MISSING, text, _SLASHES if "\\" in name else "") from None


def _guess_file(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder `{folder.name}` either"
    return suggest_near(path.name, [other.name for other in folder.iterdir()]) or "check the path"
