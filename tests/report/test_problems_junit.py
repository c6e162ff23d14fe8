"""Problems as a JUnit report, read back."""

from xml.etree import ElementTree as ET

from hypothesis import given

from lmssync.problems import Problem
from lmssync.report.problems import problems_in

from . import listing
from .listing import CHECKED, ERROR, WARNING, a_few, problem


def report(told: list[Problem], prefix: str = "") -> ET.Element:
    """The one suite of the report."""
    top = ET.fromstring(problems_in("junit", told, CHECKED, prefix=prefix).encode("utf-8"))
    (suite,) = top
    assert ("testsuites", "testsuite") == (top.tag, suite.tag)
    return suite


def case(told: list[Problem], prefix: str = "") -> ET.Element:
    return report(told, prefix)[0]


def test_a_test_for_each_file():
    """Each file with problems is a test, named by folder and file."""
    names = [(c.get("classname"), c.get("name"), c.get("file")) for c in report(a_few())]
    assert [("b", "x.yaml", "b/x.yaml"), ("c/d", "y.yaml", "c/d/y.yaml")] == names


def test_the_counts():
    """The suite counts its files, and those with errors as failures."""
    told = [*a_few(), problem("w.yaml", severity=WARNING)]
    suite = report(told)
    assert ("3", "2", "0") == tuple(suite.get(name) for name in ("tests", "failures", "errors"))


def test_errors_are_one_failure():
    """All errors of a file are one failure with their remedies, as servers keep only one."""
    told = [problem(line=1, message="one"), problem(line=2, message="two", hint="so")]
    (failure,) = case(told)
    assert ("failure", "2 errors.", "title-length") == (
        failure.tag,
        failure.get("message"),
        failure.get("type"),
    )
    assert failure.text == (
        "a.yaml:1:1: error[title-length] one\na.yaml:2:1: error[title-length] two\n    so"
    )


def test_one_error_is_told_at_once():
    """A single error is the message of its failure."""
    assert "course.y: title is long" == report(a_few())[1][0].get("message")


def test_warnings_are_output():
    """A file with warnings only passes, with the warnings as output."""
    (output,) = case([problem(message="hm", severity=WARNING)])
    assert ("system-out", "a.yaml:1:1: warning[title-length] hm") == (output.tag, output.text)


def test_the_prefix_leads_to_the_catalog():
    """With a prefix, files are named from the root of the repository."""
    found = case([problem()], "content/courses")
    assert ("content/courses", "content/courses/a.yaml") == (
        found.get("classname"),
        found.get("file"),
    )


def test_a_file_at_the_top():
    """A file at the root of the catalog gets the folder name `catalog`."""
    assert "catalog" == case([problem()]).get("classname")


def test_a_valid_catalog():
    """A valid catalog is one passing test, since an empty report is taken for a mistake."""
    suite = report([])
    assert ("1", "0") == (suite.get("tests"), suite.get("failures"))
    assert ["Valid: 4 resources in 3 files."] == [output.text for output in suite[0]]


def test_what_xml_cannot_hold():
    """Characters that XML cannot hold are escaped, and all others come back as they were."""
    told = problem("<&\"'>.yaml", message="\x00\ufffe\ud800 ]]>")
    assert ("<&\"'>.yaml", "\\x00\\ufffe\\ud800 ]]>") == (
        case([told]).get("name"),
        case([told])[0].get("message"),
    )


@given(listing.ANY)
def test_any_problems_are_xml(told: list[Problem]):
    """A report with any problems is valid XML and holds every problem."""
    suite = report(told)
    failing = {p.where.file for p in told if p.severity is ERROR}
    lines = [line for text in suite.itertext() for line in text.splitlines() if "length] " in line]
    assert str(len(failing)) == suite.get("failures")
    assert len(told) == len(lines)
