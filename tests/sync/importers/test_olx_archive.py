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


def test_a_block_that_was_hidden_is_named(tmp_path: Path, bring: Bring):
    """Blocks are hidden as units are: from all learners, or from those of other groups."""
    blocks = """<vertical display_name="Unit">
      <html display_name="Key" visible_to_staff_only="true"><p>42</p></html>
      <problem display_name="Test" group_access="{&quot;50&quot;: [1]}"/>
      <html display_name="Open" group_access="{}"><p>Hi</p></html></vertical>"""
    course = bring_page(tmp_path, bring, "", {"course/vertical/hello.xml": blocks})
    assert [
        "“Key” was only for staff, and learners would see it",
        "“Test” was only for some groups, and learners would see it",
    ] == [note.message for note in course.lost if "learners would see" in note.message]


def test_dates_limits_and_missing_files_of_parts_are_named(tmp_path: Path, bring: Bring):
    """The start of a chapter is kept; a pointer to no file is named by the file."""
    course = """<course display_name="Safety"><chapter url_name="start"/>
      <chapter url_name="gone"/></course>"""
    part = """<sequential display_name="Welcome" start="2027-03-01T00:00:00Z" hide_after_due="true"
      is_time_limited="true" default_time_limit_minutes="30"><vertical url_name="hello"/>
      </sequential>"""
    files = {"course/course/run.xml": course, "course/sequential/welcome.xml": part}
    said = [note.message for note in bring_page(tmp_path, bring, "", files).lost]
    assert "the chapter in course/chapter/gone.xml, which is missing" in said
    assert (
        "dates and limits of “Welcome”: start=2027-03-01T00:00:00Z, hide_after_due=true,"
        " is_time_limited=true, default_time_limit_minutes=30"
    ) in said


def test_a_video_of_the_hosting_service_has_its_address(tmp_path: Path, bring: Bring):
    """A file goes before a playlist; where in it the video begins is named."""
    urls = ("https://v.example/a.m3u8", "https://v.example/a.mp4")
    encoded = "".join(f'<encoded_video url="{url}"/>' for url in urls)
    video = f'<video start_time="00:01:00"><video_asset>{encoded}</video_asset></video>'
    course = bring_page(tmp_path, bring, "", {"course/video/tour.xml": video})
    said = [note.message for note in course.lost]
    assert "further addresses of the video “Hello”: https://v.example/a.m3u8" in said
    assert "the part of “Hello” that is played: start_time=00:01:00" in said


def test_pictures_in_a_set_or_a_style_are_needed(tmp_path: Path, bring: Bring):
    """They are copied as any other picture is."""
    page = """<p style="background: url('/static/b.png')"><img src="/static/guard.png"
      srcset="/static/guard.png 1x, /static/c.png 2x" alt="A guard"></p>"""
    files = {"course/static/b.png": b"\x89PNG", "course/static/c.png": b"\x89PNG"}
    course = bring_page(tmp_path, bring, page, files)
    assert {"course/static/b.png", "course/static/c.png"} < {c.source for c in course.copies}
