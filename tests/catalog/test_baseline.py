"""Warnings that were there before are kept quiet, new ones are not."""

import json
from pathlib import Path

import pytest

from lmssync.catalog.catalog_validation import BASELINE_FILE, apply_baseline, write_baseline
from lmssync.errors import WrongUse
from lmssync.problems import Problem, Severity
from lmssync.resource import Address, Origin, Place

COURSE = Address("course", "a")


def warning(message: str = "an image without a text", line: int = 1, **given: object) -> Problem:
    plain = {"address": COURSE, "severity": Severity.WARNING, "place": Place("a.yaml", line)}
    return Problem("no-alt-text", message, Origin("a.yaml"), **(plain | given))


def quiet(root: Path, *problems: Problem) -> tuple[int, int, int]:
    """How many are told, quiet and stale."""
    told, number, stale = apply_baseline(root, problems)
    return len(told), number, stale


def test_what_is_known_is_quiet(tmp_path: Path):
    """And nothing else; without a baseline, everything is told."""
    assert (1, 0, 0) == quiet(tmp_path, warning())
    assert 1 == write_baseline(tmp_path, [warning()])
    assert (1, 1, 0) == quiet(tmp_path, warning(), warning("another"))


@pytest.mark.parametrize(
    "moved",
    [
        warning(line=40),
        warning("an image without a text", place=None),
        Problem(
            "no-alt-text",
            "an image without a text",
            Origin("b.yaml", 2, ("sections", 4)),
            address=COURSE,
            severity=Severity.WARNING,
        ),
    ],
    ids=["line", "no line yet", "file and part"],
)
def test_a_finding_stays_known_wherever_it_goes(tmp_path: Path, moved: Problem):
    """Lines, parts and files shift; resource, rule and message stay."""
    write_baseline(tmp_path, [warning()])
    assert (0, 1, 0) == quiet(tmp_path, moved)


def test_lines_within_a_message_do_not_count(tmp_path: Path):
    """A message about a body names the line of its file."""
    write_baseline(tmp_path, [warning("line 394 of `a.md`: `<x>` is no element")])
    assert (0, 1, 0) == quiet(tmp_path, warning("line 1,402 of `a.md`: `<x>` is no element"))


def test_one_more_of_the_same_is_told(tmp_path: Path):
    """A finding is known as often as it was written down."""
    write_baseline(tmp_path, [warning(line=1), warning(line=2)])
    assert (1, 2, 0) == quiet(tmp_path, *(warning(line=n) for n in range(1, 4)))


def test_what_is_mended_is_counted(tmp_path: Path):
    """So that it can be taken out."""
    write_baseline(tmp_path, [warning(), warning("another")])
    assert (0, 1, 1) == quiet(tmp_path, warning())


def test_an_error_is_never_quiet(tmp_path: Path):
    """It is neither written down nor taken for a warning of the same words."""
    wrong = warning(severity=Severity.ERROR)
    assert 1 == write_baseline(tmp_path, [warning(), wrong])
    assert (1, 0, 1) == quiet(tmp_path, wrong)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"format": "lmssync.baseline/9", "findings": {}}',
        '{"format": "lmssync.baseline/1"}',
        '{"format": "lmssync.baseline/1", "findings": {"a": {"b": {"c": -1}}}}',
        '{"format": "lmssync.baseline/1", "findings": {"a": [1]}}',
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str):
    """It might keep quiet what it should not."""
    (tmp_path / BASELINE_FILE).write_text(text, "utf-8")
    with pytest.raises(WrongUse, match=r"lmssync-baseline.json cannot be read"):
        apply_baseline(tmp_path, [warning()])


def test_the_file_can_be_reviewed(tmp_path: Path):
    """By resource, rule and message, sorted, with a count."""
    write_baseline(tmp_path, [warning("b"), warning("a"), warning("b", line=9)])
    found = json.loads((tmp_path / BASELINE_FILE).read_text("utf-8"))
    assert {"course.a": {"no-alt-text": {"a": 1, "b": 2}}} == found["findings"]
