"""Runs git: in the repository of a catalog, and in one of our own that reaches others.

A repository can name programs in its settings: monitors, hooks, pagers, filters, ways to reach
others. A catalog may be a stranger's, so `run_in_repository` runs none of them. What can be
switched off is switched off; the rest is only used by commands that compare or fetch, and those are
not for here.

`run_git` may reach others. What git starts on the way, ssh and credential helpers, is what the
person has set up in their own settings and environment. The repository of the catalog has no say in
it: git runs in another one, which has no settings but ours, and takes from the catalog's only what
`Remote` names. Nothing here can ask a question: there is no terminal.
"""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from .operating_system import find_in_path, open_nameless_file, start_process

_NAME = "git.exe" if os.name == "nt" else "git"
_SECONDS = 30
_BYTES_MOST = 64 * 1024 * 1024
_COMPLAINT_MOST = 64 * 1024
TOO_LONG = "it took too long"
_SETTINGS = (
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.sshCommand=false",
    "core.askPass=",
    "credential.helper=",
    "protocol.allow=never",
)
"""They go before those of the repository."""
_KEPT = ("HOME", "PATH", "TMPDIR", "XDG_CONFIG_HOME", "SYSTEMROOT", "TEMP", "USERPROFILE")
"""Variables that git needs, the last three on Windows. It gets no other: no secret, and no GIT_*
that names a repository."""
_VARIABLES = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


NONE: Mapping[str, str] = MappingProxyType({})


class GitAnswer(NamedTuple):
    """How a command of git ended."""

    code: int
    out: bytes
    error: str

    @property
    def text(self) -> str:
        """The output as text; a name that is no UTF-8 by its bytes."""
        return os.fsdecode(self.out)

    @property
    def complaint(self) -> str:
        """The last thing that git said, fit for a terminal."""
        lines = [line for line in self.error.splitlines() if line.strip()] or ["it gave no reason"]
        return replace_unprintable(lines[-1])

    @property
    def too_long(self) -> bool:
        return self.error == TOO_LONG


def replace_unprintable(text: str) -> str:
    """A line that git said, fit for a terminal: others may have chosen parts of it."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def run_in_repository(
    repository: Path, *arguments: str, given: str = "", variables: Mapping[str, str] = NONE
) -> GitAnswer:
    """Runs a git command in the folder with `.git`; `given` is what it reads, and `variables` say
    more to it than it gets anyway."""
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    words = ["--no-pager", *settings, "-C", str(repository), *arguments]
    env = {**_environment(repository), **variables}
    return _run_command(words, env, os.fsencode(given), seconds=_SECONDS, most=_BYTES_MOST)


def _run_command(
    words: Sequence[str],
    env: Mapping[str, str],
    given: bytes,
    *,
    seconds: float,
    most: int | None = None,
) -> GitAnswer:
    """Runs git, which reads `given` and may print `most` bytes; it is ended after so long."""
    git = find_git()
    if git is None:
        return GitAnswer(127, b"", "git is not installed on this machine")
    # Files for what it reads and complains: a pipe that nobody empties would stop it for ever.
    with open_nameless_file() as file, open_nameless_file() as complaints:
        file.write(given)
        file.seek(0)
        with start_process(
            [git, *words], env, given=file.fileno(), error=complaints.fileno(), seconds=seconds
        ) as process:
            assert process.stdout is not None
            out = process.stdout.read(-1 if most is None else most + 1)
            if most is not None and len(out) > most:
                return GitAnswer(1, b"", "it printed more than can be read")
            code = process.wait()
        complaints.seek(0)
        error = os.fsdecode(complaints.read(_COMPLAINT_MOST))
    return GitAnswer(code, out, TOO_LONG if code < 0 else error)


def find_git() -> str | None:
    """Git by its whole path."""
    whole = find_in_path(_NAME, os.environ.get("PATH", os.defpath))
    return next(filter(None, map(shutil.which, whole)), None)


def _environment(repository: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | _VARIABLES | {"GIT_CEILING_DIRECTORIES": str(repository.parent)}


_TRANSPORT_SETTINGS = (
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
"""They switch off settings of a person for their own pushes, and processes that outlive git."""
_TRANSPORT_VARIABLES = {
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
"""Other variables of git name a repository, or write logs that may contain secrets."""
GitSettings = Sequence[tuple[str, str]]
"""Settings for one command, which nobody sees in a list of processes."""


def run_git(
    repository: Path,
    *arguments: str,
    given: bytes = b"",
    settings: GitSettings = (),
    seconds: float = 60,
) -> GitAnswer:
    """Runs a git command in a bare repository that this user alone has written.

    `given` is what it reads. It is ended after so many seconds.
    """
    fixed = [word for setting in _TRANSPORT_SETTINGS for word in ("-c", setting)]
    words = ["--no-pager", *fixed, f"--git-dir={repository}", *arguments]
    return _run_command(words, transport_environment(os.environ, settings), given, seconds=seconds)


def transport_environment(given: Mapping[str, str], settings: GitSettings) -> dict[str, str]:
    """The variables of a command: the person's own, without keys of the platform."""
    kept = {
        name: value
        for name, value in given.items()
        if not name.startswith(("GIT_", "LMSSYNC_")) or name.startswith(_OF_THE_PERSON)
    }
    return kept | _TRANSPORT_VARIABLES | dict(_setting_variables(kept, settings))


def _setting_variables(kept: Mapping[str, str], settings: GitSettings) -> Iterator[tuple[str, str]]:
    """Further settings, behind those that the environment has already (git 2.31 or later)."""
    number = kept.get("GIT_CONFIG_COUNT", "")
    first = int(number) if number.isdecimal() else 0
    yield "GIT_CONFIG_COUNT", str(first + len(settings))
    for at, (key, value) in enumerate(settings, first):
        yield f"GIT_CONFIG_KEY_{at}", key
        yield f"GIT_CONFIG_VALUE_{at}", value
