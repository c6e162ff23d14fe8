"""Two environments beside each other, as their states record them."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lmssync.kind import Ids
from lmssync.resource import Address, pack_form
from lmssync.state import Record, backends, open_store
from tests.served_catalog import Workspace
from tests.state.file_backend import open_files

CHANGES, USAGE = 2, 64
STATE = "sqlite:///.lmssync/{environment}.db"
PROJECT = """\
version: 1
state: sqlite:///.lmssync/{environment}.db
environments:
  staging: {baseUrl: "https://staging.example.com", apiKey: {env: LMSSYNC_API_KEY}}
  production: {baseUrl: "https://example.com", apiKey: {env: LMSSYNC_API_KEY}}
"""


def course(key: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "courseGroup", "title": f"Title of {key}", **fields}


def recorded(root: Path, environment: str, *, state: str = STATE, **forms: dict[str, Any]) -> None:
    with closing(open_store(state, root, environment)) as store:
        records = [
            Record.from_form(Address("course", key), Ids({"course": key}, {}), pack_form(form))
            for key, form in forms.items()
        ]
        with store.hold_state():
            store.claim_instance(environment, f"https://{environment}.example.com")
            store.put_records(records, reason="test")


@pytest.fixture
def both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Workspace:
    """A course that is alike, one that is not, and one that production does not have."""
    (tmp_path / "lmssync.yaml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path)
    alike, of_staging = course("alike"), course("b", description="Old", tags=["Safety"])
    recorded(tmp_path, "staging", alike=alike, b=of_staging, c=course("c"))
    recorded(tmp_path, "production", alike=alike, b=course("b", description="New"))
    return Workspace(tmp_path, {}, capfd)


def test_what_differs(both: Workspace) -> None:
    """Each field with both values, also one that production leaves out."""
    done = both.run("diff-env", "staging", "production")
    assert CHANGES == done.code
    assert [
        "“Title of b” (course.b) description: “Old” → “New”",
        "“Title of b” (course.b) tags: no longer set (it was [“Safety”])",
        "“Title of c” (course.c) only in staging",
        "staging → production: 1 resource differs, 1 only in staging, 1 alike.",
    ] == done.out.splitlines()


def test_shared_states_without_people(both: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """States that name nobody are compared without the key of people."""
    monkeypatch.setattr(backends, "_SCHEMES", {"files": open_files})
    monkeypatch.setenv("LMSSYNC_STATE", "files:{environment}")
    recorded(both.root, "staging", state="files:{environment}", b=course("b"), c=course("c"))
    recorded(both.root, "production", state="files:{environment}", b=course("b", sku="B"))
    done = both.run("diff-env", "staging", "production")
    assert (CHANGES, "") == (done.code, done.err)


def test_as_json(both: Workspace) -> None:
    """The values are whole, and those of the first environment are `before`."""
    document = both.run("diff-env", "production", "staging", "--json").json
    assert {"differ": 1, "only": [0, 1], "alike": 1, "uncompared": 0} == document["summary"]
    (description, _) = document["differences"][0]["fields"]
    assert {"path": "description", "before": "New", "after": "Old"} == description


def test_environments_without_states(work: Workspace) -> None:
    """Two states that record nothing are not called alike."""
    environment = '{baseUrl: "https://x.example.com", apiKey: {env: LMSSYNC_API_KEY}}'
    (work.root / "lmssync.yaml").write_text(
        f"version: 1\nenvironments: {{a: {environment}, b: {environment}}}\n"
    )
    done = work.run("diff-env", "a", "b")
    assert (0, "a → b: nothing is recorded for either of them.\n") == (done.code, done.out)


def test_a_pattern(both: Workspace) -> None:
    """Only what matches is compared."""
    done = both.run("diff-env", "staging", "production", "course.al*")
    assert (0, "staging → production: 1 alike.\n") == (done.code, done.out)


def test_a_pattern_that_matches_nothing(both: Workspace) -> None:
    """A pattern has to match something, and a similar name is shown."""
    done = both.run("diff-env", "staging", "production", "course.alik")
    assert (USAGE, True) == (done.code, "course.alike" in done.err)
