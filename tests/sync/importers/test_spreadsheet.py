"""Tables as spreadsheets save them: separators, encodings, columns in any spelling."""

from pathlib import Path

import pytest

from lmssync.errors import LmssyncError
from lmssync.sync.importers.course_table import find_column_meanings, parse_cell, parse_cents

from .conftest import Bring
from .sources import put
from .test_formats import manifest, outline, topic

TABLE = "title,description\nFire safety,Wo es brennt und für wen\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_tables_as_spreadsheets_save_them(
    tmp_path: Path, bring: Bring, encoding: str, delimiter: str
):
    """With a mark at the beginning or not, with any of the usual separators."""
    where = tmp_path / "c.csv"
    where.write_bytes(TABLE.replace(",", delimiter).encode(encoding))
    bring("csv", where)
    assert "Wo es brennt und für wen" == manifest(tmp_path, "fire-safety")["description"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (TABLE.encode("cp1252"), "c.csv in .* is not UTF-8"),
        (b"price\n19\n", "has no column for the title of a course"),
        (b"title,lesson\n,One\n", "names no course in c.csv:2"),
        (b"", "has no column for the title of a course"),
    ],
)
def test_what_is_no_table_of_courses_is_told(tmp_path: Path, bring: Bring, data: bytes, words: str):
    """With the place, and nothing is written."""
    where = tmp_path / "c.csv"
    where.write_bytes(data)
    with pytest.raises(LmssyncError, match=words):
        bring("csv", where)


def test_columns_are_known_in_any_spelling():
    """Of two that mean the same the first counts."""
    head = ["Course title", "Price in cents", "video_url", "TAGS", "Keywords", "Room"]
    assert ["title", "priceInCents", "videoUrl", "tags", "", ""] == find_column_meanings(head)


@pytest.mark.parametrize(
    ("field", "cell", "expected"),
    [
        ("tags", "Safety; Fire;Safety", ["Safety", "Fire"]),
        ("authors", "Ann, Ben", ["Ann", "Ben"]),
        ("purchasable", "Yes", True),
        ("purchasable", "perhaps", "perhaps"),
        ("enrollmentLimit", "40", 40),
        ("status", "Published", "published"),
        ("sku", "007", "007"),
    ],
)
def test_cells_become_values(field: str, cell: str, expected: object):
    """What cannot be one stays a text, which the kind then refuses by name."""
    assert expected == parse_cell(field, cell)


@pytest.mark.parametrize(
    ("cell", "expected"), [("19", 1900), ("19.5", 1950), ("19,05", 1905), ("€ 19", None)]
)
def test_prices_are_amounts(cell: str, expected: int | None):
    """With a point or a comma, and without a currency."""
    assert expected == parse_cents(cell)


def test_rows_find_their_course_section_and_lesson(tmp_path: Path, bring: Bring):
    """By key or title, wherever they stand; a row without them goes on with the one above."""
    rows = "key,title,section,lesson,topic,type,body,video\n"
    rows += "a,A,S,L,One,,<p>1</p>,\n,,,,Two,video,,https://m.example.com/a.mp4\n"
    rows += "b,B,T,M,Three,Quiz,,\n,A,S,L,Four,,,https://youtu.be/dQw4w9WgXcQ\n"
    (tmp_path / "c.csv").write_text(rows)
    assert ["a", "b"] == [course.key for course in bring("csv", tmp_path / "c.csv")]
    course = manifest(tmp_path, "a")
    topics = [("One", "text"), ("Two", "video"), ("Four", "embed")]
    assert [("S", "L", topics)] == outline(course)
    assert "https://m.example.com/a.mp4" == topic(course, "Two")["videoUrl"]


def test_nothing_of_a_row_is_lost_in_silence(tmp_path: Path, bring: Bring):
    """Two texts for one page, a video of a quiz, a second description."""
    rows = "title,description,topic,type,body,markdown,video\n"
    rows += "A,One,T,quiz,<p>x</p>,y,https://m.example.com/a.mp4\nA,Two,U,,,z,\n"
    (tmp_path / "c.csv").write_text(rows)
    (course,) = bring("csv", tmp_path / "c.csv")
    assert [
        ("c.csv:2", "`body`, beside `markdown`: <p>x</p>"),
        ("c.csv:2", "`https://m.example.com/a.mp4` does not belong to a topic of type quiz"),
        ("c.csv:3", "`description`: a row above has another value than “Two”"),
    ] == sorted((one.place, one.message) for one in course.lost)


def test_who_may_open_a_lesson_in_any_spelling(tmp_path: Path, bring: Bring):
    """An unknown word is named, and the lesson keeps its pages."""
    rows = "title,lesson,topic,openType\nA,L,One,Students only\nA,M,Two,members\n"
    (course,) = bring("csv", put(tmp_path, {"c.csv": rows}) / "c.csv")
    (section,) = manifest(tmp_path, "a")["sections"]
    assert ["studentsOnly", "One", "Two"] == [
        section["lessons"][0]["openType"],
        *(topic["title"] for lesson in section["lessons"] for topic in lesson["topics"]),
    ]
    words = "the openType `members`: write one of studentsOnly, open, emailCaptureOpen"
    assert [("c.csv:3", words)] == [
        (o.place, o.message) for o in course.lost if "open" in o.message
    ]


def test_titles_in_another_script_have_the_name_of_the_table(tmp_path: Path, bring: Bring):
    """Their letters make no key."""
    rows = "title\n安全\n健康\n"
    assert ["staff", "staff-2"] == [
        course.key for course in bring("csv", put(tmp_path, {"staff.csv": rows}) / "staff.csv")
    ]


def test_an_unknown_kind_is_what_the_report_says(tmp_path: Path, bring: Bring):
    """A row below does not make the course another one."""
    rows = "title,kind,topic\nA,lecture,One\nA,video,Two\n"
    (course,) = bring("csv", put(tmp_path, {"c.csv": rows}) / "c.csv")
    assert "courseGroup" == manifest(tmp_path, "a")["kind"]
    assert {
        "the kind `lecture`; it is a courseGroup",
        "`kind`: a row above has another value than “video”",
    } <= {one.message for one in course.lost}


def test_a_second_title_and_a_changed_key_are_named(tmp_path: Path, bring: Bring):
    """One key is one course; a key has letters, digits and hyphens."""
    rows = "key,title\na,First\na,Second title\n=cmd,Third\n"
    one, other = bring("csv", put(tmp_path, {"c.csv": rows}) / "c.csv")
    found = [note.message for course in (one, other) for note in course.lost]
    assert "`title`: a row above has another value than “Second title”" in found
    assert "the key `=cmd`; it is `cmd`" in found


def test_references_lead_to_courses_of_the_table(tmp_path: Path, bring: Bring):
    """Others are named: nothing in the catalog would have that key."""
    rows = "key,title,prerequisiteCourses\na,A,b;gone\nb,B,\n"
    (tmp_path / "c.csv").write_text(rows)
    first, _ = bring("csv", tmp_path / "c.csv")
    assert ["b"] == manifest(tmp_path, "a")["prerequisiteCourses"]
    assert "`prerequisiteCourses`: no row has the key `gone`" in {o.message for o in first.lost}


def test_no_course_needs_itself(tmp_path: Path, bring: Bring):
    """Nor by way of another: the last reference that closes the circle is left out."""
    (tmp_path / "c.csv").write_text("key,title,prerequisiteCourses\na,A,b\nb,B,c\nc,C,a\n")
    *_, last = bring("csv", tmp_path / "c.csv")
    assert "`prerequisiteCourses`: `a` needs this course itself" in {o.message for o in last.lost}


def test_no_two_courses_have_one_sku(tmp_path: Path, bring: Bring):
    """The second goes without."""
    (tmp_path / "c.csv").write_text("title,sku\nA,X-1\nB,X-1\n")
    first, second = bring("csv", tmp_path / "c.csv")
    assert "`sku` X-1: another course has it" in {one.message for one in second.lost}
    assert "X-1" == manifest(tmp_path, first.key)["sku"]


def test_a_video_without_one_is_a_course(tmp_path: Path, bring: Bring):
    """The other rows must not suffer."""
    (tmp_path / "c.csv").write_text("title,kind\nA,video\n")
    bring("csv", tmp_path / "c.csv")
    assert "courseGroup" == manifest(tmp_path, "a")["kind"]


def test_a_video_of_its_own(tmp_path: Path, bring: Bring):
    """A row may be a course of another kind."""
    (tmp_path / "c.csv").write_text("title,kind,videoUrl\nA,Video,https://m.example.com/a.mp4\n")
    bring("csv", tmp_path / "c.csv")
    course = manifest(tmp_path, "a")
    assert ("video", "https://m.example.com/a.mp4") == (course["kind"], course["videoUrl"])


TWICE = """\
Title,Price,openType,Section,Lesson,Topic,Markdown,Video,pdfUrl
A,10.00,open,S,L,,A text without a title,,
A,20.00,studentsOnly,S,L,T,t,https://e.example/v.mp4,https://e.example/p.pdf
"""


def test_each_cell_of_a_row_is_kept_or_named(tmp_path: Path, bring: Bring):
    """A page without a title has that of its lesson; a second value or address is in the report."""
    (course,) = bring("csv", put(tmp_path, {"c.csv": TWICE}) / "c.csv")
    text, video = manifest(tmp_path, "a")["sections"][0]["lessons"][0]["topics"]
    assert ("L", "text", "T", "video") == (
        text["title"],
        text["type"],
        video["title"],
        video["type"],
    )
    told = "\n".join(note.message for note in course.lost)
    assert "`price`: a row above has another value than “20.00”" in told
    assert "`openType`: a row above has another value than “studentsOnly”" in told
    assert "`pdfUrl`, beside `videoUrl`: https://e.example/p.pdf" in told


def test_the_address_of_the_type_is_taken(tmp_path: Path, bring: Bring):
    """Where a row has several addresses, the others are named."""
    table = "Title,Topic,Type,Video,PDF\nA,T,pdfViewer,https://e.example/v,https://e.example/p\n"
    bring("csv", put(tmp_path, {"c.csv": table}) / "c.csv")
    (page,) = manifest(tmp_path, "a")["sections"][0]["lessons"][0]["topics"]
    assert "https://e.example/p" == page["pdfUrl"]
