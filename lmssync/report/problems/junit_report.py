"""JUnit XML, as build servers read it: one suite of tests, each with what has failed in it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class JunitPart(NamedTuple):
    """What is said about a test: that it has failed, or what it has printed."""

    tag: str
    """`failure` or `system-out`."""
    attributes: Mapping[str, str]
    text: str


class JunitCase(NamedTuple):
    """One test: its name, class and file, and what is said about it."""

    about: Mapping[str, str]
    """Its attributes: `name`, `classname`, by which servers group tests, and `file`."""
    parts: Sequence[JunitPart] = ()
    """None for a test that has passed and says nothing."""

    @property
    def has_failed(self) -> bool:
        return any(part.tag == "failure" for part in self.parts)


def spell_junit(suite_name: str, cases: Sequence[JunitCase], rest: str = "") -> str:
    """The document of one suite; `rest` is the output of the suite itself."""
    from xml.etree import ElementTree as ET  # few runs write XML

    failed = sum(case.has_failed for case in cases)
    totals = {"tests": str(len(cases)), "failures": str(failed), "errors": "0"}
    top = ET.Element("testsuites", totals)
    suite = ET.SubElement(top, "testsuite", {"name": suite_name, **totals})
    for case in cases:
        test = ET.SubElement(suite, "testcase", {**case.about, "time": "0"})
        for part in case.parts:
            ET.SubElement(test, part.tag, dict(part.attributes)).text = part.text
    if rest:
        ET.SubElement(suite, "system-out").text = rest
    ET.indent(top)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(top, "unicode")}\n'
