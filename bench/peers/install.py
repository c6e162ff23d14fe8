"""Installs the other tools from their registries, pinned, each into a folder of its own.

A folder below `.cache/peers/` is made anew when its pins change.
"""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from measure import Failed

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".cache" / "peers"
_NPM = ("package.json", "package-lock.json", "ajv.mjs")
_PATIENCE = 900
"""Seconds that an installation may take."""


def python_tool(name: str) -> Path:
    """The programs of a tool on PyPI; raises `Failed` with the reason if there can be none."""
    pins = HERE / f"{name}.txt"

    def install(folder: Path) -> None:
        _call([sys.executable, "-m", "venv", str(folder)], folder.parent)
        pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--no-deps"]
        _call([*pip, "--only-binary", ":all:", "-r", str(pins)], folder)

    return _installed(name, [pins], install) / "bin"


def node_tool() -> Path:
    """The folder of ajv and js-yaml, with the program that asks them."""

    def install(folder: Path) -> None:
        folder.mkdir()
        for file in _NPM:
            shutil.copy(HERE / file, folder)
        _call(["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"], folder)

    return _installed("ajv", [HERE / file for file in _NPM], install)


def _installed(name: str, pins: Sequence[Path], install: Callable[[Path], None]) -> Path:
    """The folder of a tool, made by `install` unless it is there with the same pins."""
    folder, stamp = CACHE / name, CACHE / f"{name}.pins"
    # With its place, since what Python installs does not work in a clone that has been moved.
    content = [str(folder).encode(), *(pin.read_bytes() for pin in pins)]
    digest = hashlib.sha256(b"".join(content)).hexdigest()
    if folder.is_dir() and stamp.is_file() and stamp.read_text() == digest:
        return folder
    print(f"installing {name}", file=sys.stderr, flush=True)
    stamp.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    install(folder)
    stamp.write_text(digest)
    return folder


def _call(command: Sequence[str], folder: Path) -> None:
    """Runs a step of an installation; raises `Failed`."""
    try:
        ended = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(f"not installed: {error}") from None
    if ended.returncode:
        lines = [line for line in ended.stderr.splitlines() if line.strip()]
        raise Failed(f"not installed: {lines[-1] if lines else command[0]}"[:160])
