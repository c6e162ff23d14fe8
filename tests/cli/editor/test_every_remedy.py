"""Of every rule it is known whether an editor can do what it asks for, or only the author can."""

import re
from pathlib import Path

import pytest

from lmssync.catalog.manifests.yaml import load_yaml, write_yaml_document
from lmssync.cli.editor.edited_catalog import EditedCatalog
from lmssync.cli.editor.name_changes import apply_text_changes
from lmssync.cli.editor.remedies import KnownProblem, list_remedies
from lmssync.support import rulebook
from tests import making
from tests.catalog.schemas.test_rule_examples import WITHIN

PAGE = Path(__file__).parents[3] / "docs" / "editors.md"
COURSE = "resource: course\nkey: safety\nkind: courseGroup\ntitle: Safety\nsections: [{id: start, title: Start, lessons: [{id: one, title: One, openType: open, topics: [TOPIC]}]}]\n"  # noqa: E501
TEXT = COURSE.replace("TOPIC", "{id: hello, title: Hello, type: text, markdown: Hi.}")
QUIZ = COURSE.replace(
    "TOPIC",
    "{id: check, title: Check, type: quiz}, {id: hello, title: Hello, type: text, markdown: Hi.}",
)
RULE = "completionCriteria: [{id: seen, type: courseTopicViewed, topic: PATH}]\n"
PROJECT = making.PROJECT
RELEASE = "release: a\nabout: A\nowner: B\n"
MOVED = "moved: [{from: course.old}]\n"
OTHER = TEXT.replace("key: safety", "key: first-aid").replace("Safety", "Aid")

SEEN = {
    "bidi-control": TEXT.replace("Safety", "Safety\u202e"),
    "invisible-character": TEXT.replace("Safety", "Safe\u200bty"),
    "not-nfc": TEXT.replace("Safety", "Cafe\u0301"),
    "file-missing": TEXT.replace("markdown: Hi.", "bodyFile: hello.html"),
    "unknown-reference": TEXT + "relatedCourses: [first-ade]\n",
    "unknown-topic": TEXT + RULE.replace("PATH", "start/one/helo"),
    "key-value": TEXT.replace("key: safety", "key: Safety first!"),
    "open-type-value": TEXT.replace("openType: open", "openType: opn"),
    "title-type": TEXT.replace("title: Safety", "title: 00123"),
    "missing-field": TEXT.replace("openType: open, ", ""),
    "moved-kind": TEXT + "moved: [{from: safety-old}]\n",
    "moved-present": TEXT + "moved: [{from: course.first-aid}]\n",
    "moved-twice": f"{TEXT}{MOVED}---\n{OTHER.replace('first-aid', 'last')}{MOVED}",
    "number-size": TEXT + "customFields: {number: 12345678901234567890}\n",
    "gate-shut": QUIZ
    + "status: published\nforceLinearProgress: true\n"
    + RULE.replace("PATH", "start/one/hello"),
}
"""A manifest that breaks each rule of which `explain` shows no example that an editor repairs."""
ELSEWHERE = {
    "rule-fixed": ("lmssync.yaml", PROJECT + "rules: {missing-field: 'off'}\n"),
    "unknown-rule": ("lmssync.yaml", PROJECT + "rules: {placehodler: error}\n"),
    "unknown-capability": ("lmssync.yaml", PROJECT + "platform: {capabilities: {nothing: true}}\n"),
    "default-environment": ("lmssync.yaml", PROJECT + "defaultEnvironment: nowhere\n"),
    "default-field": ("lmssync.yaml", PROJECT + "defaults: {course: {ribon: new}}\n"),
    "slice-folder": ("lmssync.yaml", PROJECT + "slices: {one: {paths: [nowhere/]}}\n"),
    "overlay-target": ("overlays/sandbox/a.yaml", "resource: course\nkey: first-ade\ntitle: A\n"),
    "overlay-part": (
        "overlays/sandbox/a.yaml",
        "resource: course\nkey: first-aid\nsections: [{id: strat, title: A}]\n",
    ),
    "literal-secret": (
        "lmssync.yaml",
        "version: 1\nenvironments:\n  sandbox:\n    apiKey: abcdefabcdef\n    baseUrl: 'http://127.0.0.1:1'\n",
    ),
    "promote-from": (
        "lmssync.yaml",
        PROJECT + "  live: {baseUrl: 'http://127.0.0.1:2', promoteFrom: sandbx}\n",
    ),
    "release-address": ("releases/a.yaml", RELEASE + "addresses: [course.first-ade]\n"),
    "release-file": ("releases/a.yaml", RELEASE + "files: [first-ade.yaml]\n"),
    "policy-operator": (
        "policies/a.yaml",
        "policy: a\nresource: course\nrequire: {title: {presnt: true}}\nmessage: M\n",
    ),
    "policy-path": (
        "policies/a.yaml",
        "policy: a\nresource: course\nrequire: {titel: x}\nmessage: M\n",
    ),
}


FAMILIES = {f"...{ending}" for ending in rulebook.FAMILIES}


def listed_rules(name: str) -> set[str]:
    """The rules of one of the two lists on the page."""
    text = PAGE.read_text("utf-8").partition(f"<!-- {name} -->")[2].partition("<!-- end -->")[0]
    return set(re.findall(r"`([\w.-]+)`", text))


def test_the_two_lists_are_all_rules():
    repaired, left = listed_rules("repaired"), listed_rules("left")
    assert set() == repaired & left
    assert {*rulebook.all_rules()} | FAMILIES == repaired | left


def list_examples() -> list[str]:
    """The rules that an editor repairs; of a family those of some fields."""
    repaired = listed_rules("repaired")
    of_families = [
        one for one in SEEN if one.endswith((*rulebook.FAMILIES,)) and one not in repaired
    ]
    return sorted([*(repaired - FAMILIES), *of_families])


def write_broken_file(rule: str, root: Path) -> str:
    """Writes a file that breaks a rule, and returns its name."""
    making.put(root, "first-aid.yaml", OTHER)
    name, text = ELSEWHERE.get(rule, ("a.yaml", SEEN.get(rule, "")))
    if not text:
        example = rulebook.all_rules()[rule]
        text, make = example.wrong, WITHIN[example.within]
        if make:
            (data,) = load_yaml(text.encode())
            text = write_yaml_document(make(**data))
    making.put(root, name, text)
    return name


@pytest.mark.parametrize("rule", list_examples())
def test_what_an_editor_does_takes_the_problem_away(rule: str, tmp_path: Path):
    """Each of its proposals does."""
    name = write_broken_file(rule, making.write(tmp_path))
    catalog = EditedCatalog(tmp_path)
    found = next(one for one in catalog.judge_catalog()[name] if one.code == rule)
    lines, origin = catalog.read_text(name).split("\n"), found.origin
    offset = (
        len("\n".join(lines[: found.where.line - 1]))
        + bool(found.where.line - 1)
        + found.where.column
        - 1
    )
    known = KnownProblem(rule, found.message, found.hint, offset, origin.document, origin.path)
    proposals = [*list_remedies(catalog, name, known)]
    assert proposals
    for proposal in proposals:
        changed = {
            file: apply_text_changes(catalog.read_text(file), some)
            for file, some in proposal.changes.items()
        }
        codes = {one.code for one in catalog.judge_changed(changed)}
        assert not codes & {rule, "yaml-syntax"}, proposal.title
