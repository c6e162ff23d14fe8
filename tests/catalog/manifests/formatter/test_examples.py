"""The example catalog, put in order."""

from pathlib import Path

import pytest

from lmssync.catalog.manifests.formatter import choose_catalog_files, format_manifest
from lmssync.catalog.manifests.formatter.canonical_form import same_values
from lmssync.catalog.manifests.yaml import load_yaml

ROOT = Path(__file__).parents[4] / "examples" / "catalog"
FILES = [target.root / target.path for target in choose_catalog_files(ROOT)]
EVERY = pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))


def remarks(raw: bytes) -> list[str]:
    """What follows a `#`, wherever: sorted, comments and Markdown headings alike."""
    return sorted(line.partition("#")[2] for line in raw.decode().splitlines() if "#" in line)


@EVERY
def test_examples_say_the_same(file: Path):
    """Values and comments."""
    raw = file.read_bytes()
    result = format_manifest(raw)
    assert same_values(load_yaml(raw), load_yaml(result))
    assert remarks(raw) == remarks(result)


@EVERY
def test_examples_are_in_order_after_once(file: Path):
    """A second time changes nothing."""
    once = format_manifest(file.read_bytes())
    assert once == format_manifest(once)
