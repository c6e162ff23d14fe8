"""What is said of what git says."""

import pytest

from lmssync.state.backends.git_branch import git_error

SSH = """
fatal: Could not read from remote repository.

Please make sure you have the correct access rights
and the repository exists.
"""


@pytest.mark.parametrize(
    ("complaint", "reason", "hint"),
    [
        (f"git@host: Permission denied (publickey).{SSH}", "Permission denied", "contents: write"),
        (f"ssh: Could not resolve hostname x{SSH}", "Could not resolve", "can be reached"),
        (f"Host key verification failed.{SSH}", "Host key", "known_hosts"),
        (SSH, "Could not read from remote", "can be reached"),
        (
            (
                "remote: Permission to o/r.git denied to a bot.\n"
                "fatal: unable to access 'https://host/r/': The requested URL returned error: 403"
            ),
            "error: 403",
            "contents: write",
        ),
        (
            "fatal: could not read Username for 'https://host': terminal prompts disabled",
            "could not read Username",
            "credential helper",
        ),
        (
            "[remote rejected] (protected branch hook declined): error: GH006: Protected branch",
            "protected branch",
            "exempt this branch",
        ),
        (
            (
                "[remote rejected] (cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists; "
                "cannot create 'refs/heads/a/b')"
            ),
            "cannot create",
            "another name",
        ),
        ("fatal: repository 'https://host/x/' not found", "not found", "check the address"),
        ("git is not installed on this machine", "not installed", "install git"),
        ("it took too long", "too long", "can be reached"),
        ("", "git gave no reason", "git says"),
    ],
)
def test_a_complaint_in_words(complaint: str, reason: str, hint: str):
    """The line that has the reason, and what to do."""
    error = git_error("git:origin#state", complaint)
    assert reason in error.message
    assert hint in error.hint


def test_a_terminal_is_not_controlled():
    """A server chooses what it says."""
    assert "\x1b" not in git_error("git:origin#state", "fatal: \x1b[2J").message
