"""Tables: no line is wider than the terminal, and no id is cut."""

from uuid import UUID

import pytest

from lmssync.report.text_tables import count_columns, fit_table, join_csv_line

HEAD = ("id", "title", "kind", "slug", "note")
ROWS = [
    (str(UUID(int=number)), "Title " * number, "courseGroup", "安全" * number, "é\u0301 x" * 9)
    for number in range(1, 12)
]


@pytest.mark.parametrize("width", range(80, 201, 20))
def test_a_table_fits(width: int):
    """Every line fits, ids are whole, and columns without room are named."""
    text, left_out = fit_table(HEAD, ROWS, width)
    assert width >= max(map(count_columns, text.splitlines()))
    assert [row[0] for row in ROWS] == [line.split()[0] for line in text.splitlines()[1:]]
    assert [*HEAD] == [*text.splitlines()[0].split(), *left_out]


def test_a_file_is_as_wide_as_it_takes():
    """Without a width nothing is cut; what cannot be seen is written out."""
    text, left_out = fit_table(("a", "b"), [("x\n" * 99, "y"), ("", "z" * 300)], None)
    assert () == tuple(left_out)
    assert "x\\n" * 99 in text
    assert "z" * 300 in text


def test_what_is_left_is_given_to_the_wide():
    """A narrow column is whole where a wide one is cut."""
    text, _ = fit_table(("a", "b"), [("x" * 12, "y" * 90)], 60)
    assert f"{'x' * 12}  {'y' * 45}…\n" == text.splitlines(keepends=True)[1]


@pytest.mark.parametrize("cell", [-1, -0.5, 7, None])
def test_numbers_in_csv_stay_numbers(cell: object):
    """Only texts are kept from being formulas."""
    assert f"{'' if cell is None else cell},x\n".encode() == join_csv_line([cell, "x"])


@pytest.mark.parametrize("cell", ["=1", "\t=1", "\r=1", "\n=1", "-1", "::x::"])
def test_a_text_in_csv_is_no_formula(cell: str):
    """It begins with an apostrophe, whichever list or receipt it stands in."""
    assert join_csv_line([cell]).lstrip(b'"').startswith(b"'")
