"""`lmssync validate` with warnings by the hundred."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.problems import Problem, Severity
from tests import making

from .conftest import Run

IMAGES = """\
resource: course
key: {key}
kind: microCourse
title: A
topics:
"""
FILE = "lmssync-baseline.json"


def page(key: str, images: int) -> str:
    """A course with that many images without a text, each in a topic of its own."""
    topic = "  - {{title: T{n}, type: text, body: '<p><img src=\"https://x.example.com/{n}.png\"></p>'}}\n"
    return IMAGES.format(key=key) + "".join(topic.format(n=n) for n in range(images))


def in_old(problems: Sequence[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.origin.file == "old/b.yaml"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A catalog with 21 warnings, of which 20 are alike in one file."""
    return making.write(tmp_path, a=page("a", 20), old__b=page("b", 1))


def test_many_alike_are_folded(root: Path, run: Run):
    """Warnings of one rule in one file are folded with a count, and the sum counts all."""
    out = run("validate", "-C", root).out
    assert 6 == out.count("warning[html-image-alt]")
    assert "    … and 15 more html-image-alt in this file\n" in out
    assert "\n21 warnings.\n" in out


def test_what_is_shown_has_its_line(root: Path, run: Run):
    """Every warning that is shown has its line."""
    lines = run("validate", "-C", root).out.splitlines()
    shown = [line.split(":")[1] for line in lines if line.startswith("a.yaml:")]
    assert ["6", "7", "8", "9", "10"] == shown


def test_what_is_not_shown_is_not_looked_for(root: Path):
    """A warning that is not shown is not located in its file."""
    found = validate_catalog(root, wanted=lambda every: every[:1]).problems
    assert 1 == sum(problem.place is not None for problem in found)
    assert 21 == sum(problem.place is not None for problem in validate_catalog(root).problems)


def test_a_line_is_found_once(root: Path, monkeypatch: pytest.MonkeyPatch):
    """A line that was found is remembered by the next run."""
    monkeypatch.setattr("lmssync.catalog.manifests.catalog_files.TICK", -(10**18))
    validate_catalog(root, wanted=in_old)
    monkeypatch.setattr("lmssync.catalog.manifests.documents.locate_problems_in_files", None)
    found = validate_catalog(root, wanted=in_old).problems
    assert 1 == sum(problem.place is not None for problem in found)


def test_an_error_has_its_line_at_once(root: Path):
    """Errors are always located, because plan and apply show them."""
    making.put(root, "c.yaml", "resource: course\nkey: c\nkind: video\ntitel: A\n")
    found = validate_catalog(root, wanted=lambda _: []).problems
    assert {Severity.ERROR} == {problem.severity for problem in found if problem.place}


def test_a_limit(root: Path, run: Run):
    """`--limit` limits the warnings in every form, and 0 shows all."""
    assert 2 == run("validate", "-C", root, "--limit", "2").out.count("warning[html-image-alt]")
    assert 2 == len(
        json.loads(run("validate", "-C", root, "--json", "--limit", "2").out)["problems"]
    )
    assert 21 == run("validate", "-C", root, "--limit", "0").out.count("warning[html-image-alt]")


def test_a_baseline(root: Path, run: Run):
    """With a baseline, known warnings are counted and only new ones shown, wherever lines move."""
    assert "wrote 21 known warnings" in run("validate", "-C", root, "--write-baseline").err
    making.put(root, "a.yaml", "# moved by a line\n" + page("a", 21))
    out = run("validate", "-C", root).out
    assert "a.yaml:27:30: warning[html-image-alt]" in out
    assert "\n1 warning.\n21 known warnings are not shown: see lmssync-baseline.json.\n" in out


def test_a_baseline_in_json(root: Path, run: Run):
    """In JSON, the summary counts the known warnings if there is a baseline."""
    assert "quiet" not in json.loads(run("validate", "-C", root, "--json").out)["summary"]
    run("validate", "-C", root, "--write-baseline")
    document = json.loads(run("validate", "-C", root, "--json").out)
    assert ([], 0, 21) == (
        document["problems"],
        document["summary"]["warnings"],
        document["summary"]["quiet"],
    )


def test_without_the_baseline(root: Path, run: Run):
    """`--no-baseline` shows all warnings."""
    run("validate", "-C", root, "--write-baseline")
    assert "\n21 warnings.\n" in run("validate", "-C", root, "--no-baseline").out


def test_what_the_baseline_need_not_know_any_more(root: Path, run: Run):
    """A note says how many warnings of the baseline are no longer found."""
    run("validate", "-C", root, "--write-baseline")
    (root / "old/b.yaml").unlink()
    done = run("validate", "-C", root)
    assert "note: 1 warning of lmssync-baseline.json is no longer found" in done.err
    assert 0 == done.code


def test_strict(root: Path, run: Run):
    """With a baseline, `--strict` fails for new warnings only."""
    assert 3 == run("validate", "-C", root, "--strict").code
    run("validate", "-C", root, "--write-baseline")
    assert 0 == run("validate", "-C", root, "--strict").code


def test_a_damaged_baseline_is_told_and_can_be_written_anew(root: Path, run: Run):
    """A damaged baseline is reported, not taken as empty, and can be written again."""
    making.put(root, FILE, "{")
    assert 64 == run("validate", "-C", root).code
    assert 0 == run("validate", "-C", root, "--write-baseline").code
    assert 21 == json.loads(run("validate", "-C", root, "--json").out)["summary"]["quiet"]


@pytest.mark.parametrize("file", ["lmssync.yaml", "a.yaml"])
def test_errors_keep_a_baseline_as_it_is(root: Path, run: Run, file: str):
    """With errors the baseline is not written, since warnings behind them would be dropped."""
    run("validate", "-C", root, "--write-baseline")
    before = (root / FILE).read_bytes()
    making.put(root, file, "nothing: [")
    making.put(root, "c.yaml", page("c", 1))
    done = run("validate", "-C", root, "--write-baseline")
    assert (3, before) == (done.code, (root / FILE).read_bytes())
    assert "lmssync-baseline.json was not written: the catalog has errors" in done.err
    assert ":1:1: warning" not in done.out


def test_a_baseline_is_of_the_whole_catalog(root: Path, run: Run):
    """A baseline cannot be written for some files only, as it would lose the rest."""
    assert 64 == run("validate", "-C", root, "--write-baseline", "--changed-since", "HEAD").code
    assert not (root / FILE).exists()


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        ("rules: {old/: {html-image-alt: 'off'}}\n", (0, 20)),
        ("rules: {html-image-alt: 'off', old/: {html-image-alt: warning}}\n", (0, 1)),
        ("rules: {old/: {html-image-alt: error}}\n", (1, 20)),
        ("rules: {ol/: {html-image-alt: 'off'}}\n", (0, 21)),
    ],
)
def test_rules_of_a_folder(root: Path, run: Run, rules: str, counts: tuple[int, int]):
    """Rules of a folder hold for its files and override the general ones."""
    making.put(root, "lmssync.yaml", (root / "lmssync.yaml").read_text("utf-8") + rules)
    summary = json.loads(run("validate", "-C", root, "--json").out)["summary"]
    assert counts == (summary["errors"], summary["warnings"])


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("rules: {old: {html-image-alt: 'off'}}\n", "rules-folder"),
        ("rules: {/old/: {html-image-alt: 'off'}}\n", "rules-folder"),
        ("rules: {../old/: {html-image-alt: 'off'}}\n", "rules-folder"),
        ("rules: {old/: {title-length: 'off'}}\n", "rule-fixed"),
        ("rules: {old/: {html-image-alts: 'off'}}\n", "unknown-rule"),
    ],
)
def test_rules_that_mean_nothing(root: Path, run: Run, rules: str, code: str):
    """Rules of a folder are reported if its name, a rule or a severity is not allowed."""
    making.put(root, "lmssync.yaml", (root / "lmssync.yaml").read_text("utf-8") + rules)
    found = json.loads(run("validate", "-C", root, "--json").out)["problems"]
    assert code in {problem["code"] for problem in found}
