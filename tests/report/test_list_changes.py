"""A list that has changed is told by what came, what is gone and what has moved."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lmssync.report.changes.value_differences import expand_pair, list_changes, one_line

MINUS = "\N{MINUS SIGN}"
ENGLISH = {"language": "en", "label": "English"}
GERMAN = {"language": "de", "label": "Deutsch"}
SAFETY, OFFICE = ({"$ref": f"tag.{name}", "id": name} for name in ("Safety", "Office"))


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ([ENGLISH], [GERMAN], f"+ Deutsch, {MINUS} English"),
        ([SAFETY], [SAFETY, OFFICE], "+ Office"),
        ([SAFETY, OFFICE], [], f"{MINUS} Safety, {MINUS} Office"),
        (["a", "b", "c"], ["a", "c", "b"], "moved `c` after `a`"),
        (["a", "b"], ["new", "b", "a"], "+ “new”, moved `b` to the start"),
        (["a", "a", "b"], ["a", "b", "a"], "[“a”, “a”, “b”] → [“a”, “b”, “a”]"),
        ([ENGLISH], [ENGLISH | {"title": "Hi"}], "[en].title: (not set) → “Hi”"),
    ],
)
def test_what_has_changed_is_named(before: Any, after: Any, line: str):
    """Each item that came, went or moved is named."""
    assert line == one_line(before, after)


@pytest.mark.parametrize(
    "hidden",
    [
        ({"$ref": "tag.A", "id": "1"}, {"$ref": "tag.A", "id": "2"}),
        ({"language": "de", "label": "Deutsch"}, {"language": "at", "label": "Deutsch"}),
        ("Deutsch", "Deutsch\u200b"),
        ({"id": "1", "title": "Deutsch"}, {"id": "2", "title": "Deutsch"}),
    ],
)
def test_items_that_look_the_same_are_shown_exactly(hidden: tuple[Any, Any]):
    """Items that differ only in something that is usually hidden are never shown alike."""
    come, _, gone = one_line([hidden[0]], [hidden[1]]).partition(f", {MINUS} ")
    assert come.removeprefix("+ ") != gone


def test_a_long_text_in_a_list_is_shown_by_its_words():
    """Of a text in an item, the words that differ are shown, under the key of the item."""
    texts = [GERMAN | {"body": "Guten Morgen an alle, die heute früh gekommen sind " * 2}]
    after = [texts[0] | {"body": texts[0]["body"].replace("alle", "euch", 1)}]
    assert "[de].body: “Guten Morgen an [-alle-]{+euch+}, die heute früh gekommen sind …”" == (
        one_line(texts, after)
    )


def test_many_items_are_counted():
    """Of many items the first are named and the others counted, unless all are asked for."""
    names = [f"name-{n}" for n in range(20)]
    assert list_changes([], names, full=False).endswith("“name-7”, … 12 more")
    assert "…" not in list_changes([], names, full=True)


@given(*[st.lists(st.sampled_from("abcde"), max_size=6)] * 2)
def test_the_differences_add_up(before: list[str], after: list[str]):
    """What came is in the second list and not in the first, as often as it is named."""
    told = list_changes(before, after, full=True).split(", ")
    come = Counter(one[3:-1] for one in told if one.startswith("+"))
    gone = Counter(one[3:-1] for one in told if one.startswith(MINUS))
    assert (Counter(after) - Counter(before), Counter(before) - Counter(after)) == (come, gone)


@given(*[st.lists(st.sampled_from("abcde"), max_size=6)] * 2)
def test_lists_that_differ_show_it(before: list[str], after: list[str]):
    """Two different lists are never shown with an empty text."""
    shown = [pair.text() for pair in expand_pair("f", before, after)]
    assert before == after or (shown and all(shown))
