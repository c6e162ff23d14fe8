"""A catalog made of any bytes, and `lmssync validate` run on it in this process."""

import contextlib
import io
import os
import tempfile
from pathlib import Path
from random import Random

from lmssync.cli.main import main
from tests.catalog.manifests.yaml_texts import FRAGMENTS

CATALOG = Path(__file__).parents[2] / "examples" / "catalog"
MANIFESTS = sorted(CATALOG.rglob("*.yaml"))
PROJECT = (CATALOG / "lmssync.yaml").read_bytes()
ANSWERS = {0, 3, 64}
"""Valid, invalid, and no project file that says what is meant."""


def validate(**files: bytes) -> int:
    """Exit code of `lmssync validate` on these files (`__` for a dot); a bug is raised."""
    os.environ["LMSSYNC_DEBUG"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        for name, data in {"lmssync__yaml": PROJECT, **files}.items():
            (Path(folder) / name.replace("__", ".")).write_bytes(data)
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                main(["validate", "-C", folder])
            except SystemExit as end:
                return end.code if isinstance(end.code, int) else 0
            finally:
                del os.environ["LMSSYNC_DEBUG"]
    raise AssertionError("the command did not end")


def changed(data: bytes, random: Random) -> bytes:
    """A file after a few slips: pieces lost, doubled, moved, bits flipped, fragments put in."""
    for _ in range(random.randint(1, 4)):
        first = random.randint(0, len(data))
        last = min(len(data), first + random.choice([1, 3, 20, 200]))
        piece = data[first:last]
        way = random.randrange(6)
        if way == 0:
            piece = b""
        elif way == 1:
            piece += piece
        elif way == 2:
            piece = bytes(random.choices(range(256), k=random.randint(1, 4)))
        elif way == 3:
            piece = random.choice(data.splitlines(keepends=True) or [b""]) + piece
        else:
            piece = random.choice(FRAGMENTS).encode() + piece[way - 4 :]
        data = data[:first] + piece + data[last:]
    return data


def slip(random: Random) -> bytes:
    """A manifest of the example catalog with something wrong in it."""
    return changed(random.choice(MANIFESTS).read_bytes(), random)
