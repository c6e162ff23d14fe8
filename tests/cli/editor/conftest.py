"""One server for the tests of a process, each with a catalog of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ...served_catalog import COURSE, PROJECT

if TYPE_CHECKING:
    from .author import Author


@pytest.fixture(scope="package")
def _shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Author"]:
    from .author import author_at

    with author_at(tmp_path_factory.mktemp("workspace")) as author:
        yield author


@pytest.fixture
def author(_shared: "Author", tmp_path: Path) -> "Author":
    """An author at a catalog with two courses, `a` and `b`."""
    (tmp_path / "lmssync.yaml").write_text(PROJECT, "utf-8")
    for key in ("a", "b"):
        (tmp_path / f"{key}.yaml").write_text(COURSE.replace("KEY", key), "utf-8")
    _shared.enter(tmp_path)
    return _shared
