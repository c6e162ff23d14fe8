"""Writes several files, and puts back what was there if what follows goes wrong."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from ...errors import LmssyncError
from ...support.writing import write_below


@contextmanager
def write_or_undo(root: Path, texts: Mapping[str, bytes]) -> Iterator[None]:
    """The files hold these texts; where the block raises, they are again as they were."""
    before = {file: _content(root / file) for file in texts}
    try:
        for file, text in texts.items():
            _write(root, file, text)
        yield
    except BaseException:
        for file, content in before.items():
            if content is not None:
                _write(root, file, content)
            else:
                with suppress(FileNotFoundError):
                    (root / file).unlink()
        raise


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LmssyncError(f"{file} cannot be read: {error.strerror}") from None


def _write(root: Path, file: str, text: bytes) -> None:
    try:
        write_below(root, file, [text])
    except OSError as error:
        raise LmssyncError(f"{root / file} cannot be written: {error.strerror}") from None
