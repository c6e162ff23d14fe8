"""People in a CSV file."""

from pathlib import Path

import pytest

from lmssync.problems import Problem
from tests import making

MANIFEST = "resource: licenseAssignment\nkey: staff\nlicenses: [{}]\nusersFile: {}\n"


def problems(root: Path, table: str | bytes, name: str = "staff.csv") -> list[Problem]:
    making.write(root, people__a=MANIFEST.format(making.UUID, name))
    making.put(root, f"people/{name}", table)
    return making.problems(root)


@pytest.mark.parametrize(
    ("table", "code", "line", "word"),
    [
        ("", "table-header", 1, "no line that names the columns"),
        ("\n\n", "table-header", 1, "no line that names the columns"),
        ("mail\na@x\n", "table-header", 1, "`mail` is not a column"),
        ("a@x.example\nb@x.example\n", "table-header", 1, "looks like a person's row"),
        ("EXT-7\nEXT-8\n", "table-header", 1, "looks like a person's row"),
        ("email,\na@x,\n", "table-header", 1, "a column has no name"),
        ("email,email\na@x,a@x\n", "table-header", 1, "is there twice"),
        ("email;id\na@x;\n", "table-header", 1, "`email;id` is not a column"),
        ("Email\na@x\n", "table-header", 1, "`Email` is not a column"),
        ("email\na@x\n\nb@x\n", "table-row-blank", 3, "names nobody"),
        ("email,id\na@x,\n,\n", "table-row-blank", 3, "names nobody"),
        ("email\na@x,b\n", "table-row-cells", 2, "2 cells"),
        ("email,id\na@x\n", "table-row-cells", 2, "1 cells"),
        ("email\nann\n", "email", 2, "`email` is `…`, which is not"),
        ("id\nann\n", "uuid", 2, "which is not a uuid"),
        (
            "email\na@x\nA@X\n",
            "person-twice",
            3,
            "this `email` is in the list already, 1 further up",
        ),
        ('email\n"a@x\n', "table-syntax", 2, "not CSV"),
        ('email\n"a"@x\n', "table-syntax", 2, "not CSV"),
        ("externalCustomerId\na\x00b\n", "control-character", 2, "U+0000"),
        (b"email\n\xff@x\n", "not-utf-8", 2, "byte 0xff is not UTF-8"),
    ],
)
def test_each_mistake_is_told_with_its_line(
    tmp_path: Path, table: str | bytes, code: str, line: int, word: str
):
    """It stands in the table, not in the manifest."""
    (problem,) = problems(tmp_path, table)
    assert (code, True) == (problem.code, word in problem.message)
    assert ("people/staff.csv", line) == (problem.where.file, problem.where.line)


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"email\na@x\n", "staff.txt", "table-ending"),
        (b"email\n" + b"a@x.example\n" * 800_000, "staff.csv", "file-size"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, data: bytes, name: str, code: str):
    """At the place where the manifest names it."""
    (problem,) = problems(tmp_path, data, name)
    assert (code, "people/a.yaml", 4) == (problem.code, problem.where.file, problem.where.line)


@pytest.mark.parametrize(
    ("name", "code"), [("stuff.csv", "file-missing"), ("../../x.csv", "file-outside")]
)
def test_a_file_that_is_not_there_is_told(tmp_path: Path, name: str, code: str):
    """Nothing outside the catalog is read."""
    making.write(tmp_path, people__a=MANIFEST.format(making.UUID, name))
    assert [code] == [problem.code for problem in making.problems(tmp_path)]


@pytest.mark.parametrize(
    "table",
    [
        "email\nann@x.example\nbob@x.example\n",
        "\ufeffemail\r\nbob@x.example\r\nann@x.example",
        "id,email,externalCustomerId\n, ann@x.example ,\n,BOB@x.example,\n",
        '"email"\n"ann@x.example"\n"bob@x.example"\n',
        "email\rann@x.example\rbob@x.example\r",
    ],
)
def test_a_table_is_as_good_as_a_list(tmp_path: Path, table: str):
    """Byte order mark, line ends, quotes, blanks and the order of columns mean nothing."""
    assert [] == problems(tmp_path, table)
    people = making.only(making.loaded(tmp_path)).form["users"]
    assert [{"email": "ann@x.example"}, {"email": "bob@x.example"}] == people


def test_every_row_is_told(tmp_path: Path):
    """All problems at once, in the order of the lines."""
    found = problems(tmp_path, "email\nann\n\nbob\nc@x.example\n")
    assert {2, 3, 4} == {problem.where.line for problem in found}
