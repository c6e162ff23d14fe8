"""The lines that explain a rule break it, and those beside them keep it."""

from pathlib import Path
from typing import Any

import pytest

from lmssync.manifests.schemas import rule_lines
from lmssync.manifests.schemas.rule_lines import LINES
from lmssync.manifests.yaml import load
from lmssync.manifests.yaml.write import document
from lmssync.rulebook import RULES

from .. import making


def _course(**fields: Any) -> Any:
    return making.course(completionCriteria=None) | fields


def _lesson(**fields: Any) -> Any:
    return making.course(sections=[making.section("start", making.lesson() | fields)])


def _client(**fields: Any) -> Any:
    return {"resource": "client", "key": "acme", "cloneOf": "golden", "name": "Acme"} | fields


def _assignment(**fields: Any) -> Any:
    return {"resource": "licenseAssignment", "key": "staff", "licenses": ["acme-all"]} | fields


WITHIN = {
    rule_lines.COURSE: _course,
    rule_lines.LESSON: _lesson,
    rule_lines.TOPIC: lambda **fields: making.micro("a", making.topic() | fields),
    rule_lines.VIDEO: lambda **fields: making.course(kind="video", sections=None) | fields,
    rule_lines.CRITERION: lambda **fields: making.criterion(percent=None) | fields,
    rule_lines.LICENSE: lambda **fields: making.license_(courses=[]) | fields,
    rule_lines.PATH: making.path,
    rule_lines.CLIENT: _client,
    rule_lines.ASSIGNMENT: _assignment,
}


def _codes(lines: str, within: str, root: Path) -> set[str]:
    """What `validate` says of a catalog with a manifest that has the lines."""
    text = lines
    if within in WITHIN:
        (data,) = load(lines.encode())
        text = document(WITHIN[within](**data))
    making.put(root, "a.yaml", text)
    return {problem.code for problem in making.problems(root)}


@pytest.mark.parametrize("rule", LINES)
def test_they_do_what_they_show(rule: str, tmp_path: Path):
    """Both sides, put into a manifest that is right otherwise."""
    root = making.write(tmp_path)
    making.put(root, "hello.docx", "Hi.")
    lines = LINES[rule]
    assert (True, False) == (
        rule in _codes(lines.wrong, lines.within, root),
        rule in _codes(lines.right, lines.within, root),
    )


def test_they_are_of_rules():
    """No line explains a rule that there is not."""
    assert set() == LINES.keys() - RULES.keys()
