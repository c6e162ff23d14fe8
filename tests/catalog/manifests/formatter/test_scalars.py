"""Values stay as they are written, wherever they are moved to."""

import pytest

from .texts import after, stays


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("a:\n- |\n     x\n       y\n", "a:\n  - |\n    x\n      y\n"),
        ("a:\n    b: >-\n       x\n", "a:\n  b: >-\n    x\n"),
        ("a:\n    b: |2\n        x\n", "a:\n  b: |2\n      x\n"),
        ("a:\n    b: |2-\n      x\n     \n", "a:\n  b: |2-\n    x\n"),
        ("a:\n- b: |\n\n     x\n\n\n\n     y\n", "a:\n  - b: |\n\n      x\n\n\n\n      y\n"),
        ("a: |\n    x  \n      \n    y\n", "a: |\n  x  \n    \n  y\n"),
        ("a: |+\n    x\n\n\nb: 1\n", "a: |+\n  x\n\n\nb: 1\n"),
        ("a: |\n    x\n\n\nb: 1\n", "a: |\n  x\n\nb: 1\n"),
        ("a: |+\n    x\n\n\n", "a: |+\n  x\n\n\n"),
        ("a: |\n    x\n\n\n", "a: |\n  x\n"),
        ("a: |\n    x", "a: |-\n  x\n"),
        ("a: >2+ # c\n  x", "a: >2- # c\n  x\n"),
        ("a: |\n  x\n  ", "a: |\n  x\n"),
        ("a: |", "a: |\n"),
        ("a: |+\n\n\nb: 1\n", "a: |+\n\n\nb: 1\n"),
        ("a:\n- &x |\n   x\n", "a:\n  - &x |\n    x\n"),
    ],
)
def test_blocks_of_text(before: str, wanted: str):
    """Two columns further in than what they belong to; their text stays, to the last blank."""
    assert wanted == after(before)


def test_a_blank_line_is_not_added_to_text_that_keeps_its_end():
    """The paragraph that came below it begins without."""
    text = "moved: |+\n  x\nresource: course\n\nlifecycle: 1\n"
    assert "resource: course\nmoved: |+\n  x\nlifecycle: 1\n" == after(text)


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("a:\n- b\n   c\n", "a:\n  - b\n     c\n"),
        ("a:\n-   'b\n     c'\n", "a:\n  - 'b\n     c'\n"),
        ('a:\n    b: "c\n  d"\n', 'a:\n  b: "c\n   d"\n'),
        ("a:\n    b: c\n     d\n\n     e\n", "a:\n  b: c\n   d\n\n   e\n"),
        ("a:\n    b: [\n      c,\n    ]\n", "a:\n  b: [\n    c,\n  ]\n"),
        ("a:\n      b\n       c\n", "a:\n  b\n   c\n"),
        ("-\n    a\n", "-\n  a\n"),
    ],
)
def test_values_of_several_lines(before: str, wanted: str):
    """Their lines move together."""
    assert wanted == after(before)


@pytest.mark.parametrize(
    "text",
    [
        "a: 'it''s   so'\n",
        'a: "x\n\n   y  \n  z"\n',
        "a: {b: 1,   c: [2,3]}\n",
        "a:   aligned\nbcd: aligned\n",
        "a: [\n  b,\n\n  c,\n]\n",
        f"a: {'long ' * 60}end\n",
        "a: 2027-01-31\nb: 012\nc: 1_000\nd: 1e3\ne: 0x1F\n",
    ],
)
def test_what_stays_as_written(text: str):
    """Quotes, flow, long lines, aligned values."""
    assert stays(text)


@pytest.mark.parametrize(
    "text",
    [
        "? a\n: b\n",
        "a:\n  ? [b, c]\n  : - d\n    - e\nf: 1\n",
        "- ? a\n  : |\n    b\n",
        "a: &x\n  ? b\n  : c\nd: *x\n",
        ": a\n",
        "a: &x\nb: *x\n",
        "a:\n  &x\n  b: 1\n",
        "%YAML 1.2\n---\nb: 1\n",
    ],
)
def test_rare_forms_stay(text: str):
    """Keys behind question marks and keys that are no text, lone anchors, directives."""
    assert stays(text)


def test_rare_forms_move():
    """As one piece."""
    text = "a:\n    ? b\n    : |\n      c\n      \n        d\ne: 1\n"
    assert "a:\n  ? b\n  : |\n    c\n    \n      d\ne: 1\n" == after(text)
