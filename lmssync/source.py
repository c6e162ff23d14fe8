"""Where in the catalog something stands."""

from typing import NamedTuple

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
        for end in range(len(path), -1, -1):
            home = homes.get(path[:end])
            if home:
                return home._replace(path=home.path + path[end:])
        return self._replace(path=path, elsewhere=())


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
