"""Overlays and defaults, as a catalog on disk has them."""

from pathlib import Path

import pytest

from tests import making

PROJECT = """\
version: 1
environments:
  test: {baseUrl: 'http://127.0.0.1:1'}
  live: {baseUrl: 'http://127.0.0.1:2'}
"""
COURSE = """\
resource: course
key: a
kind: microCourse
title: A
topics:
  - {id: t, title: T, type: text, body: Hello}
completionCriteria:
  - {id: most, type: coursePercentViewed, percent: 80}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    making.put(tmp_path, "lmssync.yaml", PROJECT)
    making.put(tmp_path, "courses/a.yaml", COURSE)
    return tmp_path


def form(root: Path, environment: str, address: str = "course.a") -> making.Form:
    catalog = making.loaded(root, environment)
    return {str(a): r for a, r in catalog.resources.items()}[address].form


def told(root: Path) -> list[tuple[str, str, int]]:
    return [(p.code, p.where.file, p.where.line) for p in making.problems(root)]


def test_an_overlay_is_for_its_environment(root: Path):
    """The other environments do not see it."""
    overlay = "resource: course\nkey: a\ntitle: A (test)\n"
    making.put(root, "overlays/test/a.yaml", overlay)
    assert ("A (test)", "A") == (form(root, "test")["title"], form(root, "live")["title"])


def test_an_overlay_reaches_into_topics_and_short_forms(root: Path):
    """By their ids."""
    making.put(
        root,
        "overlays/test/a.yaml",
        "resource: course\nkey: a\ntopics: [{id: t, body: Bye}]\n"
        "completionCriteria: [{id: most, percent: 10}]\n",
    )
    assert "Bye" == form(root, "test")["topics"][0]["body"]
    assert 10 == form(root, "test", "criterion.a.most")["percent"]


def test_an_overlay_of_a_short_form_by_its_own_address(root: Path):
    """`criterion.a.most` is a resource like others."""
    overlay = "resource: completionCriterion\nkey: a.most\npercent: 10\n"
    making.put(root, "overlays/test/a.yaml", overlay)
    assert 10 == form(root, "test", "criterion.a.most")["percent"]


def test_overlays_come_in_the_order_of_their_files(root: Path):
    """The last one wins."""
    for name in ("1", "2"):
        overlay = f"resource: course\nkey: a\ntitle: A{name}\n"
        making.put(root, f"overlays/test/{name}.yaml", overlay)
    assert "A2" == form(root, "test")["title"]


def test_an_overlay_takes_a_resource_away(root: Path):
    """`$patch: delete` leaves the others."""
    overlay = "resource: completionCriterion\nkey: a.most\n$patch: delete\n"
    making.put(root, "overlays/test/a.yaml", overlay)
    assert ["course.a"] == [str(a) for a in making.loaded(root, "test").resources]
    assert 2 == len(making.loaded(root, "live").resources)


def test_a_mistake_in_an_overlay_stands_in_the_overlay(root: Path):
    """With its own line; what is wrong with the manifest stands in the manifest."""
    overlay = "resource: course\nkey: a\n\nmetaTitle: 5\n"
    making.put(root, "overlays/test/a.yaml", overlay)
    assert [("meta-title-type", "overlays/test/a.yaml", 4)] == told(root)


def test_a_body_file_of_an_overlay_lies_beside_it(root: Path):
    """Its name is relative to the overlay."""
    overlay = "resource: course\nkey: a\ntopics: [{id: t, $patch: delete}, {id: u, $patch: add,"
    overlay += " title: U, type: text, bodyFile: u.md}]\n"
    making.put(root, "overlays/test/a.yaml", overlay)
    making.put(root, "overlays/test/u.md", "Hello")
    assert {"$markdown": "Hello"} == form(root, "test")["topics"][0]["body"]


@pytest.mark.parametrize(
    ("file", "overlay", "code", "line"),
    [
        ("overlays/tset/a.yaml", "resource: course\nkey: a\n", "overlay-environment", 1),
        ("overlays/test/a.yaml", "resource: course\nkey: b\n", "overlay-target", 2),
        (
            "overlays/test/a.yaml",
            "resource: course\nkey: a\ntopics:\n- {id: x}\n",
            "overlay-part",
            4,
        ),
        ("overlays/test/a.yaml", "resource: course\ntitle: B\n", "missing-field", 1),
        (
            "overlays/test/a.yaml",
            "resource: course\nkey: a\n$patch: remove\n",
            "overlay-patch",
            3,
        ),
        (
            "overlays/test/a.yaml",
            "resource: course\nkey: a\ntitle: B\n$patch: delete\n",
            "overlay-patch",
            4,
        ),
        (
            "overlays/test/a.yaml",
            "resource: course\nkey: a\ntopics:\n- {id: t, $patch: remove}\n",
            "overlay-patch",
            4,
        ),
        (
            "overlays/test/a.yaml",
            "resource: course\nkey: a\ntopics:\n- {id: t, $patch: add, title: X}\n",
            "overlay-patch",
            4,
        ),
        (
            "overlays/test/a.yaml",
            "resource: course\nkey: a\ntopics:\n- {id: t, $patch: delete, title: X}\n",
            "overlay-patch",
            4,
        ),
        ("overlays/test/a.yaml", "resource: curse\nkey: a\n", "unknown-resource", 1),
        ("overlays/test/a.yaml", "- a\n", "not-a-manifest", 1),
        ("overlays/test/a.yaml", "a: [\n", "yaml-syntax", 2),
    ],
)
def test_mistakes_of_overlays(root: Path, file: str, overlay: str, code: str, line: int):
    """Each is told once, though there are two environments."""
    making.put(root, file, overlay)
    assert [(code, file, line)] == told(root)


def test_an_overlay_of_what_is_refused_is_not_homeless(root: Path):
    """The manifest has a mistake of its own: that one is enough."""
    making.put(root, "courses/a.yaml", COURSE.replace("kind: microCourse", "kind: macroCourse"))
    making.put(root, "overlays/test/a.yaml", "resource: course\nkey: a\ntitle: B\n")
    assert [("kind-value", "courses/a.yaml", 3)] == told(root)


def test_defaults_are_for_what_is_left_out(root: Path):
    """By kind of resource; short forms have theirs."""
    defaults = "defaults:\n  course: {status: draft, ribbon: new}\n"
    making.put(root, "lmssync.yaml", PROJECT + defaults)
    making.put(root, "courses/a.yaml", COURSE + "ribbon: null\n")
    assert ("draft", None) == (form(root, "test")["status"], form(root, "test")["ribbon"])


def test_a_mistake_in_a_default_stands_in_the_project_file(root: Path):
    """Once, however many manifests take it."""
    making.put(root, "lmssync.yaml", PROJECT + "defaults:\n  course:\n    priceInCents: -1\n")
    making.put(root, "b.yaml", COURSE.replace("key: a", "key: b"))
    assert [("price-in-cents-range", "lmssync.yaml", 7)] == told(root)


def test_mistakes_in_the_project_file_come_by_line(root: Path):
    """In every run: an order that changes would look like other mistakes."""
    fields = "".join(f"    {name}: 1\n" for name in "hgfedcba")
    making.put(root, "lmssync.yaml", f"{PROJECT}defaults:\n  course:\n{fields}")
    assert [("default-field", "lmssync.yaml", line) for line in range(7, 15)] == making.refused(
        root
    )


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("defaults: {course: {pirceInCents: 1}}\n", "default-field", 5),
        ("defaults: {course: {key: a}}\n", "default-field", 5),
        ("defaults: {curse: {status: draft}}\n", "unknown-resource", 5),
        ("  ../x: {baseUrl: 'http://a.example.com'}\n", "environment-name", 5),
        ("  x: {baseUrl: 'http://me:secret@a.example.com'}\n", "literal-secret", 5),
        ("defaultEnvironment: sandbx\n", "default-environment", 5),
        ("---\nversion: 1\n", "second-document", 6),
        ("rules: {no-content: never}\n", "rules-value", 5),
        ("rules:\n  duplicate-key: warning\n", "rule-fixed", 6),
        ("rules:\n  title-length: off\n", "rule-fixed", 6),
    ],
)
def test_settings_that_cannot_be(root: Path, text: str, code: str, line: int):
    """Nothing in the project file is passed over in silence."""
    making.put(root, "lmssync.yaml", PROJECT + text.replace("off", "'off'"))
    assert [(code, "lmssync.yaml", line)] == making.refused(root)


def test_a_grade_for_a_rule_that_nobody_has(root: Path):
    """Neither the tool nor the house; its likeliest name is guessed."""
    making.put(root, "lmssync.yaml", PROJECT + "rules: {no-contents: 'off'}\n")
    assert [("unknown-rule", "lmssync.yaml", 5)] == told(root)


def test_a_policy_is_graded_like_a_rule(root: Path):
    """By its id; and what is off is not told."""
    policy = "policy: named\nresource: course\nrequire: {ribbon: {present: true}}\nmessage: m\n"
    making.put(root, "policies/p.yaml", policy)
    found = {}
    for grade in ("error", "warning", "'off'"):
        making.put(root, "lmssync.yaml", f"{PROJECT}rules: {{named: {grade}}}\n")
        found[grade] = [(p.code, p.severity) for p in making.problems(root)]
    assert {
        "error": [("named", "error")],
        "warning": [("named", "warning")],
        "'off'": [],
    } == found


def test_a_changed_policy_is_asked_again(root: Path):
    """What was remembered was so under the old rules."""
    policy = "policy: named\nresource: course\nrequire: {ribbon: {present: true}}\nmessage: m\n"
    making.put(root, "policies/p.yaml", policy)
    assert ["named"] == [p.code for p in making.problems(root)]
    making.put(root, "policies/p.yaml", policy.replace("ribbon", "title"))
    assert [] == making.problems(root)


@pytest.mark.parametrize(
    ("grade", "severities"), [("error", ["error"]), ("warning", ["warning"]), ("off", [])]
)
def test_rules_are_graded(root: Path, grade: str, severities: list[str]):
    """An error stops a plan, a warning does not, and what is off is not told."""
    making.put(root, "lmssync.yaml", f"{PROJECT}rules: {{no-content: {grade}}}\n")
    making.put(root, "courses/a.yaml", "resource: course\nkey: a\nkind: microCourse\ntitle: A\n")
    assert severities == [problem.severity for problem in making.problems(root)]


@pytest.mark.parametrize("value", ["{1: x}", ".nan", "[.inf]", "2027-01-01"])
def test_any_value_in_an_overlay(root: Path, value: str):
    """It is refused where it does not fit, and never in a traceback."""
    making.put(root, "overlays/test/a.yaml", f"resource: course\nkey: a\nmetaTitle: {value}\n")
    assert {("overlays/test/a.yaml", 3)} >= {found[1:] for found in told(root)}
