"""The YAML that explains a rule breaks it, and the YAML beside it keeps it."""

from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.manifests.yaml import load_yaml
from lmssync.catalog.manifests.yaml.yaml_writer import write_yaml_document
from lmssync.problems import Rule
from lmssync.support.rulebook import all_rules
from tests import making


def _course(**fields: Any) -> Any:
    return making.course(completionCriteria=None) | fields


def _lesson(**fields: Any) -> Any:
    return making.course(sections=[making.section("start", making.lesson() | fields)])


def _client(**fields: Any) -> Any:
    return {"resource": "client", "key": "acme", "cloneOf": "golden", "name": "Acme"} | fields


def _assignment(**fields: Any) -> Any:
    return {"resource": "licenseAssignment", "key": "staff", "licenses": ["acme-all"]} | fields


WITHIN = {
    "a file": None,
    "a course": _course,
    "a lesson": _lesson,
    "a topic": lambda **fields: making.micro("a", making.topic() | fields),
    "a course of kind video": lambda **fields: making.course(kind="video", sections=None) | fields,
    "a completion criterion": lambda **fields: making.criterion(percent=None) | fields,
    "a license": lambda **fields: making.license_(courses=[]) | fields,
    "a purchase path": making.path,
    "a session": making.session,
    "a client": _client,
    "a license assignment": _assignment,
}
EXAMPLES = [rule for rule in all_rules().values() if rule.wrong]


def _codes(lines: str, within: str, root: Path) -> set[str]:
    """What `validate` says of a catalog with a manifest that has the lines."""
    text, make = lines, WITHIN[within]
    if make:
        (data,) = load_yaml(lines.encode())
        text = write_yaml_document(make(**data))
    making.put(root, "a.yaml", text)
    return {problem.code for problem in making.problems(root)}


@pytest.mark.parametrize("rule", EXAMPLES, ids=lambda rule: rule.id)
def test_they_do_what_they_show(rule: Rule, tmp_path: Path):
    """Both sides, put into a manifest that is right otherwise."""
    root = making.write(tmp_path)
    making.put(root, "hello.docx", "Hi.")
    assert (True, False) == (
        rule.id in _codes(rule.wrong, rule.within, root),
        rule.id in _codes(rule.right, rule.within, root),
    )
