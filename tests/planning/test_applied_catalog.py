"""What is said without a plan is what a plan would say."""

from collections.abc import Callable

import pytest

from lmssync.planning import applied_catalog
from tests.served_catalog import Done, Platform, Workspace

PROTECT = "lifecycle: {protect: true}\n"
MOVED = "moved: [{from: course.b}]\n"
CLIENT = "resource: client\nkey: riverside\ncloneOf: golden\nname: Riverside\n"
POLICY = """\
policy: something-happens
resource: plan
require: {calls: {min: 1}}
message: a plan does something
"""
RELEASE = "release: autumn\nabout: Autumn\nowner: team\ncommits: one..two\n"
Situation = Callable[[Workspace, Platform, pytest.MonkeyPatch], object]


@pytest.fixture(autouse=True)
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are old enough at once for what they give to be kept."""
    monkeypatch.setattr("lmssync.catalog.manifests.catalog_files.TICK", -(10**18))


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """What was found without a plan, for each run."""
    found: list[int | None] = []
    count = applied_catalog.count_as_applied

    def note(*asked: object) -> int | None:
        found.append(count(*asked))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(applied_catalog, "count_as_applied", note)
    return found


def plan_twice(work: Workspace, monkeypatch: pytest.MonkeyPatch, *options: str) -> tuple[Done, ...]:
    """What `plan` says with what the cache knows, and without it."""
    first = work.run("plan", *options)
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(work.root.with_name("empty")))
        return first, work.run("plan", *options)


def give_up_protection(work: Workspace, *_: object) -> None:
    work.course("a", PROTECT)
    work.apply()
    work.course("a")


def lose_answer(work: Workspace, platform: Platform, _: object) -> None:
    platform.fault("drop-after", "course.update")
    work.course("a", edit=("Title of", "About"))
    assert 4 == work.apply().code
    work.course("a")


def find_drift(work: Workspace, platform: Platform, _: object) -> None:
    course = next(one["id"] for one in platform.dump("courses") if one["title"] == "Title of a")
    platform.change({"courses": [{"id": course, "title": "By hand"}]})
    assert "course.a" in work.run("drift").out


def leave_steps(work: Workspace, *_: object) -> None:
    work.write("riverside.yaml", CLIENT)
    work.apply()


def damage_index(work: Workspace, *_: object) -> None:
    work.write(".lmssync/state.learners.db", "no database")


SITUATIONS: dict[str, Situation] = {
    "protected now": lambda work, *_: work.course("a", PROTECT),
    "no longer protected": give_up_protection,
    "a call without an answer": lose_answer,
    "drift": find_drift,
    "steps by hand": leave_steps,
    "an index that is none": damage_index,
    "a policy over plans": lambda work, *_: work.write("policies/plans.yaml", POLICY),
    "a release": lambda work, *_: work.write("releases/autumn.yaml", RELEASE),
    "another instance": lambda _, __, patch: patch.setenv("LMSSYNC_BASE_URL", "http://127.0.0.1:2"),
    "no key": lambda _, __, patch: patch.delenv("LMSSYNC_API_KEY"),
    "another program": lambda _, __, patch: patch.setattr(
        applied_catalog, "spell_cache_key", lambda _project: "another"
    ),
    "edited": lambda work, *_: work.course("a", edit=("Good morning", "Good evening")),
    "moved": lambda work, *_: (work.course("b"), work.apply(), work.course("a", MOVED)),
    "gone": lambda work, *_: (work.root / "a.yaml").unlink(),
    "forgotten": lambda work, *_: work.run("state", "forget", "course.a"),
    "broken": lambda work, *_: work.write("b.yaml", "resource: course\n"),
    "two of one key": lambda work, *_: work.write("b.yaml", (work.root / "a.yaml").read_text()),
}


@pytest.mark.parametrize("situation", SITUATIONS.values(), ids=SITUATIONS)
def test_what_matters_is_said_by_a_plan(
    work: Workspace,
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    numbers: list[int | None],
    situation: Situation,
):
    """What is recorded, found, protected, guarded or wrong takes a plan, or the error of one."""
    work.course("a")
    work.apply()
    situation(work, platform, monkeypatch)
    work.run("validate")  # so that the cache has all files as they are now
    known, anew = plan_twice(work, monkeypatch)
    assert known == anew
    assert [None] * len(numbers) == numbers


@pytest.mark.parametrize("options", [(), ("--offline",), ("--refresh", "none")])
def test_nothing_is_planned_where_everything_is_as_applied(
    work: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    numbers: list[int | None],
    options: tuple[str, ...],
):
    """The resources are counted without a plan, which would say no other word."""
    work.course("a", PROTECT)
    work.course("c", MOVED)  # long ago
    work.apply()
    known, anew = plan_twice(work, monkeypatch, *options)
    assert known == anew
    assert [2, None] == numbers
    assert "No changes: 2 resources are as last applied; the platform" in known.out
