"""Another revision of the package, to be measured beside this one."""

import subprocess
import tarfile
from collections.abc import Mapping
from compileall import compile_dir
from io import BytesIO
from pathlib import Path

NOW = "now"
_REPOSITORY = Path(__file__).parents[1]


def programs(revision: str | None, folder: Path) -> list[tuple[str, Mapping[str, str]]]:
    """Name and environment of each program that is measured; this one comes last.

    A revision is put into the folder. It runs with the packages that are installed here.
    """
    compile_dir(_REPOSITORY / "lmssync", quiet=1)  # as pip does when it installs it
    if revision is None:
        return [(NOW, {})]
    if not folder.is_dir():
        packed = _git("archive", revision, "lmssync", "examples")
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        compile_dir(folder, quiet=1)
    return [("before", {"PYTHONPATH": str(folder)}), (NOW, {})]


def _git(*args: str) -> bytes:
    command = ["git", "-C", str(_REPOSITORY), *args]
    try:
        return subprocess.run(command, check=True, capture_output=True).stdout
    except subprocess.CalledProcessError as error:
        raise SystemExit(error.stderr.decode("utf-8", "replace").strip()) from None
