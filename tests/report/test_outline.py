"""What is new, in words: no machine text in a plan for people."""

import pytest

from lmssync.report.changes.creation_outline import list_leaves
from lmssync.report.changes.plan_text import plan_text
from lmssync.state import Store
from tests.making import course, lesson as lesson_, section as section_, topic
from tests.planning.plan.planning import planned

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
