"""Anchors come before their aliases."""

import pytest

from .texts import after, stays


@pytest.mark.parametrize(
    "text",
    [
        "moved: &x 1\ntitle: *x\nresource: course\n",
        "moved: &x 1\ntitle: &x 2\nresource: course\nzebra: *x\n",
        "moved: {a: [&x 1]}\ntitle:\n  - *x\nresource: course\n",
    ],
)
def test_a_mapping_that_would_lose_its_meaning_is_not_sorted(text: str):
    """Where an alias, or an anchor of the same name, would change places with an anchor."""
    assert stays(text)


def test_the_others_are_sorted():
    """An anchor that stays before its aliases is no hindrance."""
    text = "title: &x A\nkey: a\ndescription: *x\nresource: course\n"
    assert "resource: course\nkey: a\ntitle: &x A\ndescription: *x\n" == after(text)


def test_what_is_inside_is_sorted_all_the_same():
    """Only the mapping that holds both has to stay."""
    text = "moved: &x 1\ntitle: *x\nresource: course\nsections:\n  - title: A\n    id: a\n"
    assert "  - id: a\n    title: A\n" in after(text)
