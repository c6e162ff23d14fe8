"""One server for the tests of a process, each with a catalog of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ...served_catalog import COURSE, PROJECT
from .author import Author, author_at


@pytest.fixture(scope="package")
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Author]:
    with author_at(tmp_path_factory.mktemp("workspace")) as author:
        yield author


@pytest.fixture
def author(_served: Author, tmp_path: Path) -> Author:
    """An author at a catalog with two courses, `a` and `b`."""
    (tmp_path / "lmssync.yaml").write_text(PROJECT, "utf-8")
    for key in ("a", "b"):
        (tmp_path / f"{key}.yaml").write_text(COURSE.replace("KEY", key), "utf-8")
    _served.enter(tmp_path)
    return _served
