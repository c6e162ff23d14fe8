"""The line of a file below a problem, and the mark below the mistake."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from lmssync.problems import Problem
from lmssync.report.problems import Display, SourceLines, problems_text
from lmssync.report.problems.source_excerpt import draw_excerpt
from lmssync.report.terminal_style import Colour
from lmssync.report.text_tables import count_columns

from . import listing
from .listing import problem


def excerpt(root: Path, found: Problem, columns: int = 80) -> list[str]:
    return draw_excerpt(found, Display(columns=columns, lines=SourceLines(root)), Colour.RED)


def marked(root: Path, line: str, *, file: str = "a.yaml", **given: object) -> str:
    """The mark below a line, as far to the right as it is shown."""
    (root / file).write_text(f"{line}\n", "utf-8")
    shown = excerpt(root, problem(file, 1, **given))
    return shown[1].removeprefix("      | ") if shown else ""


@pytest.mark.parametrize(
    ("line", "column", "path", "mark"),
    [
        ("title: Fire: 1  # x", 1, ("title",), "^^^^^^^^^^^^^^"),
        ("  percent: 120", 3, ("a", 0, "percent"), "  ^^^^^^^^^^^^"),
        ("- {id: a, percent: 120, x: 1}", 11, ("percent",), " " * 10 + "^" * 12),
        ("tags: [a, {b: c}] # x", 1, ("tags",), "^" * 17),
        ("tags: [a, 5, b]", 11, ("tags", 1), " " * 10 + "^"),
        ("- 'it''s # no' # x", 3, ("tags", 0), "  " + "^" * 12),
        ('"title": "a # b" # x', 1, ("title",), "^" * 16),
        ("sections:", 1, ("sections",), "^" * 8),
        ("markdown: |", 1, ("markdown",), "^" * 8),
        ("resource: course", 1, ("title",), "^"),
        ("a: b", 400, (), "    ^"),
    ],
)
def test_the_mark_covers_the_field_and_its_value(
    tmp_path: Path, line: str, column: int, path: tuple[str | int, ...], mark: str
):
    """The mark covers the name and the value on that line; another place gets one caret."""
    assert mark == marked(tmp_path, line, column=column, path=path)


def test_a_field_that_does_not_exist_is_marked_without_its_value(tmp_path: Path):
    """Only the name is wrong there."""
    given = {"code": "unknown-field", "path": ("titel",)}
    assert "^^^^^" == marked(tmp_path, "titel: A", **given)


def test_a_tag_of_a_body_is_marked_as_a_whole(tmp_path: Path):
    """From its bracket to its bracket."""
    text = 'See <img src="a.png"> here'
    assert "    " + "^" * 17 == marked(tmp_path, text, file="a.html", column=5)


def test_the_mark_is_below_the_mistake_on_a_screen(tmp_path: Path):
    """Wide characters take two columns, a tab four, an accent or a joiner none."""
    line = "{课: '课课e\u0301', x: 1}"
    assert " " * 14 + "^^^^" == marked(tmp_path, line, column=13, path=("x",))
    assert " " * 4 + "^^^^" == marked(tmp_path, "\tx: 1", column=2, path=("x",))


def test_a_long_line_is_cut_around_the_mark(tmp_path: Path):
    """The mark stays in sight, and the line in the terminal."""
    (tmp_path / "a.yaml").write_text("a: [" + "x, " * 5_000 + "here, " + "y, " * 5_000 + "]\n")
    shown = excerpt(tmp_path, problem("a.yaml", 1, 15_005, path=("a", 5_000)), 60)
    at = shown[1].index("^")
    assert "here" == shown[0][at : at + 4]
    assert (60, True) == (count_columns(shown[0]), shown[0].startswith("    1 | …"))


def test_a_line_that_is_not_there(tmp_path: Path):
    """A line that the file no longer has, an empty line and a missing file show nothing."""
    (tmp_path / "a.yaml").write_text("a: 1\n\n")
    gone = [problem("a.yaml", 9), problem("a.yaml", 2), problem("no.yaml", 1), problem("../a", 1)]
    assert [[], [], [], []] == [excerpt(tmp_path, one) for one in gone]


def test_a_hostile_line_leads_no_terminal(tmp_path: Path):
    """What cannot be seen is written out, as in messages."""
    (tmp_path / "a.yaml").write_text("a: \x1b[31m\u202e##[error]\n", "utf-8")
    assert "    1 | a: \\x1b[31m\\u202e#\\x23[error]" == excerpt(tmp_path, problem())[0]


def test_people_and_secrets_stay_in_their_files(tmp_path: Path):
    """Values of a list of people and long words of the project file are dots; a table is silent."""
    (tmp_path / "a.yaml").write_text("users:\n- {email: ann@x.org, id: Z-1}\n")
    (tmp_path / "b.yaml").write_text("emial: ann@x.org\n")
    (tmp_path / "lmssync.yaml").write_text("apikey: abcdefgh12\nversion: 2\n")
    (tmp_path / "c.csv").write_text("email\nann@x.org\n")
    places = [("a.yaml", 2), ("b.yaml", 1), ("lmssync.yaml", 1), ("lmssync.yaml", 2), ("c.csv", 2)]
    shown = [excerpt(tmp_path, problem(*place)) for place in places]
    assert [
        "    2 | - {email: •••••••••, id: •••}",
        "    1 | emial: •••••••••",
        "    1 | apikey: ••••••••••",
        "    2 | version: 2",
        "",
    ] == [lines[0] if lines else "" for lines in shown]


def test_what_a_message_quotes_is_no_secret(tmp_path: Path):
    """The key of a license beside people, and a word of the project file, are in the message."""
    (tmp_path / "a.yaml").write_text("licenses: [acme-all, b-all]\nusers: []\n")
    (tmp_path / "lmssync.yaml").write_text("profile: extendid, abcdefgh12\n")
    named = problem("a.yaml", 1, message="there is no license `acme-all` in the catalog")
    word = problem("lmssync.yaml", 1, message="`profile` is `extendid`")
    assert [
        "    1 | licenses: [acme-all, •••••]",
        "    1 | profile: extendid, ••••••••••",
    ] == [excerpt(tmp_path, one)[0] for one in (named, word)]


def test_problems_of_one_place_share_its_line(tmp_path: Path):
    """The line is shown once, with all remedies below it."""
    (tmp_path / "a.yaml").write_text("a: 1\n")
    found = [problem(message=f"no {name}", hint=f"add {name}") for name in "bc"]
    assert (
        "a.yaml:1:1: error[title-length] no b\na.yaml:1:1: error[title-length] no c\n"
        "    1 | a: 1\n      | ^\n    help: add b\n    help: add c\n\n2 errors.\n"
    ) == problems_text(found, Display(lines=SourceLines(tmp_path)))


@given(listing.ANY, listing.TEXTS, st.integers(40, 120))
def test_whatever_a_line_holds(
    tmp_path_factory: pytest.TempPathFactory, found: list[Problem], line: str, columns: int
):
    """A line of any characters is one line of the terminal, no wider than it."""
    root = tmp_path_factory.getbasetemp()
    (root / "any").write_bytes(line.encode("utf-8", "surrogatepass") * 50)
    for one in found:
        shown = excerpt(root, problem("any", 1, one.where.column, path=one.origin.path), columns)
        assert all(count_columns(text) <= columns and "\x1b" not in text for text in shown)
        assert all(1 == len(text.splitlines()) for text in shown)
