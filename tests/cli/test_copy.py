"""`lmssync new course KEY --from course.OTHER`."""

import shutil
from pathlib import Path

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.catalog.manifests.yaml import load_yaml
from lmssync.resource import Address
from tests import making

from .conftest import Run

EXAMPLE = Path(__file__).parents[2] / "examples/catalog"
COURSE = """\
# Ana looks after it.
resource: course
key: desk
kind: courseGroup
title: A tidy desk
sku: DESK-1
status: published
moved: [{from: course.table}]
lifecycle: {protect: true}
sections:
  - id: habit
    title: The habit
    lessons:
      - id: why
        title: Why
        openType: open
        topics:
          - {id: page, title: Page, type: text, bodyFile: desk.md}  # the long one
          - {id: check, title: Check, type: quiz, attested: {by: Ana, on: 2027-01-29}}
completionCriteria:
  - {id: pass, type: courseAssessmentPassed, topic: habit/why/check}
"""
TOPICS = [
    {"id": "page", "title": "Page", "type": "text", "bodyFile": "lamp.md"},
    {"id": "check", "title": "Check", "type": "quiz"},
]
COPY = {
    "resource": "course",
    "key": "lamp",
    "kind": "courseGroup",
    "title": "Lamp",
    "status": "draft",
    "sections": [
        {
            "id": "habit",
            "title": "The habit",
            "lessons": [{"id": "why", "title": "Why", "openType": "open", "topics": TOPICS}],
        }
    ],
    "completionCriteria": [
        {"id": "pass", "type": "courseAssessmentPassed", "topic": "habit/why/check"}
    ],
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A catalog of one course with a page of its own."""
    making.put(tmp_path, "courses/desk.md", "The page")
    return making.write(tmp_path, courses__desk=COURSE)


def copy(root: Path, run: Run, *options: str, key: str = "lamp") -> str:
    """What it says on stdout."""
    code, out, _ = run("new", "course", key, "--from", "course.desk", *options, "-C", root)
    assert 0 == code
    return out


def test_what_comes_along(root: Path, run: Run):
    """A copy has everything but the sku, dates, former keys and notes of the old course."""
    assert "courses/lamp.yaml\ncourses/lamp.md\n" == copy(root, run)
    assert [COPY] == load_yaml((root / "courses/lamp.yaml").read_bytes())
    assert "The page" == (root / "courses/lamp.md").read_text("utf-8")


def test_a_copy_publishes_nothing(root: Path, run: Run):
    """A copy has neither the status nor the publishing date of the original."""
    text = COURSE.replace("status: published", "futurePublishDate: 2099-01-01")
    making.put(root, "courses/desk.yaml", text)
    copy(root, run)
    (made,) = load_yaml((root / "courses/lamp.yaml").read_bytes())
    assert set() == {"status", "futurePublishDate"} & made.keys()


def test_comments_come_along(root: Path, run: Run):
    """Comments at the top and at the end of a line are copied."""
    copy(root, run)
    told = (root / "courses/lamp.yaml").read_text("utf-8")
    assert told.startswith("# Ana looks after it.\nresource: course\n")
    assert "bodyFile: lamp.md}  # the long one\n" in told


@pytest.mark.parametrize(
    ("options", "files"),
    [
        (["--file", "other/x.yaml"], ["other/x.yaml", "other/desk.md"]),
        (["--file", "courses/x.yaml"], ["courses/x.yaml", "courses/lamp.md"]),
    ],
)
def test_where_it_goes(root: Path, run: Run, options: list[str], files: list[str]):
    """A copy goes to the named place, its bodies beside it under free names."""
    assert files == copy(root, run, *options).split()
    assert {p.code for p in making.problems(root)} <= {"hollow-draft", "past-date"}


def test_a_folder_of_its_own(tmp_path: Path, run: Run):
    """A course in a folder that is called after it is copied into such a folder."""
    making.write(tmp_path, safety__desk__course=COURSE)
    making.put(tmp_path, "safety/desk/desk.md", "The page")
    assert ["safety/lamp/course.yaml", "safety/lamp/desk.md"] == copy(tmp_path, run).split()


def test_questions_come_along(root: Path, run: Run):
    """Nobody has filled the quiz of the copy. Two courses of one folder have a file each."""
    making.put(root, "courses/questions/desk/habit/why/check.md", "How many pens?")
    copy(root, run)
    copied = root / "courses/questions/lamp/habit/why/check.md"
    assert "How many pens?" == copied.read_text("utf-8")
    assert "questions-unused" not in {problem.code for problem in making.problems(root)}


def test_its_title(root: Path, run: Run):
    """The title is the key in words or the given one, so that it differs from the original's."""
    copy(root, run, "--title", "a: b", key="one")
    assert "a: b" == load_yaml((root / "courses/one.yaml").read_bytes())[0]["title"]


def test_one_of_several_documents(root: Path, run: Run):
    """From a file of several documents, only the one course is copied."""
    making.put(root, "courses/desk.yaml", f"{COURSE.replace('key: desk', 'key: a')}---\n{COURSE}")
    text = (root / "courses/desk.yaml").read_text("utf-8").replace("sku: DESK-1\n", "", 1)
    making.put(root, "courses/desk.yaml", text.replace("[{from: course.table}]", "[]", 1))
    copy(root, run)
    assert [COPY] == load_yaml((root / "courses/lamp.yaml").read_bytes())


@pytest.mark.slow
def test_every_course_of_the_example_can_be_copied(tmp_path: Path, run: Run):
    """Each copy of an example course is valid and in canonical form."""
    root = tmp_path / "catalog"
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns(".lmssync"))
    courses = [a for a in making.loaded(root).resources if a.kind == "course"]
    for address in courses:
        key = f"copy-of-{address.key}"
        assert 0 == run("new", "course", key, "--from", address, "-C", root).code
    assert 0 == run("validate", "-C", root).code
    assert 0 == run("fmt", "--check", "-C", root).code
    found = {a for a in validate_catalog(root).problems if a.severity == "error"}
    assert set() == found
    assert 2 * len(courses) == sum(a.kind == "course" for a in making.loaded(root).resources)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "course lamp --from course.dsk",
            "there is no course.dsk in the catalog\n    did you mean",
        ),
        ("course desk --from course.desk", "courses/desk.yaml exists already"),
        ("license lamp --from course.desk", " new course lamp --from course.desk`"),
        ("course lamp --kind video --from course.desk", "of the same kind"),
        ("completionCriterion x --from criterion.desk.pass", "is written inside another manifest"),
        ("course lamp --from *", "names 2 resources\n    name one of them"),
    ],
)
def test_what_cannot_be_copied(root: Path, run: Run, words: str, said: str):
    """What cannot be copied is refused with a message, and nothing is written."""
    before = sorted(root.rglob("*"))
    code, out, err = run("new", *words.split(), "-C", root)
    assert (64, "") == (code, out)
    assert said in err
    assert before == sorted(root.rglob("*"))


def test_a_template_is_not_copied(root: Path, run: Run):
    """A course from a template is not copied, since the template may make several."""
    (root / "courses/desk.yaml").rename(root / "courses/desk.yaml.j2")
    code, _, err = run("new", "course", "lamp", "--from", "course.desk", "-C", root)
    assert (64, True) == (code, "is made by a template, courses/desk.yaml.j2" in err)


def test_all_files_or_none(root: Path, run: Run):
    """If a body file exists already, the manifest is not written either."""
    making.put(root, "courses/lamp.md", "mine")
    code, _, err = run("new", "course", "lamp", "--from", "course.desk", "-C", root)
    assert (64, True) == (code, "courses/lamp.md exists already" in err)
    assert not (root / "courses/lamp.yaml").exists()
    assert "mine" == (root / "courses/lamp.md").read_text("utf-8")
    assert Address("course", "lamp") not in making.loaded(root).resources
