"""Open edX archives as the authoring tool exports them."""

import json
from pathlib import Path

import pytest

from lmssync.sync.importers import ImportedCourse, Loss

from . import sources
from .conftest import Bring


def bring_page(root: Path, bring: Bring, html: str, files: sources.Contents) -> ImportedCourse:
    """The sample course with another text and further files."""
    pages = {**sources.OLX, "course/html/intro.html": html, **files}
    (course,) = bring("olx", sources.tar_gz(root / "course.tar.gz", pages))
    return course


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("/static/a_b___c.png", "a b & c.png"),
        ("/static/a%20b%20&amp;%20c.png", "a b & c.png"),
        ("/static/pictures_a_b.png", "pictures/a b.png"),
        ("/asset-v1:X+Y+Z+type@asset+block@a_b.png", "a b.png"),
        ("/c4x/X/Y/asset/a_b.png", "a b.png"),
    ],
)
def test_a_static_file_is_found_by_its_stored_name(
    tmp_path: Path, bring: Bring, address: str, file: str
):
    """Blanks and `&` are underscores in the texts and themselves in the archive."""
    page = f'<p><img src="{address}" alt="A guard"></p>'
    course = bring_page(tmp_path, bring, page, {f"course/static/{file}": b"\x89PNG"})
    assert f"course/static/{file}" in {copy.source for copy in course.copies}


def test_the_list_of_files_says_what_a_file_is_called(tmp_path: Path, bring: Bring):
    """`policies/assets.json` knows names that no rule leads to."""
    listed = json.dumps({"3f.png": {"displayname": "A guard.png"}})
    files = {"course/policies/assets.json": listed, "course/static/A guard.png": b"\x89PNG"}
    course = bring_page(tmp_path, bring, '<p><img src="/static/3f.png" alt=""></p>', files)
    assert ["course/static/A guard.png"] == [copy.source for copy in course.copies]


def test_a_file_that_the_archive_does_not_have_is_named(tmp_path: Path, bring: Bring):
    """Also by an address of the other platform."""
    page = '<p><img src="/asset-v1:X+Y+Z+type@asset+block@no.png" alt=""></p>'
    course = bring_page(tmp_path, bring, page, {})
    (missing,) = (n.message for n in course.lost if n.loss is Loss.LOST and "no.png" in n.message)
    assert missing.endswith("is not in the archive")
