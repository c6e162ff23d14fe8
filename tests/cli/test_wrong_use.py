"""Wrong use of the command line: exit 64, and an error like every other."""

import pytest

from .conftest import Run

SAID = {
    "--nonsense": "lmssync has no option `--nonsense`\n    `lmssync --help` shows how it is used",
    "vaildate": "lmssync has no command `vaildate`\n    did you mean `validate`?",
    "nonsense": "lmssync has no command `nonsense`\n    `lmssync --help` lists the commands",
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
