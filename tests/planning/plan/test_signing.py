"""Saved plans that are signed with a secret."""

import json
import os
from pathlib import Path

import pytest

from lmssync.errors import WrongUse
from lmssync.planning import plan
from lmssync.planning.plan.plan_document import digest_document
from lmssync.state import Store
from tests.making import course

from .planning import planned

SECRET = "a secret of the pipeline"


@pytest.fixture
def file(tmp_path: Path, store: Store) -> Path:
    """A plan that was saved with the secret."""
    plan.save_plan(planned(store, [course()]), tmp_path / "plan.json", SECRET)
    return tmp_path / "plan.json"


def test_a_signed_plan_is_restored(file: Path):
    """A signed plan is restored with the secret, and also without one."""
    assert [1, 1] == [len(plan.restore_plan(file, secret).steps) for secret in (SECRET, "")]


def test_an_altered_plan_with_a_digest_that_fits_is_refused(file: Path):
    """Without the secret nobody can sign an altered plan, though anybody can compute a digest."""
    data = json.loads(file.read_bytes())
    data["commit"] = "another"
    data["digest"] = digest_document(data)
    file.write_text(json.dumps(data))
    assert "another" == plan.restore_plan(file).commit
    with pytest.raises(WrongUse, match=r"the signature of .* does not match"):
        plan.restore_plan(file, SECRET)


def test_another_secret_is_refused(file: Path):
    with pytest.raises(WrongUse, match="or has another secret"):
        plan.restore_plan(file, "another secret")


def test_a_plan_that_is_not_signed_is_refused(tmp_path: Path, store: Store):
    """If there is a secret, unsigned plans are refused."""
    plan.save_plan(planned(store, [course()]), tmp_path / "plan.json")
    with pytest.raises(WrongUse, match="is not signed, and LMSSYNC_PLAN_SECRET asks"):
        plan.restore_plan(tmp_path / "plan.json", SECRET)


def test_a_secret_may_hold_any_bytes(tmp_path: Path, store: Store):
    """The secret may hold any bytes, since a variable is not always UTF-8."""
    secret = os.fsdecode(b"abc\xff\xfe")
    plan.save_plan(planned(store, [course()]), tmp_path / "plan.json", secret)
    assert plan.restore_plan(tmp_path / "plan.json", secret).steps


def test_steps_that_are_listed_twice_are_refused(file: Path):
    """Other programs would read the second list, and lmssync would apply the first."""
    file.write_bytes(file.read_bytes().rstrip().removesuffix(b"}") + b',  "steps": []}')
    with pytest.raises(WrongUse, match="was altered or damaged"):
        plan.restore_plan(file)


def test_a_plan_may_be_laid_out_in_another_way(file: Path):
    """Its digest is about what it says, and not about blanks."""
    saved = plan.restore_plan(file)
    file.write_text(json.dumps(json.loads(file.read_bytes())))
    assert plan.plan_digest(saved) == plan.plan_digest(plan.restore_plan(file))
