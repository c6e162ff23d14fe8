"""Imported courses on disk: all or nothing, never over what is there, under keys of their own."""

import shutil
from pathlib import Path

import pytest

from lmssync.errors import LmssyncError, WrongUse
from lmssync.sync.importers import add_courses, open_staging

from .conftest import Bring
from .sources import put, tar_gz, zipped


def written(root: Path) -> list[str]:
    """The files that an import wrote, by their paths."""
    out = root / "out"
    return sorted(str(f.relative_to(out)) for f in out.rglob("*") if f.is_file())


def pages(root: Path, text: str = "Hi.\n", name: str = "pages") -> Path:
    """A folder of one course with one page."""
    return put(root / name, {"index.md": "# Fire\n", "a.md": f"# One\n{text}"})


def test_a_course_is_a_folder(tmp_path: Path, bring: Bring):
    """With its manifest, its long bodies and copies of its files."""
    bring("olx")
    names = ["assets/guard.png", "course.yaml", "good-morning.md"]
    names += ["questions/start-here/welcome/quiz.md"]
    assert [f"safety-at-work/{name}" for name in names] == written(tmp_path)


def test_short_bodies_stand_in_the_manifest(tmp_path: Path, bring: Bring):
    """A body of five lines gets a file of its own, one of four does not."""
    bring("markdown", pages(tmp_path, "a\n\nb\n\n"))
    assert ["fire/course.yaml"] == written(tmp_path)
    bring("markdown", pages(tmp_path, "a\n\nb\n\nc\n"), force=True)
    assert ["fire/course.yaml", "fire/one.md"] == written(tmp_path)


@pytest.mark.parametrize("pack", [put, zipped, tar_gz])
def test_hidden_files_are_left_out_of_folders_and_archives(tmp_path: Path, bring: Bring, pack):
    """A Mac adds files that are no text to its archives."""
    hidden = {"__MACOSX/a/._p.md": b"\0\xb0", ".git/config.md": "x", "a/.p.md": "x"}
    pages = {"index.md": "# Fire\n", "a/p.md": "# One\nHi.\n"}
    (course,) = bring("markdown", pack(tmp_path / "given.zip", hidden | pages))
    assert ({"text": 1}, []) == (course.topics, course.lost)


def test_what_is_there_is_not_written_over(tmp_path: Path, bring: Bring):
    """The message names the folder; the file in it stays as it was."""
    bring("markdown", pages(tmp_path))
    before = (tmp_path / "out/fire/course.yaml").read_bytes()
    with pytest.raises(WrongUse, match=r"there is already .*fire; nothing was written"):
        bring("markdown", pages(tmp_path, "Other.\n"))
    assert before == (tmp_path / "out/fire/course.yaml").read_bytes()


def test_force_writes_over_the_files_of_the_course(tmp_path: Path, bring: Bring):
    """Other files in its folder stay."""
    bring("markdown", pages(tmp_path))
    put(tmp_path, {"out/fire/notes.txt": "mine"})
    bring("markdown", pages(tmp_path, "Other.\n"), force=True)
    assert ["fire/course.yaml", "fire/notes.txt"] == written(tmp_path)
    assert "Other." in (tmp_path / "out/fire/course.yaml").read_text()


def test_force_writes_nothing_where_a_link_leads_out(tmp_path: Path, bring: Bring):
    """It is looked for before the first file is written over."""
    bring("olx")
    put(tmp_path, {"out/safety-at-work/course.yaml": "mine"})
    shutil.rmtree(tmp_path / "out/safety-at-work/questions")
    (tmp_path / "out/safety-at-work/questions").symlink_to(tmp_path)
    with pytest.raises(LmssyncError, match="a link leads out") as refused:
        bring("olx", force=True)
    assert "nothing was written" == refused.value.hint
    assert "mine" == (tmp_path / "out/safety-at-work/course.yaml").read_text()


def test_one_source_that_fails_leaves_nothing_of_the_others(tmp_path: Path):
    """The first of two was whole."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(LmssyncError, match="holds no Markdown"):
        _bring_both(tmp_path)
    assert not (tmp_path / "out").exists()


def _bring_both(root: Path) -> None:
    with open_staging(root / "out") as courses:
        add_courses(courses, "markdown", pages(root))
        add_courses(courses, "markdown", root / "empty")


def test_a_folder_that_was_there_stays(tmp_path: Path):
    """Also if the import fails."""
    put(tmp_path, {"out/mine.txt": "x"})
    with pytest.raises(LmssyncError), open_staging(tmp_path / "out") as courses:
        add_courses(courses, "markdown", tmp_path / "missing")
    assert ["mine.txt"] == written(tmp_path)


def test_courses_of_one_title_get_keys_of_their_own(tmp_path: Path):
    """The second gets a number."""
    with open_staging(tmp_path / "out") as courses:
        add_courses(courses, "markdown", pages(tmp_path))
        add_courses(courses, "markdown", pages(tmp_path, name="more"))
    assert ["fire", "fire-2"] == [course.key for course in courses.imported]


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Feuerlöscher für alle: eine Einführung", "feuerloscher-fur-alle-eine-einfuhrung"),
        (
            "Everything that you ever wanted to know of it",
            "everything-that-you-ever-wanted-to-know",
        ),
        ("Nejdůležitější aspekt", "nejdulezitejsi-aspekt"),
        ("安全 101", "pages"),
        ("AI", "ai"),
    ],
)
def test_keys_are_short_and_can_be_read(tmp_path: Path, bring: Bring, title: str, key: str):
    """Accents become plain letters; another script gives way to the name of the source."""
    source = put(tmp_path / "pages", {"index.md": f"---\ntitle: '{title}'\n---\n"})
    (course,) = bring("markdown", source)
    assert key == course.key


def test_the_same_source_gives_the_same_files(tmp_path: Path, bring: Bring):
    """Ids do not depend on anything else."""
    bring("moodle")
    first = {name: (tmp_path / "out" / name).read_bytes() for name in written(tmp_path)}
    bring("moodle", force=True)
    assert first == {name: (tmp_path / "out" / name).read_bytes() for name in written(tmp_path)}


def test_what_a_kind_refuses_is_left_out_and_named(tmp_path: Path, bring: Bring):
    """A date that does not exist, and a price below nought."""
    table = "title,publishDate,priceInCents,section,lesson,topic,body\nA,2027-02-30,-5,S,L,T,x\n"
    (course,) = bring("csv", put(tmp_path, {"c.csv": table}) / "c.csv")
    left_out = sorted(one.message.split("`")[1] for one in course.lost)
    assert ["priceInCents", "publishDate"] == left_out
