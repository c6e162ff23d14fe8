"""A preview as files: a folder that can be opened, zipped or uploaded."""

from pathlib import Path

from ...errors import LmssyncError, WrongUse
from ...support.writing import write_below
from .site import PreviewSite

_MARK = b"<!doctype html>\n<!-- made by `lmssync preview` -->\n"
"""How each file begins: what begins otherwise is somebody else's and stays."""


def write(site: PreviewSite, folder: Path) -> int:
    """Writes all pages, and removes those of an earlier preview; returns how many there are.

    Raises `WrongUse` for a folder that holds anything else, `LmssyncError` with the system's words.
    """
    try:
        old = _pages_of_before(folder)
        pages = list(site.pages)
        for name in pages:
            text = str(site.page(name)).removeprefix("<!doctype html>\n")
            write_below(folder, name, [_MARK, text.encode("utf-8", "replace")])
        for name in old - set(pages):
            (folder / name).unlink()
    except OSError as error:
        where = error.filename or folder
        raise LmssyncError(f"{where} cannot be written: {error.strerror}") from error
    return len(pages)


def _pages_of_before(folder: Path) -> set[str]:
    if not folder.exists():
        return set()
    names = {file.name for file in folder.iterdir()}
    for name in names:
        if not _is_page(folder / name):
            raise WrongUse(
                f"{folder} holds {name}, which is no page of a preview",
                "name a folder of its own with --out DIR",
            )
    return names


def _is_page(file: Path) -> bool:
    if file.is_symlink() or not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(len(_MARK)) == _MARK
