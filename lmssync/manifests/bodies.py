"""Reads the files that bodies are kept in."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..kinds.kind import Slot
from ..problems import Finding, near

MARKDOWN, HTML = (".md", ".markdown"), (".html", ".htm")
BODY_LIMIT = 8 * 1024 * 1024


class _NoBody(Exception):
    """Code, message and hint of what is wrong with the file."""


def fill(root: Path, file: str, slots: Iterable[Slot]) -> Iterator[Finding]:
    """Puts the text of each `bodyFile` in its place, as `markdown` or `body`."""
    for slot in slots:
        name = slot.holder.get("bodyFile")
        if name is None:
            continue
        try:
            text = _read(root, root / file, name)
        except _NoBody as reason:
            code, message, hint = reason.args
            yield Finding(code, (*slot.path, "bodyFile"), message, hint)
        else:
            slot.holder["markdown" if name.endswith(MARKDOWN) else "body"] = text


def _read(root: Path, manifest: Path, name: str) -> str:
    if not name.endswith(MARKDOWN + HTML):
        raise _NoBody(
            "body-file-ending", f"`{name}` is neither Markdown nor HTML", "name it .md or .html"
        )
    path = _inside(root, manifest.parent / name, name)
    try:
        if path.stat().st_size > BODY_LIMIT:
            raise _NoBody("body-file-size", f"`{name}` is larger than {BODY_LIMIT:,} bytes", "")
        return path.read_text("utf-8").removeprefix("\ufeff")
    except (FileNotFoundError, NotADirectoryError):
        raise _NoBody("body-file", f"there is no file `{name}`", _beside(path)) from None
    except UnicodeDecodeError:
        raise _NoBody("not-utf-8", f"`{name}` is not UTF-8", "save the file as UTF-8") from None
    except OSError as error:
        raise _NoBody("body-file", f"`{name}` cannot be read: {error.strerror}", "") from None


def _inside(root: Path, path: Path, name: str) -> Path:
    """The file, if it lies in the catalog; a link that leads out of it does not count."""
    real = path.resolve()
    if not real.is_relative_to(root.resolve()):
        raise _NoBody(
            "body-file-outside", f"`{name}` lies outside the catalog", "move it into the catalog"
        )
    return real


def _beside(path: Path) -> str:
    """A guess at the file that was meant, from those in the same folder."""
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder `{folder.name}` either"
    return near(path.name, [other.name for other in folder.iterdir()]) or "check the path"
