"""Commands that need no platform, and what they say when one would be needed."""

import json
from pathlib import Path
from typing import Any

import pytest

from lmssync.cli.command_help import DocumentedCommand
from lmssync.cli.main import COMMANDS, LazyGroup, cli
from tests import making

from .conftest import Run, every_command

GOOD = "resource: course\nkey: a\nkind: video\ntitle: A\nvideoUrl: https://x\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A catalog of one course."""
    return making.write(tmp_path, a=GOOD)


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """An API key for a platform that is not running."""
    monkeypatch.setenv("LMSSYNC_API_KEY", "key")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, run: Run):
    """The help of every command begins with its usage."""
    code, out, err = run(name, "--help")
    assert (0, "") == (code, err)
    assert out.startswith("Usage: ")


@pytest.mark.parametrize(("name", "command"), every_command())
def test_every_help_ends_with_examples_and_exit_codes(
    name: str, command: DocumentedCommand, run: Run
):
    """Each help ends with examples and exit codes; a group without a run says where they are."""
    end = run(*name.split(), "--help").out.partition("\n  Examples:\n")[2]
    assert all(line in end for line, _ in command.examples)
    codes = "Exit codes:\n    0    done, or nothing to do\n"
    assert (codes if command.own_exits else "shows its options and exit codes") in end


def test_a_help_words_its_exit_codes(run: Run):
    """The help of a command says what a code means there; what all share is said once."""
    end = run("fmt", "--help").out.partition("Exit codes:\n")[2]
    assert "    2    with --check: a file is not in order\n" in end
    assert "    1, 64, 70, 130: see `lmssync --help`\n" in end


@pytest.mark.parametrize("columns", ["40", "80", "120"])
def test_no_line_of_a_help_is_wider_than_a_terminal(
    columns: str, run: Run, monkeypatch: pytest.MonkeyPatch
):
    """No line of a help is wider than 80 columns, whatever the width of the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    wide = [
        line
        for name, _ in every_command()
        for line in run(*name.split(), "--help").out.splitlines()
    ]
    assert 80 >= max(map(len, wide))


def test_a_group_cuts_no_sentence(run: Run):
    """The help of a group shows the whole first sentence of each command."""
    assert "open manual steps, and calls that wait." in " ".join(run("state", "--help").out.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_of_commands_is_true(name: str):
    """Each line of the table leads to a command of that name."""
    assert isinstance(cli, LazyGroup)
    command = cli.commands.get(name) or cli.get_command(Any, name)  # type: ignore[arg-type]
    assert command
    assert name == command.name


def test_the_help_lists_every_command(run: Run):
    """The help of the program lists every command of the table."""
    out = run("--help").out
    assert all(f"  {name} " in out for name in COMMANDS)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        (None, "there are: course"),
        ("curse", "did you mean `course`?"),
        ("zzz", "there are: course"),
    ],
)
def test_schemas_have_names(name: str | None, hint: str, run: Run):
    """For an unknown name, `schema` exits with 64 and lists the names or suggests one."""
    code, out, err = run("schema", *([name] if name else []))
    assert (64, "") == (code, out)
    assert hint in err


def test_a_schema_is_printed(run: Run):
    """`schema NAME` prints the schema as it stands in its file."""
    code, out, _ = run("schema", "course")
    assert (0, "course") == (code, json.loads(out)["title"])


def test_a_plan_needs_the_key(root: Path, run: Run):
    """A plan without the key exits with 64, and says which variable to set and where keys are."""
    code, out, err = run("plan", "-C", root)
    assert (64, "") == (code, out)
    assert "the environment variable LMSSYNC_API_KEY is not set" in err
    assert "`lmssync sandbox serve` prints the key of a sandbox" in err


@pytest.mark.usefixtures("key")
def test_a_plan_without_a_platform(root: Path, run: Run):
    """A plan without a platform exits with 8 and the address that cannot be reached."""
    code, out, err = run("plan", "-C", root)
    assert (8, "") == (code, out)
    assert "error: the platform at http://127.0.0.1:1 cannot be reached" in err


@pytest.mark.usefixtures("key")
def test_a_plan_of_nothing_needs_no_platform(tmp_path: Path, run: Run):
    """A plan of an empty catalog does not ask the platform."""
    code, out, _ = run("plan", "--detailed-exitcode", "-C", making.write(tmp_path))
    told = "No changes; the platform was not asked.\n"
    assert (0, told) == (code, out)


@pytest.mark.usefixtures("key")
def test_a_plan_of_an_invalid_catalog(root: Path, run: Run):
    """A plan of an invalid catalog exits with 3 and shows the problems on stderr only."""
    making.put(root, "b.yaml", "resource: x\n")
    code, out, err = run("plan", "-C", root)
    assert (3, "") == (code, out)
    assert "b.yaml:1:1: error[unknown-resource]" in err


@pytest.mark.usefixtures("key")
def test_apply_without_anybody_to_ask(root: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    """Without a terminal, `apply` exits with 64: a pipeline needs --yes or a saved plan."""
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    code, _, err = run("apply", "-C", root)
    assert 64 == code
    assert "needs a terminal to ask" in err


@pytest.mark.parametrize("command", ["show", "apply"])
def test_a_file_that_is_no_plan(command: str, root: Path, run: Run):
    """A file that is not a plan is refused with exit code 64."""
    making.put(root, "plan.json", "{}")
    code, out, err = run(command, root / "plan.json")
    assert (64, "") == (code, out)
    assert "is not a saved plan of this lmssync" in err


def test_an_empty_state(root: Path, run: Run):
    """`state list` shows an empty state as text and as JSON."""
    assert "0 resources recorded.\n" == run("state", "list", "-C", root).out
    document = json.loads(run("state", "list", "--json", "-C", root).out)
    assert ("lmssync.state/1", []) == (document["format"], document["resources"])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        *((name, "nothing is recorded for course.a") for name in ("show", "list", "history")),
        *((name, "there is no state in") for name in ("forget", "rm")),
    ],
)
def test_something_that_is_not_recorded(command: str, said: str, root: Path, run: Run):
    """For an address without a record, `state` commands exit with 64 and say what is missing."""
    code, _, err = run("state", command, "course.a", "-C", root)
    assert 64 == code
    assert said in err


@pytest.mark.parametrize("options", [[], ["--done", "--not-created"], ["--adopt", "x", "--done"]])
def test_resolve_wants_one_answer(options: list[str], root: Path, run: Run):
    """`resolve` wants exactly one of its answers."""
    code, _, err = run("resolve", "course.a", *options, "-C", root)
    assert 64 == code
    assert "give one of --adopt ID, --not-created, --done" in err


@pytest.mark.usefixtures("key")
@pytest.mark.parametrize("options", [["--not-created"], ["--adopt", making.UUID], ["--done"]])
def test_resolve_where_nothing_waits(options: list[str], root: Path, run: Run):
    """`resolve` exits with 64 if there is nothing to decide."""
    assert 64 == run("resolve", "course.a", *options, "-C", root).code


@pytest.mark.parametrize("text", ["course", "a", "", "course.", ".a", "nonsense.a"])
@pytest.mark.parametrize("command", [["state", "show"], ["state", "forget"], ["resolve", "--done"]])
def test_what_is_no_address(text: str, command: list[str], root: Path, run: Run):
    """A text that is not an address is wrong use and causes no traceback."""
    assert 64 == run(*command, text, "-C", root).code


def test_an_unknown_environment(root: Path, run: Run):
    """An unknown environment gets a suggestion."""
    code, _, err = run("state", "list", "-e", "sandbx", "-C", root)
    assert 64 == code
    assert "did you mean `sandbox`?" in err


SAID = {
    "--nonsense": "lmssync has no option `--nonsense`\n    `lmssync --help` shows how it is used",
    "vaildate": "lmssync has no command `vaildate`\n    did you mean `validate`?",
    "xyzzy": "lmssync has no command `xyzzy`\n    `lmssync --help` lists the commands",
    "state lst": "lmssync state has no command `lst`\n    did you mean `list`?",
    "sandbox sreve": "lmssync sandbox has no command `sreve`\n    did you mean `serve`?",
    "plan --jsn": "lmssync plan has no option `--jsn`\n    did you mean `--json`?",
    "show": "lmssync show needs FILE|ADDRESS\n    for example: lmssync show release.plan.json",
    "new course": "lmssync new needs KEY\n    for example: lmssync new course fire-safety",
    "plan extra": "lmssync plan: got unexpected extra argument (extra)\n"
    "    `lmssync plan --help` shows how it is used",
    "plan -e": "option '-e' requires an argument",
    "sandbox serve --port x": "--port: 'x' is not a valid integer range\n"
    "    `lmssync sandbox serve --help` shows how it is used",
}


@pytest.mark.parametrize("line", SAID)
def test_wrong_use(line: str, run: Run):
    """Wrong use shows what is wrong with a suggestion on stderr, and nothing on stdout."""
    assert (64, "", f"error: {SAID[line]}\n") == run(*line.split())


@pytest.mark.parametrize("group", ["", "state", "sandbox"])
def test_a_group_alone_shows_its_help(group: str, run: Run):
    """A group without a command shows its help."""
    code, _, err = run(*group.split())
    assert 64 == code
    assert err.startswith(f"Usage: lmssync {group}".rstrip())


HOLDS = {
    "import": "each line has the slug or an id",
    "adopt": "each line has an address and an id: `course.safety-101,ID`",
    "resolve": "each line has an address and an answer",
}


@pytest.mark.parametrize("command", HOLDS)
@pytest.mark.parametrize(
    ("text", "why"), [("", "is empty"), ("id,why\n# later\n\n", "has nothing but headings")]
)
def test_a_file_without_a_line_says_what_one_holds(
    tmp_path: Path, run: Run, command: str, text: str, why: str
):
    """It is the file that is empty; nobody looks for a missing option."""
    file = tmp_path / "list.csv"
    file.write_text(text, "utf-8")

    code, _, err = run(command, "--from", file, "-C", making.write(tmp_path))

    assert 64 == code
    assert f"{file} {why}" in err
    assert HOLDS[command] in err
