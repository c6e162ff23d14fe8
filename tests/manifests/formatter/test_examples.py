"""The example catalog, put in order."""

from pathlib import Path

import pytest

from lmssync.manifests.formatter import catalog, formatted
from lmssync.manifests.formatter.canonical import same
from lmssync.manifests.yaml import load

ROOT = Path(__file__).parents[3] / "examples" / "catalog"
FILES = [target.root / target.path for target in catalog(ROOT)]
EVERY = pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))


def remarks(raw: bytes) -> list[str]:
    """What follows a `#`, wherever: sorted, comments and Markdown headings alike."""
    return sorted(line.partition("#")[2] for line in raw.decode().splitlines() if "#" in line)


@EVERY
def test_examples_say_the_same(file: Path):
    """Values and comments."""
    raw = file.read_bytes()
    result = formatted(raw)
    assert same(load(raw), load(result))
    assert remarks(raw) == remarks(result)


@EVERY
def test_examples_are_in_order_after_once(file: Path):
    """A second time changes nothing."""
    once = formatted(file.read_bytes())
    assert once == formatted(once)
