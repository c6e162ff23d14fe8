"""Imports of small sources, without the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lmssync.sync.importers import FileImportOptions, ImportedCourse, add_courses, open_staging

from . import sources

Bring = Callable[..., list[ImportedCourse]]


@pytest.fixture
def bring(tmp_path: Path) -> Bring:
    """Imports a source, by default the sample of its format, into `out`."""

    def imported(form: str, source: Path | None = None, **options: Any) -> list[ImportedCourse]:
        where = source or sources.source(tmp_path, form)
        with open_staging(tmp_path / "out", FileImportOptions(**options)) as courses:
            add_courses(courses, form, where)
        return courses.imported

    return imported
