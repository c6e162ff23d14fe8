"""What becomes of a course of each format, and what is named as lost."""

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from lmssync.errors import LmssyncError
from lmssync.sync.importers import ImportedCourse, Loss

from . import sources
from .conftest import Bring


def manifest(root: Path, key: str = "safety-at-work") -> Any:
    return YAML(typ="safe").load(root / "out" / key / "course.yaml")


def outline(course: Any) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Section, lesson, and the title and type of each topic."""
    return [
        (section["title"], lesson["title"], [(t["title"], t["type"]) for t in lesson["topics"]])
        for section in course["sections"]
        for lesson in section["lessons"]
    ]


def topic(course: Any, title: str) -> Any:
    found = [
        topic
        for section in course["sections"]
        for lesson in section["lessons"]
        for topic in lesson["topics"]
        if topic["title"] == title
    ]
    return found[0]


def lost(courses: list[ImportedCourse], loss: Loss) -> set[tuple[str, str]]:
    """Place and message of all that was lost in one way."""
    return {(o.place, o.message) for c in courses for o in c.lost if o.loss is loss}


def test_an_open_edx_course(tmp_path: Path, bring: Bring):
    """Chapters are sections, sequentials lessons, and blocks topics."""
    bring("olx")
    course = manifest(tmp_path)
    topics = [("Good morning", "text"), ("Tour", "embed")]
    topics += [("Quiz", "quiz"), ("Talk", "discussionBoard"), ("Lab", "lti")]
    assert [("Start here", "Welcome", topics)] == outline(course)
    assert "2027-02-01T00:00:00Z" == course["sections"][0]["releaseDate"]
    assert "2027-01-31T09:00:00Z" == course["courseStartDate"]


def test_what_an_open_edx_course_loses(bring: Bring):
    """Grades, transcripts, wikis, blocks of other kinds and links between pages."""
    link = "the link `/jump_to_id/quiz` leads to another page of the old course"
    assert lost(bring("olx"), Loss.LOST) == {
        ("course/course/run.xml", "the wiki of the course"),
        ("course/html/intro.html", link),
        ("course/policies/run/grading_policy.json", "the grading policy"),
        ("course/sequential/welcome.xml", "how “Welcome” is graded: graded=true, format=Homework"),
        ("course/vertical/check.xml", "“Ode”: the platform has nothing like <poet>"),
        ("course/video/tour.xml", "the transcript tour-en of “Tour” is not in the source"),
    }


def test_a_common_cartridge(tmp_path: Path, bring: Bring):
    """Items at the top are sections, folders and headings in them lessons."""
    bring("imscc")
    course = manifest(tmp_path)
    assert [
        ("Start here", "Start here", [("Hello", "text")]),
        ("Start here", "Further", [("Handbook", "pdfViewer"), ("Video", "embed")]),
        ("Start here", "Folder", [("Quiz", "quiz"), ("Talk", "discussionBoard")]),
        ("Start here", "Start here (2)", [("Lab", "lti")]),
    ] == outline(course)
    assert "<p>What did you see?</p>" == topic(course, "Talk")["preTextBlock"]


def test_what_a_cartridge_needs_filled_by_hand(bring: Bring):
    """Questions and tools are named with the file that they stand in."""
    assert lost(bring("imscc"), Loss.PLACEHOLDER) == {
        ("quiz.xml", "the questions of “Quiz” have to be written again"),
        ("tool.xml", "the tool of “Lab” has to be set up again: https://lab.example.com"),
    }


def test_a_moodle_backup(tmp_path: Path, bring: Bring):
    """A section is a section, a book in it a lesson; activities come in their order."""
    bring("moodle")
    course = manifest(tmp_path)
    rest = [("Check", "quiz"), ("Talk", "discussionBoard"), ("Rules", "pdfViewer")]
    rest += [("Simulation", "shareableContentObject"), ("Our site", "text")]
    assert [
        ("Start here", "Start here", [("Hello", "text")]),
        ("Start here", "Handbook", [("One", "text")]),
        ("Start here", "Start here (2)", rest),
    ] == outline(course)
    assert (["Safety"], "2027-01-31T09:00:00Z") == (course["tags"], course["courseStartDate"])


def test_nobody_of_a_moodle_backup_is_read(tmp_path: Path, bring: Bring):
    """Learners stay out, and the report says so."""
    assert ("users.xml", "people: learners are not part of a catalog") in lost(
        bring("moodle"), Loss.LOST
    )
    written = [file.read_bytes() for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert [] == [data for data in written if b"ann@example.com" in data]


def test_a_folder_of_markdown(tmp_path: Path, bring: Bring):
    """Folders are sections and lessons, in the order of weights and numbers."""
    bring("markdown")
    course = manifest(tmp_path)
    assert [
        ("Start here", "Start here", [("A tour", "video"), ("The rules", "text")]),
        ("Start here", "Day", [("Check", "quiz")]),
        ("Machines", "Machines", [("Guards", "text")]),
    ] == outline(course)
    assert "https://media.example.com/tour.mp4" == topic(course, "A tour")["videoUrl"]


def test_a_folder_of_courses(tmp_path: Path, bring: Bring):
    """Without a page at the top each folder is a course."""
    pages = {"first-aid/a.md": "Hi.", "fire/index.md": "# Fire safety\n", "fire/b.md": "Hi."}
    found = bring("markdown", sources.put(tmp_path / "many", pages))
    assert ["Fire safety", "First aid"] == [course.title for course in found]


def test_a_table_of_courses(tmp_path: Path, bring: Bring):
    """Rows become courses, and those with a topic pages of the course above."""
    found = bring("csv")
    course = manifest(tmp_path, "safety-101")
    assert ["safety-101", "tour"] == [course.key for course in found]
    assert [("Start here", "Welcome", [("Hello", "text"), ("Again", "text")])] == outline(course)
    assert (1950, "draft", ["Safety"]) == (
        course["priceInCents"],
        course["status"],
        course["tags"],
    )
    assert manifest(tmp_path, "tour")["freeWithRegistration"] is True


def test_what_a_table_loses(bring: Bring):
    """Columns that nobody knows and cells that say nothing, each with its line."""
    assert lost(bring("csv"), Loss.LOST) == {
        ("courses.csv:2", "the column `Room`: North"),
        ("courses.csv:6", "the price `ten`: write it as 19.00, without a currency"),
    }


@pytest.mark.parametrize("form", ["olx", "imscc", "moodle", "markdown"])
def test_files_are_copied_and_named(tmp_path: Path, bring: Bring, form: str):
    """Without an address for files, the link stays as written and the copy is named."""
    (course,) = bring(form)
    messages = [one.message for one in course.lost if one.loss is Loss.HOSTING]
    assert any(message.endswith("copied to assets/guard.png") for message in messages)
    assert b"\x89PNG" == (tmp_path / "out/safety-at-work/assets/guard.png").read_bytes()


@pytest.mark.parametrize("form", ["olx", "imscc", "moodle", "markdown"])
def test_files_get_the_address_where_they_will_be(tmp_path: Path, bring: Bring, form: str):
    """With --asset-url every text and topic leads there, and nothing needs an address."""
    (course,) = bring(form, base="https://media.example.com/c/")
    texts = [p.read_text() for p in (tmp_path / "out").rglob("*") if p.suffix in {".md", ".yaml"}]
    assert any("https://media.example.com/c/safety-at-work/guard.png" in text for text in texts)
    assert [] == [one for one in course.lost if one.loss is Loss.HOSTING]


LESSON = """<pages>
<page id="2"><prevpageid>1</prevpageid><nextpageid>3</nextpageid><qtype>3</qtype>
<title>Which one?</title><contents>&lt;p&gt;Red or green?&lt;/p&gt;</contents></page>
<page id="1"><prevpageid>0</prevpageid><nextpageid>2</nextpageid><qtype>20</qtype>
<title>Read this</title><contents>Close the *guard*.</contents>
<contentsformat>4</contentsformat></page>
<page id="3"><prevpageid>2</prevpageid><nextpageid>0</nextpageid><qtype>21</qtype></page>
</pages>"""


def test_a_lesson_of_moodle_is_a_lesson(tmp_path: Path, bring: Bring):
    """Its pages come in their order: content as it is, questions as empty quizzes."""
    files = {**sources.MOODLE, **sources.activity(7, "wiki", "Notes", "")}
    files["activities/wiki_7/lesson.xml"] = sources.activity(7, "lesson", "Notes", LESSON)[
        "activities/lesson_7/lesson.xml"
    ]
    backup = str(files["moodle_backup.xml"]).replace("<modulename>wiki<", "<modulename>lesson<")
    bring("moodle", sources.tar_gz(tmp_path / "b.mbz", {**files, "moodle_backup.xml": backup}))
    course = manifest(tmp_path)
    topics = [("Read this", "text"), ("Which one?", "quiz")]
    assert ("Start here", "Notes", topics) in outline(course)
    assert "Close the *guard*." == topic(course, "Read this")["markdown"]
    assert "<p>Red or green?</p>" == topic(course, "Which one?")["preTextBlock"]


def test_a_picture_of_the_course_becomes_its_tile(tmp_path: Path, bring: Bring):
    """Where the files will be is known; else it needs an address."""
    run = str(sources.OLX["course/course/run.xml"]).replace(
        "<course ", '<course course_image="guard.png" '
    )
    where = sources.tar_gz(tmp_path / "a.tar.gz", {**sources.OLX, "course/course/run.xml": run})
    bring("olx", where, base="https://media.example.com")
    assert "https://media.example.com/safety-at-work/guard.png" == manifest(tmp_path)["asset"]


def test_an_assignment_of_a_cartridge(tmp_path: Path, bring: Bring):
    """A page with its rules beside it: the text stands above an empty assignment."""
    rules = '<file href="wiki/hello.html"/><file href="wiki/assignment_settings.xml"/>'
    text = str(sources.IMSCC["imsmanifest.xml"]).replace('<file href="wiki/hello.html"/>', rules)
    bring("imscc", sources.zipped(tmp_path / "a.zip", {**sources.IMSCC, "imsmanifest.xml": text}))
    hello = topic(manifest(tmp_path), "Hello")
    assert "assignment" == hello["type"]
    assert hello["preTextBlock"].startswith("<p>Close the <em>guard</em>.</p>")


def test_a_scorm_package_is_no_cartridge(tmp_path: Path, bring: Bring):
    """Both have an imsmanifest.xml; the message says what to do with a package."""
    text = "<manifest><metadata><schema>ADL SCORM</schema></metadata></manifest>"
    where = sources.zipped(tmp_path / "a.zip", {"imsmanifest.xml": text})
    with pytest.raises(LmssyncError, match="is a SCORM package"):
        bring("imscc", where)


def test_a_cartridge_without_an_outline_is_a_list(tmp_path: Path, bring: Bring):
    """What learners meet comes in the order of the resources, under its own titles."""
    text = str(sources.IMSCC["imsmanifest.xml"])
    start, end = text.index("<organizations>"), text.index("</organizations>")
    where = sources.zipped(
        tmp_path / "a.zip",
        {**sources.IMSCC, "imsmanifest.xml": text[:start] + "<organizations>" + text[end:]},
    )
    (course,) = bring("imscc", where)
    topics = [("x", "text"), ("Video", "embed"), ("quiz", "quiz")]
    topics += [("Talk", "discussionBoard"), ("tool", "lti")]
    assert [("Safety at work", "Safety at work", topics)] == outline(manifest(tmp_path))
    assert any("the cartridge has no organization" in note.message for note in course.lost)
