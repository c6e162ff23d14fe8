"""Problems as workflow commands, read back as the runner reads them."""

import re
from typing import NamedTuple

from hypothesis import given

from lmssync.problems import Problem
from lmssync.report.problems import problems_in
from lmssync.support.invisible_characters import escape_invisible

from . import listing
from .listing import CHECKED, ERROR, WARNING, a_few, many, problem


class Command(NamedTuple):
    name: str
    properties: dict[str, str]
    message: str


def read(line: str) -> Command | None:
    """A command, or nothing for a line that goes to the log as it is."""
    line = line.lstrip()
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    name, _, given = line[2:end].partition(" ")
    pairs = [pair.partition("=") for pair in given.strip().split(",")]
    return Command(name, {k: back(v, ":", ",") for k, _, v in pairs}, back(line[end + 2 :]))


def back(text: str, *more: str) -> str:
    for sign in ("\r", "\n", *more, "%"):
        text = text.replace(f"%{ord(sign):02X}", sign)
    return text


def commands(told: list[Problem], prefix: str = "") -> list[Command]:
    lines = re.split(r"\r\n|\r|\n", problems_in("github", told, CHECKED, prefix=prefix))
    return [command for command in map(read, lines) if command]


def test_a_command():
    """Kind, place and rule as properties; place, problem and remedy in the message."""
    assert commands(a_few())[0] == Command(
        "error",
        {"file": "b/x.yaml", "line": "4", "col": "5", "title": "lmssync title-length"},
        "b/x.yaml:4:5: title is 300\nshorten it",
    )


def test_errors_come_first():
    """Only the first ten of each kind are shown beside the change."""
    assert ["error", "error", "warning"] == [command.name for command in commands(a_few())]


def test_the_address_is_told():
    """After the place."""
    assert "c/d/y.yaml:6:7: course.y: title is long" == commands(a_few())[1].message


def test_the_prefix_leads_to_the_catalog():
    """Files are named from the root of the repository, in the property and in the message."""
    command = commands(a_few(), "./content/")[0]
    assert "content/b/x.yaml" == command.properties["file"]
    assert command.message.startswith("content/b/x.yaml:4:5: ")


def test_the_count_is_a_plain_line():
    """The last one."""
    assert "2 errors, 1 warning." == problems_in("github", a_few(), CHECKED).splitlines()[-1]


def test_a_valid_catalog():
    """One plain line."""
    assert "Valid: 4 resources in 3 files.\n" == problems_in("github", [], CHECKED)


def test_warnings_alone():
    """They are counted, and the catalog is called valid."""
    text = problems_in("github", many(1, severity=WARNING), CHECKED)
    assert text.endswith("\n1 warning.\nValid: 4 resources in 3 files.\n")


def test_the_rest_is_counted():
    """A log of thousands of commands serves nobody."""
    text = problems_in("github", many(1_200), CHECKED)
    assert text.endswith("\n… and 1,000 more\n    1,000 title-length\n1,200 errors.\n")


def test_what_ends_a_property_or_a_line():
    """Colons, commas, percent signs and ends of lines in a name are read back."""
    name = "a,b=c::d 100%25\r\n.yaml"
    assert name == commands([problem(name)])[0].properties["file"]


def test_a_file_name_that_is_no_utf_8():
    """The bytes that make no character are written out."""
    assert "caf\\udce9.yaml" == commands([problem("caf\udce9.yaml")])[0].properties["file"]


@given(listing.ANY)
def test_a_problem_is_a_command(told: list[Problem]):
    """Whatever is in it: nothing ends a command early, and nothing else becomes one."""
    found = commands(told)
    files = [escape_invisible(p.where.file, but="\r\n") for p in told]
    assert sorted(files) == sorted(command.properties["file"] for command in found)
    assert sum(p.severity is ERROR for p in told) == sum(c.name == "error" for c in found)
