"""What may be wrong with the slices of a project file."""

from pathlib import Path

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from tests import making
from tests.catalog.manifests.test_project import project, refused

STATE = "version: 1\nstate: 'sqlite:///.lmssync/{slice}.db'\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{STATE}slices: {{a b: {{paths: [a/]}}}}\n", "slice-name"),
        (f"{STATE}slices: {{a: {{paths: [a]}}}}\n", "slice-paths"),
        (f"{STATE}slices: {{a: {{paths: [../a/]}}}}\n", "slice-paths"),
        (f"{STATE}slices: {{a: {{paths: [a/]}}, b: {{paths: [a/b/]}}}}\n", "slice-paths"),
        ("version: 1\nslices: {a: {paths: [a/]}, b: {paths: [b/]}}\n", "slice-state"),
        (STATE, "slice-state"),
        (f"{STATE}slices: {{a: {{paths: [a/], state: 'sqlite:////tmp/a.db'}}}}\n", "state-outside"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, code: str) -> None:
    """Each with its own rule."""
    (problem,) = refused(tmp_path, text)
    assert code == problem.code


def test_a_state_of_its_own(tmp_path: Path) -> None:
    """A slice may name one; the spelling of a path makes no second state."""
    both = "version: 1\nslices: {{a: {{paths: [a/]}}, b: {{paths: [b/], state: '{}'}}}}\n"
    known = project(tmp_path, both.format("git:origin#lmssync/b"))
    assert "git:origin#lmssync/b" == known.slices["b"].state
    (problem,) = refused(tmp_path, both.format("sqlite:///x/../.lmssync/state.db"))
    assert "slice-state" == problem.code


def test_every_manifest_is_in_a_slice(tmp_path: Path) -> None:
    """One that is not is an error, and an empty folder a warning with its likely name."""
    making.put(tmp_path, "lmssync.yaml", f"{STATE}slices: {{a: {{paths: [safty/]}}}}\n")
    making.put(
        tmp_path, "safety/tag.yaml", "resource: course\nkey: a\nkind: courseGroup\ntitle: A\n"
    )

    problems = {one.code: one for one in validate_catalog(tmp_path).problems}

    assert "safety/tag.yaml is in no slice" in problems["outside-slices"].message
    assert "did you mean `safety/`?" == problems["slice-folder"].hint
