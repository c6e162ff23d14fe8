"""Small words and values as people read them."""

from typing import Any

import pytest

from lmssync.report.value_words import count_noun, long_text, spell_minutes, spell_value


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (1_000, "1,000 files")]
)
def test_counted(number: int, told: str):
    """One is one."""
    assert told == count_noun(number, "file")


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
        ({"email": {"$person": "26eb8b42fa9f2fd9"}}, "person 26eb8b42fa9f2fd9"),
        ({"a": 1}, '{"a":1}'),
        ({"title": "Shop", "url": "x"}, '{"title":"Shop","url":"x"}'),
        ("a\u202eb\x1b[2Jc\u200bd", "“a\\u202eb\\x1b[2Jc\\u200bd”"),
        (list(range(9)), "[0, 1, 2, 3, 4, 5, 6, 7, 8]"),
        (list(range(12)), "[0, 1, 2, 3, 4, 5, 6, 7, … 4 more]"),
    ],
)
def test_values(value: Any, told: str):
    """On one line; references by name, parts by title."""
    assert told == spell_value(value)


def test_a_full_value_is_not_cut():
    """Neither long texts nor long lists, and ends of lines are written out."""
    found = {"body": "x" * 100, "list": ["a\nb"] * 20}
    told = spell_value(found["body"], full=True), spell_value(found["list"], full=True)
    listed = ", ".join([r"“a\nb”"] * 20)
    assert (f"“{'x' * 100}”", f"[{listed}]") == told


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
    assert text == long_text(value)


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
    assert told == spell_minutes(minutes)
