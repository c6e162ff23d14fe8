"""Somebody who applies until everything is done, and says truly what is on the platform."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.served_catalog import Platform, Workspace

DONE, UNKNOWN, LOCKED = 0, 4, 6
_ROUNDS = 5
_LISTS = {"course": "courses", "license": "licenses", "client": "clients"}
MADE = (
    *("courseGroups", "courses", "sections", "lessons", "topics"),
    *("completionCriteria", "purchasePaths", "licenses", "clients", "users"),
)
_CHANGING = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z")


class Outcome(NamedTuple):
    """What is there in the end, in words that are the same for each run."""

    platform: list[str]
    """Everything on it, without ids and times, and whether its id is recorded."""
    addresses: list[str]
    plan: list[tuple[str, str]]
    """Nothing but steps for people, where the platform has no route, and no edit by hand."""
    verified: int


def settle(work: Workspace, platform: Platform) -> None:
    """Applies, unlocks and answers until a run has nothing to ask."""
    for _ in range(_ROUNDS):
        done = work.apply()
        if done.code == DONE:
            return
        if done.code == LOCKED:
            assert 0 == work.run("state", "unlock", "--yes").code
        else:
            assert UNKNOWN == done.code, done.err + done.out
            answer_waiting(work, platform)
    raise AssertionError(f"not settled in {_ROUNDS} rounds: {done.err}{done.out}")


def answer_waiting(work: Workspace, platform: Platform) -> None:
    """Answers what waits for a person; where a look settles it, the next run does."""
    waiting = work.run("resolve", "--json").json["undecided"]
    answers = [f"{one['address']},{_found(one, platform)}\n" for one in waiting]
    work.write("answers.csv", "".join(answers))
    if answers:
        done = work.run("resolve", "--from", "answers.csv", "--unverified")
        assert 0 == done.code, "".join(answers) + done.err


def _found(one: Any, platform: Platform) -> str:
    """By its mark, else by its name: those of a test are all different."""
    kind = one["address"].partition(".")[0]
    mark = one["mark"] or {}
    for there in platform.dump(_LISTS[kind]):
        if mark["value"] in there.values() if mark else one["title"] in there.values():
            return f"adopt {there['id']}"
    return "not-created"


def outcome(work: Workspace, platform: Platform) -> Outcome:
    work.run("drift")  # which reads what nothing has needed yet
    resources = work.run("state", "list", "--json").json["resources"]
    recorded = {id_ for one in resources for id_ in _ids(one["ids"])}
    return Outcome(
        sorted(_described(platform, recorded)),
        sorted(one["address"] for one in resources),
        [
            (one["address"], "by hand" if one.get("drift") else one["action"])
            for one in work.plan("--refresh", "all")["changes"]
        ],
        work.run("state", "verify").code,
    )


def _ids(ids: Any) -> Iterator[str]:
    for value in ids.values() if isinstance(ids, dict) else [ids]:
        if isinstance(value, dict):
            yield from _ids(value)
        else:
            yield str(value)


def _described(platform: Platform, recorded: set[str]) -> Iterator[str]:
    for name in MADE:
        for there in platform.dump(name):
            known = "recorded" if there["id"] in recorded else "not recorded"
            yield f"{name}: {_CHANGING.sub('…', str(there))}: {known}"
