"""A plan in a file and back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmssync import plan
from lmssync.errors import WrongUse
from lmssync.plan import Plan
from lmssync.report.plan_text import plan_text
from lmssync.state import Store

from ..making import course, criterion, license_, path
from .planning import numbered, planned


def everything(store: Store) -> Plan:
    """A plan with every action that a plan can have, and what they hold."""
    return planned(
        store,
        [
            course("new", relatedCourses=["old"]),
            course("old", isbn="2", source="b", customFields={"a": "2"}),
            course("less"),
            license_(courses=["new"], name="New"),
            criterion("new.c", course="new"),
            path("new.p", course="new"),
        ],
        [
            course("old", isbn="1", source="a", customFields={"a": "1"}),
            course("less", ribbon="x"),
            license_(courses=["new"]),
            course("gone"),
        ],
    )


def test_a_saved_plan_comes_back_as_it_was(tmp_path: Path, store: Store):
    """Every call of it, every word."""
    made = everything(store)
    plan.save(made, tmp_path / "plan.json")
    again = plan.restore(tmp_path / "plan.json")
    assert plan.document(made, calls=True) == plan.document(again, calls=True)
    assert [step.body() for step in made.steps] == [step.body() for step in again.steps]
    assert (made.releases, plan.digest(made)) == (again.releases, plan.digest(again))
    assert plan_text(made) == plan_text(again)


def test_nothing_else_is_left_beside_it(tmp_path: Path, store: Store):
    """It is written beside its place and then put there."""
    folder = tmp_path / "plans"
    folder.mkdir()
    plan.save(everything(store), folder / "plan.json")
    assert ["plan.json"] == [file.name for file in folder.iterdir()]


def test_a_plan_replaces_an_older_one(tmp_path: Path, store: Store):
    """In one step."""
    (tmp_path / "plan.json").write_text("old")
    plan.save(planned(store, [course()]), tmp_path / "plan.json")
    assert plan.restore(tmp_path / "plan.json").steps


def test_a_folder_that_is_not_there(tmp_path: Path, store: Store):
    """Wrong use, in words."""
    with pytest.raises(WrongUse, match="cannot be written to"):
        plan.save(planned(store, []), tmp_path / "nowhere" / "plan.json")


def test_the_digest_names_the_plan(store: Store):
    """The same twice, another for another catalog."""
    one, same, other = planned(store, numbered(1)), planned(store, numbered(1)), planned(store, [])
    assert plan.digest(one) == plan.digest(same) != plan.digest(other)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no plan: it is not JSON"),
        ("[]", "is no saved plan of this lmssync"),
        ("{}", "is no saved plan of this lmssync"),
        ('{"format": "lmssync.plan/2", "steps": []}', "is no saved plan of this lmssync"),
        ('{"format": "lmssync.plan/1"}', "is no saved plan of this lmssync"),
        ('{"format": "lmssync.plan/1", "steps": []}', "is damaged"),
        ("\x00", "is no plan: it is not JSON"),
    ],
)
def test_files_that_hold_no_plan(tmp_path: Path, text: str, said: str):
    """Each is wrong use, never a traceback."""
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(WrongUse, match=said):
        plan.restore(tmp_path / "plan.json")


def test_a_file_that_is_not_there(tmp_path: Path):
    """So is none at all."""
    with pytest.raises(WrongUse, match="cannot be read: No such file"):
        plan.restore(tmp_path / "plan.json")


def damaged(value: Any) -> Iterator[Any]:
    """Copies of a document, each with one value that is gone or of another type."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(inside):
        others: tuple[Any, ...] = (None, 5, "x", [], {}, [1])
        for other in others:
            yield _with(value, key, other)
        if isinstance(value, dict):
            yield {name: kept for name, kept in value.items() if name != key}
        if isinstance(item, dict | list):
            for copy in damaged(item):
                yield _with(value, key, copy)


def _with(value: Any, key: Any, item: Any) -> Any:
    copy = value.copy()
    copy[key] = item
    return copy


def test_whatever_is_damaged_is_told(tmp_path: Path, store: Store):
    """One value gone or changed anywhere: it is refused, or it can still be shown."""
    file = tmp_path / "plan.json"
    small = planned(store, [course(isbn="2"), criterion()], [course(isbn="1")])
    for copy in damaged(json.loads(json.dumps(plan.document(small, calls=True)))):
        file.write_text(json.dumps(copy))
        try:
            plan_text(plan.restore(file))
        except WrongUse:
            continue
