"""Small words and values as people read them."""

from typing import Any

import pytest

from lmssync.report import words


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (1_000, "1,000 files")]
)
def test_counted(number: int, told: str):
    """One is one."""
    assert told == words.counted(number, "file")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("a", "“a”"),
        ("a\n  b", "“a b”"),
        ("x" * 72, f"“{'x' * 72}”"),
        ("x" * 73, f"“{'x' * 71}…”"),
        (None, "(not set)"),
        (5, "5"),
        (True, "true"),
        ([], "[]"),
        (["a", 1], "[“a”, 1]"),
        ({"$ref": "course.first-aid", "id": "course"}, "first-aid"),
        ({"$ref": "course.a", "id": "id", "part": "s/l/t"}, "a/s/l/t"),
        ({"$markdown": "# A"}, "“# A”"),
        ({"id": "t", "title": "Hello", "type": "text"}, "“Hello”"),
        ({"a": 1}, '{"a":1}'),
    ],
)
def test_values(value: Any, told: str):
    """On one line; references by name, parts by title."""
    assert told == words.value(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("short", None),
        ("a\nb", "a\nb"),
        ("x" * 73, "x" * 73),
        ({"$markdown": "a\nb"}, "a\nb"),
        (None, None),
        (5, None),
        ([1], None),
    ],
)
def test_prose(value: Any, text: str | None):
    """Long text is shown as a difference of lines, the rest as values."""
    assert text == words.prose(value)


def test_line_changes():
    """Only the lines that differ."""
    assert ["-b", "+x"] == list(words.line_changes("a\nb\nc", "a\nx\nc"))


def test_many_line_changes_are_cut():
    """After a dozen."""
    before, after = ("\n".join(f"{word} {n}" for n in range(10)) for word in ("old", "new"))
    found = list(words.line_changes(before, after))
    assert (13, "… 8 more lines") == (len(found), found[-1])


@pytest.mark.parametrize(
    ("minutes", "told"),
    [
        (0, "under a minute"),
        (0.9, "under a minute"),
        (1, "1 min"),
        (89, "89 min"),
        (90, "1.5 h"),
        (600, "10.0 h"),
    ],
)
def test_durations(minutes: float, told: str):
    """As people plan with them."""
    assert told == words.duration(minutes)
