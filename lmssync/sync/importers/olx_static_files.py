"""Static files of an Open edX archive, by the names under which its texts refer to them.

The platform stores a file under a name of letters, digits and underscores, and an export gives the
file its first name again. So a text has `/static/a_b.png` where the archive has `static/a b.png`.
"""

import json
import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from .course_outline import SourceFile
from .source_files import SourceFiles

_STATIC = re.compile(
    r"/?(?:static/|asset-v1:[^/]*\+type@asset\+block[@/]|c4x/[^/]+/[^/]+/asset/)(?P<name>.+)"
)
_NOT_STORED = re.compile(r"[^\w.%-]")


def find_static_name(path: str) -> str | None:
    """The name of the static file that an address of a text leads to; none for other addresses."""
    match = _STATIC.fullmatch(path)
    return match["name"] if match else None


class OlxStaticFiles:
    """The static files of one course."""

    def __init__(self, files: SourceFiles, root: str) -> None:
        self._files, self._root = files, root
        self._stored = dict(self._stored_names())

    def find_file(self, name: str) -> SourceFile | None:
        """The file of a name, as the archive or the platform spells it; none if it is missing."""
        for spelled in (name, unquote(name)):
            file = posixpath.join(self._root, "static", spelled)
            file = (
                file if file in self._files else self._stored.get(_spell_stored_name(spelled), "")
            )
            if file:
                return SourceFile(file, posixpath.basename(file))
        return None

    def _stored_names(self) -> Iterator[tuple[str, str]]:
        """Each name under which the platform stored a file, with its path in the archive."""
        top = posixpath.join(self._root, "static", "")
        for file in self._files.sizes:
            if file.startswith(top):
                yield _spell_stored_name(file.removeprefix(top)), file
        for stored, shown in self._read_display_names():
            if top + shown in self._files:
                yield _spell_stored_name(stored), top + shown

    def _read_display_names(self) -> Iterator[tuple[str, str]]:
        """What the list of files in the archive says: stored names, and paths below `static`."""
        name = posixpath.join(self._root, "policies/assets.json")
        if name not in self._files:
            return
        try:
            listed = json.loads(self._files.read_text(name)).items()
        except (ValueError, AttributeError, RecursionError):
            raise self._files.file_error(name, "is not a list of files in JSON") from None
        for stored, about in listed:
            if isinstance(about, dict) and isinstance(about.get("displayname"), str):
                folder = posixpath.dirname(str(about.get("import_path") or ""))
                yield stored, about["displayname"]
                yield stored, posixpath.join(folder, about["displayname"])


def _spell_stored_name(name: str) -> str:
    return _NOT_STORED.sub("_", name)
