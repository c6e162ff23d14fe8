"""A backend of real files, one for each segment, each made by whoever is first."""

import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from lmssync.errors import StateError
from lmssync.state.backends import Snapshot


class FileBackend:
    """Keeps a log in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.place = folder, f"files:{folder.name}"
        folder.mkdir(exist_ok=True)

    def read(self, after: int = 0) -> Iterator[bytes]:
        """The segments that follow that number."""
        while (file := self._file(after := after + 1)).exists():
            yield file.read_bytes()

    def append(self, number: int, segment: bytes, about: str = "") -> bool:
        """Writes the whole file before it gets its name, which only one writer can give."""
        draft = self.folder / f"draft-{os.getpid()}-{os.urandom(4).hex()}"
        draft.write_bytes(segment)
        try:
            os.link(draft, self._file(number))
        except FileExistsError:
            return False
        finally:
            draft.unlink()
        return True

    def snapshot(self) -> Snapshot | None:
        """The one with the highest number."""
        files = sorted(self.folder.glob("snapshot-*"))
        return Snapshot(int(files[-1].name[9:]), files[-1].read_bytes()) if files else None

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Beside earlier ones."""
        (self.folder / f"snapshot-{snapshot.number:06}").write_bytes(snapshot.content)

    def change_note(self, name: str, change: Callable[[str], str]) -> None:
        """Keeps none."""
        raise StateError(f"{name} is not kept here")

    def plain(self) -> Iterator[bytes]:
        """All that is packed in the segments, unpacked."""
        for segment in self.read():
            for found in re.finditer(rb"x[\x01\x5e\x9c\xda]", segment):
                with suppress(zlib.error):
                    yield zlib.decompressobj().decompress(segment[found.start() :])

    def close(self) -> None:
        """Nothing is open."""

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:06}"


def open_files(url: str, root: Path, _environment: str, _env: Mapping[str, str]) -> FileBackend:
    """The backend at `files:NAME`, in the folder above the catalog, where everybody finds it."""
    return FileBackend(root.parent / url.removeprefix("files:"))
