"""Outlines at a terminal."""

from lmssync.report.catalog_report import Part, Tree, list_text, tree_text
from lmssync.resource import Address, Place

LONG = "A title that goes on and on " * 6


def page(name: str) -> Part:
    return Part(name, name, "topics", LONG, {"type": "text", "words": 1_250}, False, ())


TREE = Tree(
    Address("course", "desk"),
    "A tidy desk",
    Place("courses/desk.yaml", 3),
    {"kind": "courseGroup", "tags": ", ".join(["Wellbeing"] * 12)},
    (page("why"), page("x" * 64)),
    ((Address("criterion", "desk.most"), LONG),),
    tuple(Address("license", f"of-client-{number}") for number in range(12)),
)


def test_no_line_is_wider_than_the_terminal():
    """What does not fit goes on below its column."""
    text = tree_text(TREE, width=80)
    assert 80 >= max(map(len, text.splitlines()))
    assert "\n  why  A title that" in text
    assert "\n       on and on" in text


def test_in_a_pipe_a_part_is_a_line():
    """However long it is: programs that look for a line find all of it."""
    (line,) = [line for line in tree_text(TREE).splitlines() if line.startswith("  why ")]
    assert f"  why  {LONG.rstrip()} (text, 1,250 words)" == line.replace("  (", " (")


def test_controls_are_written_out():
    """A title may be a stranger's."""
    text = list_text([TREE._replace(title="a\x1b[2Jb")])
    assert "\x1b" not in text
