"""A plan is refused if its calls do not match the changes it shows, even with a right digest."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lmssync.errors import WrongUse
from lmssync.planning import plan
from lmssync.planning.plan.plan_file import find_contradiction
from lmssync.state import Store
from tests.making import course, criterion, micro, topic

from .planning import planned
from .test_file import everything, saved, sealed

Forge = Callable[[Any], Any]


def forged(tmp_path: Path, data: Any, forge: Forge) -> str:
    """The error for a plan that was altered and given a new digest."""
    forge(data)
    file = tmp_path / "plan.json"
    file.write_text(sealed(data))
    with pytest.raises(WrongUse) as caught:
        plan.restore_plan(file)
    return caught.value.message.partition(": ")[2]


def change(data: Any, address: str) -> Any:
    return next(one for one in data["changes"] if one["address"] == address)


def share(data: Any, address: str) -> Any:
    shares = (share for step in data["steps"] for share in step["shares"])
    return next(one for one in shares if one["address"] == address)


def drop(address: str) -> Forge:
    return lambda data: data["changes"].remove(change(data, address))


def calm(address: str) -> Forge:
    return lambda data: change(data, address).update(action="unchanged")


def other_title(data: Any) -> None:
    share(data, "course.new")["body"]["courseAttributes"][0]["title"] = "Forged"


def other_price(data: Any) -> None:
    share(data, "course.new")["body"]["courseAttributes"][0]["priceInCents"] = 1


def other_words(data: Any) -> None:
    change(data, "course.new")["fields"] = [{"path": "title", "before": None, "after": "Forged"}]


def fewer_calls(data: Any) -> None:
    data["steps"] = [step for step in data["steps"] if step["route"] != "criteria.update"]


def milder(address: str) -> Forge:
    return lambda data: change(data, address).update(effect="cosmetic")


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (drop("course.new"), "it calls course.create for course.new, which is not among its"),
        (calm("course.new"), "it calls course.create for course.new, but shows its action as unch"),
        (drop("course.less"), "it changes the record of course.less, which is not among its"),
        (other_title, "what it sends for course.new is not what it shows"),
        (other_price, "what it sends for course.new is not what it shows"),
        (other_words, "it shows fields of course.new that its calls do not set"),
        (fewer_calls, "it shows create criterion.new.c, but no call does that"),
        (milder("course.new"), "it shows course.new as cosmetic, but it is structural"),
        (milder("path.new.p"), "it shows path.new.p as cosmetic, but it is commerce"),
        (milder("license.staff"), "it shows license.staff as cosmetic, but it is editorial"),
        (lambda data: data["summary"].update(create=0), "what it shows does not match its"),
        (lambda data: data["calls"].update(total=1), "what it shows does not match its calls"),
        (lambda data: data.update(more="words"), "what it shows does not match its calls"),
        (lambda data: data["changes"].append(data["changes"][0]), "an address is listed twice"),
    ],
)
def test_calls_that_nobody_has_seen(tmp_path: Path, store: Store, forge: Forge, said: str):
    """Calls without a change, changes without a call and other fields in a call are refused."""
    assert forged(tmp_path, saved(store, everything(store)), forge).startswith(said)


def shown(path: str, after: Any) -> Forge:
    """Changes the value that the plan shows for a field."""

    def forge(data: Any) -> None:
        fields = change(data, "course.safety")["fields"]
        next(field for field in fields if field["path"] == path)["after"] = after

    return forge


@pytest.mark.parametrize(
    ("path", "after"),
    [
        ("title", "Other"),
        ("customFields.a.b", "3"),
        ("topics[t].body", "other"),
        ("topics[new]", None),
        ("topics.order", ["t", "u"]),
    ],
)
def test_fields_that_will_be_others(tmp_path: Path, store: Store, path: str, after: Any):
    """Each field shown must be in the form that the calls lead to."""
    old = micro("safety", topic("t"), topic("u"), title="Old", customFields={"a.b": "1"})
    parts = topic("u"), topic("t", body="new"), topic("new")
    new = micro("safety", *parts, title="New", customFields={"a.b": "2"})
    data = saved(store, planned(store, [new], [old]))
    assert f"{path} of course.safety will not be as it is shown" == (
        forged(tmp_path, data, shown(path, after))
    )


def test_what_was_planned_agrees(store: Store):
    """A plan with every action agrees with its calls."""
    assert "" == find_contradiction(everything(store))


def test_a_changed_word_alone_is_noticed(tmp_path: Path, store: Store):
    """A changed word is noticed before anything is compared: the digest does not match."""
    file = tmp_path / "plan.json"
    data = saved(store, planned(store, [course(), criterion()]))
    data["changes"][0]["reasons"] = ["harmless"]
    file.write_text(json.dumps(data))
    with pytest.raises(WrongUse, match="was altered or damaged") as caught:
        plan.restore_plan(file)
    assert "make it again with `plan --out`" == caught.value.hint
