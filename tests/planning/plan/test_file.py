"""A plan is saved to a file and restored."""

import hashlib
import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from lmssync.errors import WrongUse
from lmssync.planning import plan
from lmssync.planning.plan import Plan
from lmssync.planning.plan.plan_document import digest_document, spell_saved_plan
from lmssync.report.changes.plan_text import plan_text
from lmssync.state import Store
from tests.making import course, criterion, license_, path

from .planning import document, numbered, planned


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
            course("gone", title="Gone"),
        ],
    )


def test_a_saved_plan_comes_back_as_it_was(tmp_path: Path, store: Store):
    """A saved plan is restored with every call and every word."""
    made = everything(store)
    plan.save_plan(made, tmp_path / "plan.json")
    again = plan.restore_plan(tmp_path / "plan.json")
    assert document(made, calls=True) == document(again, calls=True)
    assert [step.body() for step in made.steps] == [step.body() for step in again.steps]
    assert (made.releases, plan.plan_digest(made)) == (again.releases, plan.plan_digest(again))
    assert plan_text(made) == plan_text(again)


def test_nothing_else_is_left_beside_it(tmp_path: Path, store: Store):
    """The temporary file that is written first does not stay."""
    folder = tmp_path / "plans"
    folder.mkdir()
    plan.save_plan(everything(store), folder / "plan.json")
    assert ["plan.json"] == [file.name for file in folder.iterdir()]


def test_a_plan_replaces_an_older_one(tmp_path: Path, store: Store):
    """A saved plan replaces an older file."""
    (tmp_path / "plan.json").write_text("old")
    plan.save_plan(planned(store, [course()]), tmp_path / "plan.json")
    assert plan.restore_plan(tmp_path / "plan.json").steps


@pytest.mark.parametrize("indent", [None, 1, 2, 4])
def test_a_plan_that_was_laid_out_anew(tmp_path: Path, store: Store, indent: int | None):
    """A saved plan is the same one if another program has laid it out anew."""
    file = tmp_path / "plan.json"
    made = everything(store)
    plan.save_plan(made, file)
    file.write_text(json.dumps(json.loads(file.read_text()), indent=indent))
    assert plan.plan_digest(made) == plan.plan_digest(plan.restore_plan(file))


def test_lists_of_something_inside_are_none_of_the_plan(tmp_path: Path, store: Store):
    """Lists that are inside something else are not read as the changes and steps of a plan."""
    file = tmp_path / "plan.json"
    plan.save_plan(everything(store), file)
    head, *rest = file.read_text().split("\n")
    file.write_text("\n".join([head, '  "inside": {', *rest[:-2], "}}"]))
    assert {"inside"} == json.loads(file.read_text()).keys()
    with pytest.raises(WrongUse, match="is not a saved plan"):
        plan.restore_plan(file)


def test_a_folder_that_is_not_there(tmp_path: Path, store: Store):
    """A missing folder is reported as wrong use."""
    with pytest.raises(WrongUse, match="cannot be written to"):
        plan.save_plan(planned(store, []), tmp_path / "nowhere" / "plan.json")


def test_the_digest_names_the_plan(store: Store):
    """The same catalog gives the same digest, and another catalog another one."""
    one, same, other = planned(store, numbered(1)), planned(store, numbered(1)), planned(store, [])
    assert plan.plan_digest(one) == plan.plan_digest(same) != plan.plan_digest(other)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a plan: it is not JSON"),
        ("[]", "is not a saved plan of this lmssync"),
        ("{}", "is not a saved plan of this lmssync"),
        ('{"format": "lmssync.plan/2", "steps": []}', "is not a saved plan of this lmssync"),
        ('{"format": "lmssync.plan/1"}', "is not a saved plan of this lmssync"),
        ('{"format": "lmssync.plan/1", "steps": []}', "has no digest"),
        ('{"format": "lmssync.plan/1", "steps": [], "digest": "x"}', "was altered or damaged"),
        ('{"format": "lmssync.plan/1", "steps": [], "digest": 5}', "was altered or damaged"),
        ("\x00", "is not a plan: it is not JSON"),
        (
            f'{{"format": "lmssync.plan/1", "digest": 1, "steps": {"[" * 300 + "]" * 300}}}',
            "damaged",
        ),
    ],
)
def test_files_that_hold_no_plan(tmp_path: Path, text: str, said: str):
    """A file that holds no plan is reported as wrong use, without a traceback."""
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(WrongUse, match=said):
        plan.restore_plan(tmp_path / "plan.json")


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "."])
def test_what_is_no_file(tmp_path: Path, name: str):
    """A device, a pipe or a folder is refused without waiting for its end."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WrongUse, match=r"the plan .* cannot be read: (it is a|Is a dir)"):
        plan.restore_plan(tmp_path / name)


def test_a_file_that_is_not_there(tmp_path: Path):
    """A missing file is reported as wrong use."""
    with pytest.raises(WrongUse, match="cannot be read: No such file"):
        plan.restore_plan(tmp_path / "plan.json")


SMALL = [course(isbn="2"), criterion()], [course(isbn="1")]


def saved(store: Store, made: Plan | None = None) -> Any:
    """The document of a saved plan."""
    return json.loads(b"".join(spell_saved_plan(made or planned(store, *SMALL))))


def test_a_saved_plan_is_what_show_prints(store: Store):
    """A saved plan is what `show` prints, without the fields of creates, which its calls hold."""
    made = everything(store)
    shown = document(made, calls=True)
    for change in shown["changes"]:
        change["fields"] = [] if change["action"] == "create" else change["fields"]
    assert shown == saved(store, made)


def test_the_fields_of_what_is_new(store: Store):
    """The fields of a create are all values after its last call, and none before it."""
    (change,) = document(planned(store, [criterion()], [course()]))["changes"][1:]
    fields = {field["path"]: (field["before"], field["after"]) for field in change["fields"]}
    assert {"course", "percent", "type"} == fields.keys()
    assert (None, 80) == fields["percent"]


def test_the_digest_can_be_worked_out_by_anybody(store: Store):
    """The digest is SHA-256 of the document without it: keys sorted, no blanks, UTF-8."""
    data = saved(store, everything(store))
    stated = data.pop("digest")
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert stated == hashlib.sha256(text.encode()).hexdigest()


def sealed(data: Any) -> str:
    """A document with a matching digest, as a forger would make it."""
    data = {key: value for key, value in data.items() if key != "digest"}
    return json.dumps(data | {"digest": digest_document(data)})


def damaged(value: Any) -> Iterator[Any]:
    """Copies of a document, each with one value changed or removed."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(inside):
        others: tuple[Any, ...] = (None, 5, -1, "x", "", True, [], {}, [1], {"a": 1})
        for other in others:
            if other != item:
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


def refused(file: Path, text: str) -> bool:
    """True if the file is refused with a message; false if it is a plan; else the test fails."""
    file.write_text(text)
    try:
        plan_text(plan.restore_plan(file), full=True)
    except WrongUse:
        return True
    return False


def test_whatever_is_altered_is_refused(tmp_path: Path, store: Store):
    """A plan with one value changed or removed is refused."""
    file = tmp_path / "plan.json"
    copies = islice(damaged(saved(store)), 0, None, 7)
    assert [] == [copy for copy in copies if not refused(file, json.dumps(copy))]


each_value = pytest.mark.parametrize(
    "step",
    [pytest.param(7, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.exhaustive)],
)
"""One in so many values of a plan with every action."""


@each_value
def test_whatever_is_altered_is_refused_everywhere(tmp_path: Path, store: Store, step: int):
    """The same holds for the values of a plan with every action."""
    file = tmp_path / "plan.json"
    copies = islice(damaged(saved(store, everything(store))), 0, None, step)
    assert [] == [copy for copy in copies if not refused(file, json.dumps(copy))]


def test_a_forged_plan_is_shown_as_it_is_or_refused(tmp_path: Path, store: Store):
    """A forged plan with a matching digest is refused, or shows exactly what it sends."""
    file = tmp_path / "plan.json"
    data = saved(store)
    for copy in islice(damaged(data), 0, None, 7):
        if not refused(file, sealed(copy)):
            assert copy["steps"] == _steps_of(plan.restore_plan(file))


@each_value
def test_a_forged_plan_is_shown_as_it_is_or_refused_everywhere(
    tmp_path: Path, store: Store, step: int
):
    """The same holds for the values of a plan with every action."""
    file = tmp_path / "plan.json"
    for copy in islice(damaged(saved(store, everything(store))), 0, None, step):
        if not refused(file, sealed(copy)):
            assert copy["steps"] == _steps_of(plan.restore_plan(file))


def _steps_of(made: Plan) -> Any:
    return document(made, calls=True)["steps"]
