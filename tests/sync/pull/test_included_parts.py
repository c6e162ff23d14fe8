"""`pull` leaves part files alone: several courses share them."""

from tests.planning.test_changes_by_people import edit
from tests.served_catalog import Platform, Workspace

LESSON = "      - include: one.part.yaml\n        id: one\n        with: {name: Anna}\n"
PART = """\
part: lesson
parameters: {name: {}}
content:
  title: Hello ${name}
  openType: open
  topics: [{id: hello, title: Hello, type: text, markdown: Good morning}]
"""


def include_lesson(work: Workspace) -> None:
    """A course with an included lesson, and one of its own, that was applied."""
    work.write("one.part.yaml", PART)
    work.course(
        "a", edit=("    lessons:\n", "    lessons:\n" + LESSON.replace("id: one", "id: in"))
    )
    assert 0 == work.apply().code


def test_a_value_of_a_part_file_is_left(work: Workspace, platform: Platform):
    """What people changed in it is named and not written; the file stays as it is."""
    include_lesson(work)
    edit(platform, "lessons", "Hello Anna", title="By hand")
    done = work.run("pull", "course.a")
    assert "one.part.yaml" in done.out + done.err
    assert PART == (work.root / "one.part.yaml").read_text("utf-8")
    assert "By hand" not in (work.root / "a.yaml").read_text("utf-8")


def test_what_is_beside_a_part_is_pulled(work: Workspace, platform: Platform):
    """A value of the manifest itself is written, although its course includes a part."""
    include_lesson(work)
    edit(platform, "lessons", "One", title="By hand")
    assert 0 == work.run("pull", "course.a").code
    assert "title: By hand" in (work.root / "a.yaml").read_text("utf-8")


def test_a_page_of_a_part_file_is_left(work: Workspace, platform: Platform):
    """The same for a page in an included lesson: the file that it comes from is named."""
    include_lesson(work)
    edit(platform, "topics", "Hello", title="By hand")
    done = work.run("pull", "course.a")
    assert "one.part.yaml" in done.out + done.err
    assert PART == (work.root / "one.part.yaml").read_text("utf-8")
