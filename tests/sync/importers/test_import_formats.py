"""Courses of other systems: imported, checked, applied, and as they were."""

import pytest

from tests.served_catalog import Platform, Workspace

from .sources import source

FORMATS = ("olx", "imscc", "moodle", "markdown", "csv")
BASE = ("--asset-url", "https://media.example.com/courses")


@pytest.fixture(params=FORMATS)
def imported(work: Workspace, request: pytest.FixtureRequest) -> Workspace:
    """A catalog with the sample of one format."""
    (work.root / ".sources").mkdir()
    sample = source(work.root / ".sources", request.param)
    done = work.run("import", "--format", request.param, str(sample), *BASE)
    assert 0 == done.code, done.err
    return work


def test_what_is_imported_is_right_and_in_order(imported: Workspace):
    """It validates without an error, and `fmt` has nothing to do."""
    assert 0 == imported.run("validate").code
    assert 0 == imported.run("fmt", "--check").code


def test_what_is_imported_can_be_applied(imported: Workspace, platform: Platform):
    """The platform takes it, and the next plan is empty."""
    done = imported.apply()
    assert 0 == done.code, done.err
    assert {"Safety at work"} <= set(platform.titles())
    assert [] == [c for c in imported.plan()["changes"] if c["action"] != "unchanged"]


def test_an_import_asks_no_platform(imported: Workspace, platform: Platform):
    """Formats are read offline."""
    assert imported.root.is_dir()
    assert [] == platform.requests()


def test_a_title_of_any_length_takes_one_line(work: Workspace) -> None:
    """The report names the course and does not fill the terminal."""
    work.write("courses.csv", f"title\n{'word ' * 50_000}\n")

    done = work.run("import", "--format", "csv", str(work.root / "courses.csv"))

    assert 0 == done.code, done.err
    assert max(map(len, done.out.splitlines())) < 200
