"""Outlines at a terminal."""

import pytest

from lmssync.report.catalog_report import Part, Tree, list_text, tree_text
from lmssync.report.changes.creation_outline import list_leaves
from lmssync.report.changes.plan_text import plan_text
from lmssync.resource import Address, Place, pack_form
from lmssync.state import Store
from tests.making import course, lesson as lesson_, resource, section as section_, topic
from tests.planning.plan.planning import planned

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
    one = resource(course())
    text = list_text([one._replace(body=pack_form({**one.form, "title": "a\x1b[2Jb"}))])
    assert "\x1b" not in text


GERMAN = {"language": "de", "title": "Hallo", "markdown": "Guten Morgen"}


def test_languages_are_told_by_their_tags():
    """A value of each text on a line of its own."""
    found = {"language": "de", "title": "Hallo", "body": {"$markdown": "Guten Morgen"}}
    assert [
        ("languages[de].title", "Hallo"),
        ("languages[de].body", {"$markdown": "Guten Morgen"}),
    ] == list(list_leaves("languages", [found]))


@pytest.mark.parametrize("full", [False, True])
def test_new_languages_are_no_json(store: Store, full: bool):
    """At the top of an article and in a page of a course."""
    page = topic("note", "article", markdown="Good morning", languages=[GERMAN])
    article = {"kind": "article", "sections": None}
    made = planned(
        store,
        [
            course("paged", sections=[section_("s", lesson_("l", page))]),
            course("note", **article, articleVariant={"markdown": "Hi", "languages": [GERMAN]}),
        ],
    )
    told = plan_text(made, full=full)
    assert "{" not in told
    named = "articleVariant.languages[de].title" if full else "title of language `de`"
    assert f"{named}: “Hallo”" in told
