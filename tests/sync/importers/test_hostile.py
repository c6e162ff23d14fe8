"""Sources that want to do harm, or are broken: refused in words, and nothing is written."""

import cProfile
import os
import pstats
import tarfile
from contextlib import suppress
from pathlib import Path

import pytest

from lmssync.errors import LmssyncError
from lmssync.sync.importers import source_files

from .conftest import Bring
from .sources import IMSCC, MARKDOWN, MOODLE, OLX, put, source, tar_gz, zipped
from .test_formats import manifest, outline

BILLION = (
    '<!DOCTYPE course [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    '<course url_name="run" display_name="&b;"/>'
)
OUTSIDE = '<!DOCTYPE c [<!ENTITY a SYSTEM "file:///etc/passwd">]><course url_name="r">&a;</course>'


def refused(bring: Bring, form: str, where: Path) -> str:
    """The message of an import that fails; nothing may be left of it."""
    with pytest.raises(LmssyncError) as caught:
        bring(form, where)
    assert not (where.parent / "out").exists()
    return caught.value.message


@pytest.mark.parametrize("name", ["../x.xml", "/etc/x", "a/../../x", "C:/x", "..\\x"])
@pytest.mark.parametrize("pack", [tar_gz, zipped])
def test_no_name_leads_out_of_an_archive(tmp_path: Path, bring: Bring, pack, name: str):
    """The whole archive is refused, before anything is written."""
    where = pack(tmp_path / "a.imscc", {**IMSCC, name: "x"})
    assert "leads out of the archive" in refused(bring, "imscc", where)
    assert not (tmp_path.parent / "x.xml").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_links_of_an_archive_are_named_and_not_followed(tmp_path: Path, bring: Bring, kind: bytes):
    """Nor are pipes opened."""
    where = tar_gz(tmp_path / "a.tar", OLX)
    with tarfile.open(tmp_path / "b.tar", "w") as out, tarfile.open(where) as given:
        for member in given:
            out.addfile(member, given.extractfile(member))
        link = tarfile.TarInfo("course/static/key.png")
        link.type, link.linkname = kind, "/etc/passwd"
        out.addfile(link)
    (course,) = bring("olx", tmp_path / "b.tar")
    assert ("course/static/key.png", "a link, which is not followed") in {
        (one.place, one.message) for one in course.lost
    }


def test_links_of_a_folder_are_not_followed(tmp_path: Path, bring: Bring):
    """A picture that is a link to a secret is not copied."""
    (tmp_path / "secret").write_text("s3cret")
    folder = put(tmp_path / "pages", MARKDOWN)
    (folder / "2-machines/guard.png").unlink()
    (folder / "2-machines/guard.png").symlink_to(tmp_path / "secret")
    bring("markdown", folder)
    written = [file.read_text() for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert written
    assert not any("s3cret" in text for text in written)


@pytest.mark.parametrize("text", [BILLION, OUTSIDE])
def test_entities_are_refused(tmp_path: Path, bring: Bring, text: str):
    """They may grow without end, or read a file of this machine."""
    where = tar_gz(tmp_path / "a.tar.gz", {**OLX, "course/course.xml": text})
    assert "declares the entity" in refused(bring, "olx", where)


def test_depth_is_limited(tmp_path: Path, bring: Bring):
    """Elements within elements without end."""
    deep = f"{'<chapter>' * 5_000}{'</chapter>' * 5_000}"
    where = tar_gz(tmp_path / "a.tar.gz", {**OLX, "course/chapter/start.xml": deep})
    assert "more than 100 deep" in refused(bring, "olx", where)


def test_blocks_that_hold_each_other_end(
    tmp_path: Path, bring: Bring, monkeypatch: pytest.MonkeyPatch
):
    """Two verticals that point to each other, twice each time."""
    twice = '<vertical><vertical url_name="{}"/><vertical url_name="{}"/></vertical>'
    files = {
        f"course/vertical/{name}.xml": twice.format(other, other)
        for name, other in (("check", "hello"), ("hello", "check"))
    }
    monkeypatch.setattr("lmssync.sync.importers.olx_archive._ELEMENTS_MOST", 100)
    where = tar_gz(tmp_path / "a.tar.gz", {**OLX, **files})
    assert "more than 100 elements" in refused(bring, "olx", where)


@pytest.mark.parametrize(("limit", "form"), [("WHOLE_BYTES", "olx"), ("COUNT_MOST", "imscc")])
def test_sizes_and_counts_are_limited(
    tmp_path: Path, bring: Bring, monkeypatch: pytest.MonkeyPatch, limit: str, form: str
):
    """More files or bytes than any course has are refused before they are unpacked."""
    where = source(tmp_path, form)
    monkeypatch.setattr(source_files, limit, 3)
    assert "the most that are read" in refused(bring, form, where)


def test_a_header_of_any_size_is_refused(tmp_path: Path, bring: Bring):
    """A tar whose long name would fill the memory."""
    name = tarfile.TarInfo("././@LongLink")
    name.type, name.size = tarfile.GNUTYPE_LONGNAME, 1 << 33
    where = tmp_path / "a.tar"
    where.write_bytes(name.tobuf(tarfile.GNU_FORMAT) + b"\0" * 10_240)
    assert "has a header of" in refused(bring, "olx", where)


def test_a_file_larger_than_its_entry_says_is_refused(tmp_path: Path, bring: Bring):
    """A zip whose directory lies about a size."""
    where = zipped(tmp_path / "a.imscc", IMSCC)
    size = len(IMSCC["wiki/hello.html"]).to_bytes(4, "little")
    where.write_bytes(where.read_bytes().replace(size, (5).to_bytes(4, "little")))
    assert "wiki/hello.html" in refused(bring, "imscc", where)


@pytest.mark.parametrize("form", ["olx", "imscc", "moodle"])
def test_damage_is_told(tmp_path: Path, bring: Bring, form: str):
    """An archive that was cut in half."""
    where = source(tmp_path, form)
    raw = where.read_bytes()
    where.write_bytes(raw[: len(raw) // 2])
    assert "archive" in refused(bring, form, where)


def test_what_is_no_archive_is_told(tmp_path: Path, bring: Bring):
    """A text in its place."""
    where = tmp_path / "a.mbz"
    where.write_text("hello")
    assert "is not an archive that lmssync can read" in refused(bring, "moodle", where)


def test_a_pipe_is_not_waited_for(tmp_path: Path, bring: Bring):
    """Nor is any other file that is none."""
    os.mkfifo(tmp_path / "pipe")
    assert "is neither a file nor a folder" in refused(bring, "olx", tmp_path / "pipe")


def test_another_format_is_guessed(tmp_path: Path):
    """A Moodle backup that somebody takes for an Open edX archive."""
    from lmssync.sync.importers import add_courses, open_staging

    where = tar_gz(tmp_path / "a.mbz", MOODLE)
    with pytest.raises(LmssyncError) as caught, open_staging(tmp_path / "out") as courses:
        add_courses(courses, "imscc", where)
    assert "it looks like --format moodle" == caught.value.hint


def test_no_file_of_a_source_becomes_a_manifest(tmp_path: Path, bring: Bring):
    """YAML and templates are copied under another name."""
    pages = {
        "index.md": "# A\n[one](license.yaml) [two](x.yml.j2)\n",
        "license.yaml": "resource: license",
        "x.yml.j2": "{{ 1 }}",
    }
    bring("markdown", put(tmp_path / "pages", pages))
    names = sorted(file.name for file in (tmp_path / "out").rglob("*.*"))
    assert ["course.yaml", "license.yaml.txt", "x.yml.j2.txt"] == names


def test_control_characters_are_taken_out(tmp_path: Path, bring: Bring):
    """No manifest may hold them; the report says how many there were."""
    (course,) = bring("markdown", put(tmp_path / "pages", {"index.md": "# A\x07\nHi\x01 there.\n"}))
    assert ("index.md", "1 control characters") in {(o.place, o.message) for o in course.lost}


def test_the_unpacked_files_are_gone_at_the_end(tmp_path: Path, bring: Bring):
    """Whether the import worked or not."""
    with source_files.open_source(source(tmp_path, "olx")) as files:
        folder = Path(files._folder.name)
        assert any(folder.iterdir())
    assert not folder.exists()


@pytest.mark.parametrize("pack", [tar_gz, zipped])
def test_a_name_that_is_there_twice_is_refused(tmp_path: Path, bring: Bring, pack):
    """Nobody knows which of the two files is meant, however the name is spelled."""
    where = pack(tmp_path / "a.imscc", {**IMSCC, "./wiki//hello.html": "x"})
    assert "wiki/hello.html more than once" in refused(bring, "imscc", where)


LONG = "9" * 5_000


@pytest.mark.parametrize(
    ("form", "files"),
    [
        ("csv", {"c.csv": f"title,enrollmentLimit\nA,{LONG}\n"}),
        ("csv", {"c.csv": f"title,price\nA,{LONG}\n"}),
        ("csv", {"c.csv": "title,courseStartDate\nA,0001-01-01T00:00:00+23:59\n"}),
        ("csv", {"c.csv": f"title,topic,body\nA,B,<p>&#{LONG};\n"}),
        (
            "moodle",
            MOODLE | {"course/course.xml": f"<c><startdate>{LONG}</startdate></c>"},
        ),
        ("moodle", MOODLE | {"sections/section_11/section.xml": f"<s><number>{LONG}</number></s>"}),
        ("olx", OLX | {"course/course.xml": '<course start="0001-01-01T00:00:00+23:59"/>'}),
        ("markdown", {f"{'9' * 240}.md": "x", "1.md": f"# &#{LONG};\n"}),
    ],
)
def test_numbers_and_moments_may_be_of_any_size(
    tmp_path: Path, bring: Bring, form: str, files: dict[str, str | bytes]
):
    """What cannot be one is left out, noted or refused in words."""
    folder = put(tmp_path / "given", files)
    with suppress(LmssyncError):
        bring(form, folder / "c.csv" if form == "csv" else folder)


def test_a_backup_that_lists_a_folder_often_has_it_read_once(tmp_path: Path, bring: Bring):
    """The list of a small archive may be long, and say the same again."""
    listed = str(MOODLE["moodle_backup.xml"])
    activity = listed[listed.index("<activity>") : listed.index("</activity>") + 11]
    files = MOODLE | {"moodle_backup.xml": listed.replace(activity, activity * 20_000)}
    (course,) = bring("moodle", tar_gz(tmp_path / "a.mbz", files))
    assert 3 == course.topics["text"]


@pytest.mark.slow
def test_a_table_with_many_sections_is_read_in_linear_steps(tmp_path: Path, bring: Bring):
    """Twice as many sections take about twice as many calls of functions."""
    calls = [calls_of_import(tmp_path / str(count), bring, count) for count in (500, 1_000)]
    assert calls[1] < 2.2 * calls[0]


def calls_of_import(folder: Path, bring: Bring, count: int) -> int:
    rows = "".join(f"A,S{n},L{n},T{n},x\n" for n in range(count))
    where = put(folder, {"c.csv": f"title,section,lesson,topic,body\n{rows}"}) / "c.csv"
    counted = cProfile.Profile()
    counted.runcall(bring, "csv", where, force=True)
    return pstats.Stats(counted).total_calls


@pytest.mark.parametrize(
    "page",
    [
        "<!-- a -->\n" * 5_000 + "text",
        "::: a" + " " * 50_000 + "b",
        "::: " + "a" * 50_000 + "[",
        "# a" + " " * 50_000 + "b",
        "{{#include " + "a" * 50_000,
        "{{" * 50_000 + "x",
        "import " * 20_000 + "x",
        "!!! " + "a" * 50_000 + " $",
        "{/*" * 20_000,
        "[[a" * 20_000 + "]",
    ],
    ids=[
        *("comments", "box", "box title", "heading", "include", "braces", "import"),
        *("indented box", "comments of MDX", "links of wikis"),
    ],
)
def test_a_page_of_any_content_is_read_in_linear_steps(tmp_path: Path, bring: Bring, page: str):
    """No expression tries a page in every division of it."""
    put(tmp_path / "book", {"a.md": page})
    assert bring("markdown", tmp_path / "book")


def test_an_outline_of_any_depth_is_read(tmp_path: Path, bring: Bring):
    """Deeper entries come beside the deepest that are kept apart."""
    deep = "".join(f"{' ' * depth}- [P]({depth}.md)\n" for depth in range(1_500))
    put(tmp_path / "guide", {"SUMMARY.md": deep, "7.md": "Seven", "1499.md": "Last"})
    bring("markdown", tmp_path / "guide")
    assert 2 == sum(len(topics) for _, _, topics in outline(manifest(tmp_path, "guide")))


@pytest.mark.parametrize("text", ["{bad", '["a"]', '[{"a": 1}]', "3"])
def test_sidebars_that_are_none_are_named(tmp_path: Path, bring: Bring, text: str):
    put(tmp_path / "site", {"sidebars.json": text, "docs/a.md": "# A\ntext"})
    (course,) = bring("markdown", tmp_path / "site")
    assert "sidebars.json" in {one.place for one in course.lost}


def test_banks_of_questions_in_a_circle_end(tmp_path: Path, bring: Bring):
    """A quiz that takes from a bank that takes from itself has as many questions as are written."""
    chosen = "<selection><sourcebank_ref>a</sourcebank_ref></selection>"
    section = f"<section><selection_ordering>{chosen}</selection_ordering></section>" * 3
    bank = f"<questestinterop><objectbank>{section}</objectbank></questestinterop>"
    listed = str(IMSCC["imsmanifest.xml"]).replace("quiz.xml", "q/quiz.xml")
    files = {"imsmanifest.xml": listed, "q/quiz.xml": bank, "non_cc_assessments/a.xml.qti": bank}

    bring("imscc", zipped(tmp_path / "a.imscc", {**IMSCC, **files}))

    (text,) = (file.read_text("utf-8") for file in (tmp_path / "out").rglob("questions/*/*/*.md"))
    assert (1_000, True) == (text.count("\n## "), text.endswith("more questions in the source.\n"))


@pytest.mark.parametrize(
    "problem",
    [
        "<problem>" + "<p>" * 90 + "<choiceresponse/>" + "</p>" * 90 + "</problem>",
        "<problem>" + "<stringresponse answer='a'/>" * 5_000 + "</problem>",
        "<problem><choiceresponse>" + "<choice>a</choice>" * 5_000 + "</choiceresponse></problem>",
        "<problem><optionresponse><optioninput options='(&apos;'/></optionresponse></problem>",
        "<problem><numericalresponse answer='&#10;# a&#10;'/></problem>",
        "<problem><p>&lt;script&gt;alert(1)&lt;/script&gt;{{ a }}</p></problem>",
    ],
    ids=["deep", "many questions", "many answers", "half a list", "a heading", "markup"],
)
def test_questions_of_strangers_are_written_whatever_they_are(
    tmp_path: Path, bring: Bring, problem: str
):
    """In one file of a size that can be read."""
    files = {**OLX, "course/problem/quiz.xml": problem}

    bring("olx", tar_gz(tmp_path / "a.tar.gz", files))

    (file,) = (tmp_path / "out").rglob("questions/*/*/*.md")
    assert file.stat().st_size < 200_000
    assert "<script" not in file.read_text("utf-8").replace("\\<", "")
