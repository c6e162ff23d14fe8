"""Every file and every resource of a source is in the catalog or in the report.

Each text of these sources says a word of its own, so that a search of the catalog finds it. Real
courses are taken from the folder that `CORPORA` names.
"""

import csv
import gzip
import io
import json
import os
import re
from collections.abc import Iterator
from html import escape
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from lmssync.sync.importers import ImportedCourse
from lmssync.sync.importers.source_texts import strip_controls

from . import sources
from .conftest import Bring
from .test_quiz_questions import BANK, SLOTS

CORPORA = sorted(Path(os.environ.get("CORPORA", "no such folder")).glob("*.jsonl.gz"))
_WORD = re.compile(r"word\d+")
_PACK = {"olx": sources.tar_gz, "moodle": sources.tar_gz, "imscc": sources.zipped}


def find_silent_losses(root: Path, bring: Bring, form: str, contents: sources.Contents) -> set[str]:
    """The files of a source that are neither in the catalog nor in the report."""
    pack = _PACK.get(form, sources.put)
    where = pack(root / "source", contents)
    courses = bring(form, where)
    written = (f for f in (root / "out").rglob("*") if f.suffix in {".md", ".html", ".yaml"})
    words = set(_WORD.findall("\n".join(file.read_text() for file in written)))
    copied = {copy.source for course in courses for copy in course.copies}
    return {
        name
        for name, data in contents.items()
        if name not in copied and not _is_named(courses, name) and not words & _words_of(data)
    }


def _words_of(data: str | bytes) -> set[str]:
    return set(_WORD.findall(data)) if isinstance(data, str) else set()


def _is_named(courses: list[ImportedCourse], name: str) -> bool:
    places = {note.place for course in courses for note in course.lost}
    path = PurePosixPath(name)
    folders = {str(parent) for parent in path.parents} - {"."}
    return bool(places & {name, f"*/{path.name}", *folders})


OLX: sources.Contents = {
    **sources.OLX,
    "course/course/run.xml": '<course display_name="word1"><chapter url_name="start"/></course>',
    "course/chapter/start.xml": (
        '<chapter display_name="word2"><sequential url_name="welcome"/></chapter>'
    ),
    "course/sequential/welcome.xml": (
        '<sequential display_name="word3"><vertical url_name="hello"/>'
        '<vertical url_name="check"/></sequential>'
    ),
    "course/vertical/hello.xml": (
        '<vertical><html url_name="intro"/><html url_name="more"/><video url_name="tour"/>'
        '<problem url_name="quiz"/>'
        "<poet/></vertical>"
    ),
    "course/vertical/check.xml": '<vertical><discussion url_name="talk"/><poet/></vertical>',
    "course/html/intro.xml": '<html display_name="word4" filename="intro"/>',
    "course/html/intro.html": '<p>word5 <img src="/static/guard.png" alt=""></p>',
    "course/html/more.xml": '<html display_name="word6" filename="gone"/>',
    "course/discussion/talk.xml": '<discussion display_name="word7"/>',
    "course/about/overview.html": "<p>word8</p>",
    "course/about/faq.html": "<p>word9</p>",
    "course/html/orphan.html": "<p>word10</p>",
    "course/html/orphan.xml": '<html filename="orphan"/>',
    "course/static/unused.pdf": b"%PDF",
    "course/static/tour-en.srt": "1",
    "course/video/tour.xml": '<video display_name="word14" sub="tour-en"/>',
    "course/static/subs_tour-en.srt.sjson": "{",
    "course/problem/quiz.xml": "<problem><p>word13</p></problem>",
    "course/tabs/syllabus.html": "<p>word11</p>",
    "course/drafts/html/a.html": "<p>word12</p>",
    "course/course_image.png": b"\x89PNG",
}
_RESOURCES = """
<resource identifier="own" type="associatedcontent/imscc_xmlv1p1/learning-application-resource"
  href="course_settings/canvas_export.txt"><file href="course_settings/canvas_export.txt"/>
  <file href="course_settings/rubrics.xml"/><file href="course_settings/module_meta.xml"/>
  </resource>
<resource identifier="syl" type="associatedcontent/imscc_xmlv1p1/learning-application-resource"
  href="course_settings/syllabus.html" intendeduse="syllabus">
  <file href="course_settings/syllabus.html"/></resource>
<resource identifier="task" type="associatedcontent/imscc_xmlv1p1/learning-application-resource"
  href="task/task.html"><file href="task/task.html"/><file href="task/assignment_settings.xml"/>
  </resource>
<resource identifier="meta" type="associatedcontent/imscc_xmlv1p1/learning-application-resource"
  href="quiz/assessment_meta.xml"><file href="quiz/assessment_meta.xml"/></resource>
<resource identifier="link2" type="imswl_xmlv1p1"><file href="link2.xml"/></resource>
<resource identifier="tool2" type="imsbasiclti_xmlv1p0"><file href="tool2.xml"/></resource>
<resource identifier="other" type="webcontent" href="wiki/other.html">
  <file href="wiki/other.html"/></resource>
<resource identifier="zip" type="webcontent" href="web_resources/unused.zip">
  <file href="web_resources/unused.zip"/></resource>
<resource identifier="odd" type="idontknow_v1"><file href="odd.xml"/></resource>
<resource identifier="gone" type="webcontent" href="wiki/gone.html">
  <file href="wiki/gone.html"/></resource>
</resources>"""
QUIZ = (
    "<questestinterop><assessment><section><item><presentation><material><mattext>word8</mattext>"
    "</material></presentation></item></section></assessment></questestinterop>"
)
IMSCC: sources.Contents = {
    **sources.IMSCC,
    "imsmanifest.xml": str(sources.IMSCC["imsmanifest.xml"])
    .replace("</resources>", _RESOURCES)
    .replace("Start here", "word1"),
    "wiki/hello.html": '<p>word2 <img src="$IMS-CC-FILEBASE$/guard.png" alt=""></p>',
    "link.xml": '<webLink><title>x</title><url href="https://example.com/word3"/></webLink>',
    "talk.xml": '<topic><title>Talk</title><text texttype="text/html">word4</text></topic>',
    "course_settings/syllabus.html": "<html><body><p>word5</p></body></html>",
    "course_settings/canvas_export.txt": "Q: ?",
    "course_settings/module_meta.xml": "<modules/>",
    "course_settings/rubrics.xml": ("<rubrics><rubric><title>Neat work</title></rubric></rubrics>"),
    "task/task.html": "<p>word6</p>",
    "task/assignment_settings.xml": "<assignment/>",
    "quiz/assessment_meta.xml": "<quiz/>",
    "link2.xml": '<webLink><title>Rules</title><url href="https://example.com/rules"/></webLink>',
    "tool2.xml": sources.IMSCC["tool.xml"],
    "wiki/other.html": "<p>word7</p>",
    "web_resources/unused.zip": b"PK",
    "odd.xml": "<odd/>",
    "stray.txt": "nobody lists this",
    "quiz.xml": QUIZ,
    "bank.xml": "<questestinterop/>",
    "web_resources/handbook.vtt": "WEBVTT",
}
MOODLE: sources.Contents = {
    **sources.MOODLE,
    "course/course.xml": "<course><fullname>word1</fullname></course>",
    "sections/section_11/section.xml": (
        '<section id="11"><number>1</number><name>word2</name><sequence>1</sequence></section>'
    ),
    **sources.activity(1, "page", "Hello", "<content>&lt;p&gt;word3&lt;/p&gt;</content>"),
    **sources.activity(2, "book", "Handbook", ""),
    **sources.activity(8, "url", "Site", "<externalurl>https://example.com/word4</externalurl>"),
    "activities/page_1/grades.xml": "<activity_gradebook/>",
    "activities/page_1/inforef.xml": "<inforef/>",
    "activities/page_1/roles.xml": "<roles/>",
    "files/dd/dd44": b"work of a learner",
    **sources.activity(3, "quiz", "Check", SLOTS),
    "questions.xml": BANK,
    "roles.xml": "<roles/>",
    "moodle_backup.log": "",
    "unheard-of.xml": "<x/>",
}
MARKDOWN: sources.Contents = {
    "index.md": "---\ntitle: word1\n---\n",
    "a/one.md": "word2 ![a](one.png)\n",
    "a/one.png": b"\x89PNG",
    "a/unused.png": b"\x89PNG",
    "a/script.py": "print()",
    "a/draft.md": "---\ndraft: true\n---\nword3\n",
    "a/deep/deeper/deepest/two.md": "word4\n",
    "a/deep/deeper/deepest/two.csv": "a,b",
    "LICENSE": "Free.",
}
CSV: sources.Contents = {"a.csv": "title,topic\nword1,word2\n", "read me.txt": "See a.csv"}
STRUCTURE = {
    "olx": {"course/course.xml", "course/vertical/hello.xml", "course/html/more.xml"},
    "imscc": set(),
    "moodle": {
        "moodle_backup.xml",
        "files.xml",
        "activities/forum_4/forum.xml",
        "activities/book_2/book.xml",
    },
    "markdown": set(),
    "csv": set(),
}
"""Files that hold no text of their own: they only say how others belong together."""


@pytest.mark.parametrize(
    ("form", "contents"),
    [("olx", OLX), ("imscc", IMSCC), ("moodle", MOODLE), ("markdown", MARKDOWN), ("csv", CSV)],
)
def test_no_file_is_lost_in_silence(
    tmp_path: Path, bring: Bring, form: str, contents: sources.Contents
):
    """Not a picture, not a page without a link, not the settings of an assignment."""
    silent = find_silent_losses(tmp_path, bring, form, contents) - STRUCTURE[form]
    assert set() == {name for name in silent if not name.endswith("module.xml")}


def test_every_resource_of_a_cartridge_is_somewhere(tmp_path: Path, bring: Bring):
    """Also one that is listed and is not in the archive."""
    (course,) = bring("imscc", sources.zipped(tmp_path / "a.imscc", IMSCC))
    lost = {note.place: note.message for note in course.lost}
    assert "a web link outside the outline: “Rules”, https://example.com/rules" == lost["link2.xml"]
    assert "the rubrics: “Neat work”" == lost["course_settings/rubrics.xml"]
    assert "is listed, and is not in the cartridge" == lost["wiki/gone.html"]
    assert "the platform has nothing like the type `idontknow_v1`" == lost["odd.xml"]


def real_courses(count: int) -> Iterator[dict[str, Any]]:
    """Courses of each corpus, so many of each."""
    for path in CORPORA:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from (json.loads(line) for line in islice(lines, count))


def make_real_source(form: str) -> sources.Contents:
    """The pages of real courses as an author of another system would have them."""
    texts = [
        topic.get("markdown") or topic.get("html") or ""
        for course in real_courses(3)
        for section in course["sections"]
        for lesson in section["lessons"]
        for topic in lesson["topics"]
    ]
    if form == "markdown":
        pages = {f"{n // 20}/{n}.md": f"# {n}\n\nword{n}\n\n{t}" for n, t in enumerate(texts)}
        return {"index.md": "# word\n", **pages}
    make = {"olx": _make_olx, "imscc": _make_cartridge, "moodle": _make_backup, "csv": _make_table}
    return make[form](texts)


def _make_backup(texts: list[str]) -> sources.Contents:
    rows, files = "", {}
    for n, text in enumerate(texts):
        rows += (
            f"<activity><moduleid>{n}</moduleid><sectionid>1</sectionid><modulename>page</modulename>"
            f"<title>{n}</title><directory>activities/page_{n}</directory></activity>"
        )
        content = escape(f"<p>word{n}</p>\n{escape(strip_controls(text))}")
        files |= sources.activity(n, "page", str(n), f"<content>{content}</content>")
    section = "<section><sectionid>1</sectionid><directory>sections/s</directory></section>"
    contents = f"<activities>{rows}</activities><sections>{section}</sections>"
    backup = f"<information><contents>{contents}</contents></information>"
    return {
        "moodle_backup.xml": f"<moodle_backup>{backup}</moodle_backup>",
        "course/course.xml": "<course><fullname>Real</fullname></course>",
        "sections/s/section.xml": "<section id='1'><number>1</number></section>",
        **files,
    }


def _make_table(texts: list[str]) -> sources.Contents:
    """Each row says a word of its own, and so does the table as a whole: it is counted by rows."""
    table = io.StringIO()
    lines = csv.writer(table)
    lines.writerow(["title", "topic", "markdown"])
    for n, text in enumerate(texts):
        lines.writerow(["" if n else "Real", str(n), f"word{n}\n\n{text}"])
    return {"a.csv": table.getvalue()}


def _make_olx(texts: list[str]) -> sources.Contents:
    blocks = "".join(f'<html url_name="h{n}" display_name="{n}"/>' for n in range(len(texts)))
    pages = {f"html/h{n}.html": f"<p>word{n}</p>\n{t}" for n, t in enumerate(texts)}
    chapter = f"<chapter><sequential><vertical>{blocks}</vertical></sequential></chapter>"
    course = f'<course display_name="Real" url_name="r">{chapter}</course>'
    return {"course.xml": course, **pages}


def _make_cartridge(texts: list[str]) -> sources.Contents:
    items = "".join(
        f'<item identifierref="r{n}"><title>{n}</title></item>' for n in range(0, len(texts), 2)
    )
    listed = "".join(
        f'<resource identifier="r{n}" type="webcontent" href="w/{n}.html">'
        f'<file href="w/{n}.html"/></resource>'
        for n in range(len(texts))
    )
    manifest = (
        f"<manifest><organizations><organization><item>{items}</item></organization>"
        f"</organizations><resources>{listed}</resources></manifest>"
    )
    pages = {
        f"w/{n}.html": f"<body><p>word{n}</p><pre>{escape(t)}</pre></body>"
        for n, t in enumerate(texts)
    }
    return {"imsmanifest.xml": manifest, **pages}


@pytest.mark.skipif(not CORPORA, reason="no CORPORA")
@pytest.mark.parametrize("form", ["markdown", "olx", "imscc", "moodle", "csv"])
def test_no_page_of_real_courses_is_lost_in_silence(tmp_path: Path, bring: Bring, form: str):
    """In a cartridge every second page is outside the outline."""
    contents = make_real_source(form)
    silent = find_silent_losses(tmp_path, bring, form, contents)
    structure = {"course.xml", "imsmanifest.xml", "index.md", "moodle_backup.xml"}
    structure |= {"course/course.xml", "sections/s/section.xml"}
    assert {name for name in silent - structure if not name.endswith("module.xml")} == set()
    written = [f for f in (tmp_path / "out").rglob("*") if f.suffix in {".md", ".html", ".yaml"}]
    words = set(_WORD.findall("\n".join(file.read_text() for file in written)))
    if form == "csv":
        assert _words_of(contents["a.csv"]) <= words
