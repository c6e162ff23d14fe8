"""Runs git in a repository of our own, where it may reach others.

What git starts on the way, ssh and credential helpers, is what the person has set up in their own
settings and environment. The repository of the catalog has no say in it: git runs in another one,
which has no settings but ours, and takes from the catalog's only what is named in `remotes`.
Nothing here can ask a question: there is no terminal.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from . import command as git_command

_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.askPass=",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
    "maintenance.auto=false",
    "push.followTags=false",
    "push.gpgSign=false",
    "push.pushOption=",
    "push.recurseSubmodules=no",
)
"""What a person sets for their own pushes, and what would go on after git has ended."""
_VARIABLES = {
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_OF_THE_PERSON = (
    "GIT_ASKPASS",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_KEY_",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_VALUE_",
    "GIT_HTTP_",
    "GIT_PROXY_",
    "GIT_SSH",
    "GIT_SSL_",
)
"""Other variables of git name a repository, or write logs in which secrets may stand."""
_COMPLAINT_MOST = 64 * 1024
TOO_LONG = "it took too long"
Settings = Sequence[tuple[str, str]]
"""Settings for one command, which nobody sees in a list of processes."""


class GitAnswer(NamedTuple):
    """How a command ended."""

    code: int
    out: bytes
    error: str

    @property
    def too_long(self) -> bool:
        return self.error == TOO_LONG


def run_git(
    repository: Path,
    *arguments: str,
    given: bytes = b"",
    settings: Settings = (),
    seconds: float = 60,
) -> GitAnswer:
    """Runs a git command in a bare repository that this user alone has written.

    `given` is what it reads. It is ended after so many seconds.
    """
    git = git_command.program()
    if git is None:
        return GitAnswer(127, b"", "git is not installed on this machine")
    fixed = [word for setting in _SETTINGS for word in ("-c", setting)]
    command = [git, "--no-pager", *fixed, f"--git-dir={repository}", *arguments]
    with tempfile.TemporaryFile() as file, tempfile.TemporaryFile() as complaints:
        file.write(given)
        file.seek(0)
        with git_command.start_process(
            command,
            file.fileno(),
            environment(os.environ, settings),
            error=complaints.fileno(),
            seconds=seconds,
        ) as process:
            out, _ = process.communicate()
        if process.returncode < 0:
            return GitAnswer(process.returncode, out, TOO_LONG)
        complaints.seek(0)
        return GitAnswer(process.returncode, out, os.fsdecode(complaints.read(_COMPLAINT_MOST)))


def environment(given: Mapping[str, str], settings: Settings) -> dict[str, str]:
    """The variables of a command: the person's own, without keys of the platform."""
    kept = {name: value for name, value in given.items() if _is_kept(name)}
    return kept | _VARIABLES | dict(_set(kept, settings))


def _is_kept(name: str) -> bool:
    return not name.startswith(("GIT_", "LMSSYNC_")) or name.startswith(_OF_THE_PERSON)


def _set(kept: Mapping[str, str], settings: Settings) -> Iterator[tuple[str, str]]:
    """Further settings, behind those that the environment has already (git 2.31 or later)."""
    number = kept.get("GIT_CONFIG_COUNT", "")
    first = int(number) if number.isdecimal() else 0
    yield "GIT_CONFIG_COUNT", str(first + len(settings))
    for at, (key, value) in enumerate(settings, first):
        yield f"GIT_CONFIG_KEY_{at}", key
        yield f"GIT_CONFIG_VALUE_{at}", value
