"""Problems as a JUnit report, which most build servers show as a list of tests."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree import ElementTree as ET

from ..problems import Problem, Severity, errors
from .problems_shown import Checked, below, count, sentence, valid_text
from .problems_text import problem_lines
from .unseen import visible

ROOT = "catalog"
"""The name of the top folder, and of the test of a catalog without problems: none may be empty."""


def problems_junit(problems: Sequence[Problem], checked: Checked, prefix: str = "") -> str:
    """One test for each file that has problems, or a single test that passes.

    A file with errors is one failure that lists them all, because servers keep no more than one
    a test. Its warnings are its output. `prefix` leads from the root of the repository to the
    catalog, as `below` says.
    """
    cases = list(_cases(below(prefix, problems))) or [_passed(checked)]
    failed = sum(case.find("failure") is not None for case in cases)
    totals = {"tests": str(len(cases)), "failures": str(failed), "errors": "0"}
    top = ET.Element("testsuites", totals)
    ET.SubElement(top, "testsuite", {"name": "lmssync validate", **totals}).extend(cases)
    ET.indent(top)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(top, "unicode")}\n'


def _cases(problems: Sequence[Problem]) -> Iterator[ET.Element]:
    by_file = sorted(problems, key=_file)
    for file, group in groupby(by_file, key=_file):
        folder, _, name = file.rpartition("/")
        case = _case(folder or ROOT, name, file)
        _tell(case, list(group))
        yield case


def _file(problem: Problem) -> str:
    return visible(problem.where.file)


def _case(folder: str, name: str, file: str) -> ET.Element:
    return ET.Element("testcase", {"classname": folder, "name": name, "file": file, "time": "0"})


def _tell(case: ET.Element, problems: Sequence[Problem]) -> None:
    """Puts the problems of a file into its test."""
    wrong = errors(problems)
    if wrong:
        message = sentence(wrong[0]) if len(wrong) == 1 else count(wrong)
        rules = ", ".join(dict.fromkeys(problem.code for problem in wrong))
        ET.SubElement(case, "failure", message=message, type=rules).text = _text(wrong)
    warned = [problem for problem in problems if problem.severity is not Severity.ERROR]
    if warned:
        ET.SubElement(case, "system-out").text = _text(warned)


def _text(problems: Sequence[Problem]) -> str:
    return "\n".join(line for problem in problems for line in problem_lines(problem))


def _passed(checked: Checked) -> ET.Element:
    case = ET.Element("testcase", classname=ROOT, name="validate", time="0")
    ET.SubElement(case, "system-out").text = valid_text(*checked).strip()
    return case
