"""Transcripts of videos: pages where that is asked for, else named."""

from pathlib import Path

import pytest

from . import sources
from .conftest import Bring
from .test_formats import manifest, outline, topic

SRT = """1
00:00:01,000 --> 00:00:02,500
<i>Close</i> the guard

2
00:00:02,600 --> 00:00:04,000
before you begin.

3
00:01:00,000 --> 00:01:02,000
Then go on.
"""
VTT = "WEBVTT\n\nNOTE no\n\n00:01.000 --> 00:02.000 align:start\nGuten Tag &amp;\nwillkommen.\n"
SJSON = '{"start": [0, 500], "end": [500, 900], "text": ["Close the guard", "before you begin."]}'
VIDEO = """<video display_name="Tour" youtube="1.00:dQw4w9WgXcQ" sub="old">
<transcript language="en" src="tour-en.srt"/>
<transcript language="de" src="tour-de.vtt"/></video>"""


def edx(root: Path, **files: str) -> Path:
    """The sample with transcripts of its video."""
    below = {f"course/static/{name}": text for name, text in files.items()}
    contents = {**sources.OLX, "course/video/tour.xml": VIDEO, **below}
    return sources.tar_gz(root / "a.tar.gz", contents)


def test_transcripts_are_pages_on_request(tmp_path: Path, bring: Bring):
    """Each below its video, in paragraphs that end where nothing is said for a while."""
    files = {"tour-en.srt": SRT, "tour-de.vtt": VTT, "subs_old.srt.sjson": SJSON}
    bring("olx", edx(tmp_path, **files), transcripts=True)

    course = manifest(tmp_path)
    ((_, _, topics),) = outline(course)
    pages = ["Tour", "Tour: transcript (en)", "Tour: transcript (de)", "Tour: transcript"]
    assert pages == [title for title, _ in topics[1:5]]
    said = "Close the guard before you begin."
    assert f"{said}\n\nThen go on.\n" == topic(course, pages[1])["markdown"]
    assert "Guten Tag & willkommen." == topic(course, pages[2])["markdown"]
    assert said == topic(course, pages[3])["markdown"]


def test_transcripts_are_named_otherwise(tmp_path: Path, bring: Bring):
    """Once each, with what makes them pages."""
    (course,) = bring("olx", edx(tmp_path, **{"tour-en.srt": SRT}))

    said = [one.message for one in course.lost if "transcript" in one.message]
    assert [
        "the transcript tour-en.srt of “Tour”: --transcripts makes it a page",
        "the transcript tour-de.vtt of “Tour” is not in the source",
        "the transcript old of “Tour” is not in the source",
    ] == said
    assert 1 == len([one for one in course.lost if one.place.endswith(".srt")])


def test_captions_beside_a_video_belong_to_it(tmp_path: Path, bring: Bring):
    """A cartridge has them in files with the same name."""
    manifest_ = str(sources.IMSCC["imsmanifest.xml"]).replace("handbook.pdf", "tour.mp4")
    contents = {**sources.IMSCC, "imsmanifest.xml": manifest_}
    contents |= {"web_resources/tour.mp4": b"", "web_resources/tour.en.vtt": VTT}

    bring("imscc", sources.zipped(tmp_path / "a.imscc", contents), transcripts=True)

    page = topic(manifest(tmp_path), "Handbook: transcript")
    assert "Guten Tag & willkommen." == page["markdown"]


NO_NUMBER = '{"start": ["x"], "end": [1], "text": [1]}'


@pytest.mark.parametrize("text", ["{", '{"start": 1}', "[]", NO_NUMBER, "[" * 9999])
def test_a_damaged_transcript_is_named(tmp_path: Path, bring: Bring, text: str):
    """It stops nothing."""
    (course,) = bring("olx", edx(tmp_path, **{"subs_old.srt.sjson": text}), transcripts=True)

    said = [one.message for one in course.lost if "cannot be read" in one.message]
    assert ["the transcript old of “Tour” cannot be read"] == said
