"""Problems as a JUnit report, which most build servers show as a list of tests."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree import ElementTree as ET

from ...problems import Problem, Severity, errors
from ...visible import visible
from .page import Page
from .shown import Checked, below, count, quiet_text, sentence, the_rest, valid_text
from .text import problem_lines

ROOT = "catalog"
"""The name of the top folder, and of the test of a catalog without problems: none may be empty."""


Told = tuple[Problem, str]
"""A problem, and a word on others that are like it."""


def problems_junit(shown: Page, checked: Checked, prefix: str = "") -> str:
    """One test for each file that has problems, or a single test that passes.

    A file with errors is one failure that lists them all, because servers keep no more than one
    a test. Its warnings are its output. `prefix` leads from the root of the repository to the
    catalog, as `below` says.
    """
    lines = list(shown.lines())
    whole = below(prefix, [problem for problem, _ in lines])
    told = [(problem, more) for problem, (_, more) in zip(whole, lines, strict=True)]
    cases = list(_cases(told)) or [_passed(checked)]
    failed = sum(case.find("failure") is not None for case in cases)
    totals = {"tests": str(len(cases)), "failures": str(failed), "errors": "0"}
    top = ET.Element("testsuites", totals)
    suite = ET.SubElement(top, "testsuite", {"name": "lmssync validate", **totals})
    suite.extend(cases)
    if rest := "\n".join([*the_rest(shown.rest), *quiet_text(checked).splitlines()]):
        ET.SubElement(suite, "system-out").text = rest
    ET.indent(top)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(top, "unicode")}\n'


def _cases(told: Sequence[Told]) -> Iterator[ET.Element]:
    by_file = sorted(told, key=_file)
    for file, group in groupby(by_file, key=_file):
        folder, _, name = file.rpartition("/")
        case = _case(folder or ROOT, name, file)
        _tell(case, list(group))
        yield case


def _file(told: Told) -> str:
    return visible(told[0].where.file)


def _case(folder: str, name: str, file: str) -> ET.Element:
    return ET.Element("testcase", {"classname": folder, "name": name, "file": file, "time": "0"})


def _tell(case: ET.Element, told: Sequence[Told]) -> None:
    """Puts the problems of a file into its test."""
    wrong = errors(problem for problem, _ in told)
    if wrong:
        message = sentence(wrong[0]) if len(wrong) == 1 else count(wrong)
        rules = ", ".join(dict.fromkeys(problem.code for problem in wrong))
        text = _text([one for one in told if one[0].severity is Severity.ERROR])
        ET.SubElement(case, "failure", message=message, type=rules).text = text
    warned = [one for one in told if one[0].severity is not Severity.ERROR]
    if warned:
        ET.SubElement(case, "system-out").text = _text(warned)


def _text(told: Sequence[Told]) -> str:
    return "\n".join(line for problem, more in told for line in problem_lines(problem, more=more))


def _passed(checked: Checked) -> ET.Element:
    case = ET.Element("testcase", classname=ROOT, name="validate", time="0")
    text = valid_text(checked).strip()
    ET.SubElement(case, "system-out").text = text
    return case
