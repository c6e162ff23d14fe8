"""Problems as a JUnit report, which most build servers show as a list of tests."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.etree import ElementTree as ET

from ...problems import Problem, Severity
from ...support.visible import escape_invisible
from .problem_selection import ProblemPage
from .problem_text import Checked, count, problem_lines, quiet_text, sentence, the_rest, valid_text

ROOT = "catalog"
"""The name of the top folder, and of the test of a catalog without problems: none may be empty."""


_Line = tuple[Problem, str]
"""A problem, and a word on others that are like it."""


def problems_junit(shown: ProblemPage, checked: Checked) -> str:
    """One test for each file that has problems, or a single test that passes.

    A file with errors is one failure that lists them all, because servers keep no more than one
    a test. Its warnings are its output.
    """
    cases = list(_cases(shown.lines())) or [_passed_case(checked)]
    failed = sum(case.find("failure") is not None for case in cases)
    totals = {"tests": str(len(cases)), "failures": str(failed), "errors": "0"}
    top = ET.Element("testsuites", totals)
    suite = ET.SubElement(top, "testsuite", {"name": "lmssync validate", **totals})
    suite.extend(cases)
    if rest := "\n".join([*the_rest(shown.rest), *quiet_text(checked).splitlines()]):
        ET.SubElement(suite, "system-out").text = rest
    ET.indent(top)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(top, "unicode")}\n'


def _cases(lines: Iterable[_Line]) -> Iterator[ET.Element]:
    """A test for each file, with its problems in it."""
    for file, group in groupby(sorted(lines, key=_file), key=_file):
        folder, _, name = file.rpartition("/")
        about = {"classname": folder or ROOT, "name": name, "file": file, "time": "0"}
        case = ET.Element("testcase", about)
        by_severity: dict[Severity, list[_Line]] = {}
        for line in group:
            by_severity.setdefault(line[0].severity, []).append(line)
        if failed := by_severity.get(Severity.ERROR):
            wrong = [problem for problem, _ in failed]
            message = sentence(wrong[0]) if len(wrong) == 1 else count(wrong)
            rules = ", ".join(dict.fromkeys(problem.code for problem in wrong))
            ET.SubElement(case, "failure", message=message, type=rules).text = _text(failed)
        if warned := by_severity.get(Severity.WARNING):
            ET.SubElement(case, "system-out").text = _text(warned)
        yield case


def _file(line: _Line) -> str:
    return escape_invisible(line[0].where.file)


def _text(lines: Iterable[_Line]) -> str:
    return "\n".join(line for problem, more in lines for line in problem_lines(problem, more=more))


def _passed_case(checked: Checked) -> ET.Element:
    case = ET.Element("testcase", classname=ROOT, name="validate", time="0")
    ET.SubElement(case, "system-out").text = valid_text(checked).strip()
    return case
