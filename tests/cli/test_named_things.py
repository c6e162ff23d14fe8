"""What the command line names and is not there, or contradicts itself: one rule in all commands."""

import pytest

from tests.served_catalog import Platform, Workspace

USAGE = 64
NOBODY = "7d1c0000-0000-4000-8000-000000000999"
NOT_THERE = (
    f"adopt course.a={NOBODY}",
    f"get courses {NOBODY}",
    f"get jobs {NOBODY}",
    f"get paths {NOBODY}",
    f"get users {NOBODY}",
    f"import {NOBODY}",
    f"jobs watch {NOBODY}",
    "adopt course.a=a",
    "apply --yes --target course.b",
    "drift course.b",
    "explain nope",
    "get courses course.b",
    "get jobs a",
    "get nope",
    "get tags --columns nope",
    "jobs watch a",
    "outline course.b",
    "plan --target course.b",
    "pull course.b",
    "show course.b",
    "state forget course.b",
    "state history course.b",
    "state show course.b",
)
SINCE = (
    "attempts forgive --course course.a",
    "events export",
    "events pull",
    "events tail",
    "state history",
)


def test_what_is_named_and_not_there_is_a_wrong_command_line(
    work: Workspace, instance: Platform
) -> None:
    """By catalog, state or platform; what is not there is named, and nothing else is done."""
    work.course("a")
    work.apply()
    done = {words: work.run(*words.split()) for words in NOT_THERE}

    assert {} == {words: one.code for words, one in done.items() if one.code != USAGE}
    assert [] == [words for words, one in done.items() if not one.err]


@pytest.mark.parametrize("command", ["drift", "get tags", "plan", "show course.a", "validate"])
def test_two_formats_contradict_each_other(work: Workspace, command: str) -> None:
    """`--json` is short for one of them; given twice, it is the same."""
    work.course("a")
    first, *rest = command.split()
    other = "csv" if first == "get" else "text"

    both = [
        work.run(first, *rest, *more)
        for more in (["--json", "--format", other], ["--format", other, "--json"])
    ]

    said = f"error: --json and --format {other} contradict each other\n"
    assert [(USAGE, True)] * 2 == [(one.code, one.err.startswith(said)) for one in both]


def test_json_twice_is_json(work: Workspace) -> None:
    assert [] == work.run("validate", "--json", "--format", "json").json["problems"]


@pytest.mark.parametrize("command", SINCE)
def test_a_time_is_written_in_the_same_ways(work: Workspace, command: str) -> None:
    """What is no time, or to come, is refused before anything is asked."""
    done = [work.run(*command.split(), "--since", text) for text in ("2999-01-01", "soon")]

    assert [USAGE, USAGE] == [one.code for one in done]
    assert done[0].err.startswith("error: --since: `2999-01-01` is in the future\n")
    assert done[1].err.startswith("error: --since: `soon` is not a time\n")


def test_history_takes_how_long_ago(work: Workspace, platform: Platform) -> None:
    """As the events do."""
    work.course("a")
    work.apply()
    assert work.run("state", "history", "--since", "1h", "--json").json["entries"]


def test_a_field_of_an_empty_list_is_no_mistake(work: Workspace, platform: Platform) -> None:
    """Nobody can tell whether it is misspelt: it is said that nothing has it."""
    done = work.run("get", "tags", "--columns", "nope", "--filter", "label=nothing-like-it")
    assert (0, True) == (done.code, "nothing that was listed has the field `nope`" in done.err)
