"""Runs git, and nothing that a repository wants to have run with it.

Nothing else starts git, but for `transport`, which reaches other repositories.

A repository can name programs in its settings: monitors, hooks, pagers, filters, ways to reach
others. A catalog may be a stranger's, so none of them is run. What can be switched off is switched
off; the rest is only used by commands that compare or fetch, and those are not for here.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import NamedTuple

_NAME = "git.exe" if os.name == "nt" else "git"
_SECONDS = 30
_BYTES_MOST = 64 * 1024 * 1024
_COMPLAINT_MOST = 4096
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


class CompletedCommand(NamedTuple):
    """How a command ended; what it printed, a name that is no UTF-8 by its bytes."""

    code: int
    out: str
    error: str

    @property
    def complaint(self) -> str:
        """The last thing it said, fit for a terminal."""
        lines = [line for line in self.error.splitlines() if line.strip()] or ["it gave no reason"]
        return printable(lines[-1])


def printable(text: str) -> str:
    """A line that git said, fit for a terminal: others may have chosen parts of it."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def run(repository: Path, *arguments: str, given: str = "") -> CompletedCommand:
    """Runs a git command in the folder that holds `.git`; `given` is what it reads."""
    git = program()
    if git is None:
        return CompletedCommand(127, "", "git is not installed on this machine")
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    command = [git, "--no-pager", *settings, "-C", str(repository), *arguments]
    with tempfile.TemporaryFile() as file:
        file.write(os.fsencode(given))
        file.seek(0)
        with start_process(command, file.fileno(), _environment(repository)) as process:
            return _end_process(process)


def program() -> str | None:
    """Git by its whole path: a relative folder of PATH may lead into the catalog.

    Each folder is asked alone: given a mere name, Windows looks where we are before all others.
    """
    folders = map(Path, os.environ.get("PATH", os.defpath).split(os.pathsep))
    whole = (str(folder / _NAME) for folder in folders if folder.is_absolute())
    return next(filter(None, map(shutil.which, whole)), None)


def _environment(repository: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | _VARIABLES | {"GIT_CEILING_DIRECTORIES": str(repository.parent)}


@contextmanager
def start_process(
    command: list[str],
    given: int,
    env: Mapping[str, str],
    *,
    error: int = subprocess.PIPE,
    seconds: float = _SECONDS,
) -> Iterator["subprocess.Popen[bytes]"]:
    """The process, for at most some seconds; whatever it has started ends with it."""
    with subprocess.Popen(
        command,
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=error,
        env=env,
        start_new_session=True,
    ) as process:
        timer = Timer(seconds, _end, [process])
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        if not (hasattr(os, "killpg") and hasattr(signal, "SIGKILL")):  # Windows
            process.kill()
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _end_process(process: "subprocess.Popen[bytes]") -> CompletedCommand:
    assert process.stdout is not None
    assert process.stderr is not None
    out = process.stdout.read(_BYTES_MOST + 1)
    if len(out) > _BYTES_MOST:
        return CompletedCommand(1, "", "it printed more than can be read")
    error = process.stderr.read(_COMPLAINT_MOST)
    process.stderr.close()
    code = process.wait()
    return CompletedCommand(
        code, os.fsdecode(out), "it took too long" if code < 0 else os.fsdecode(error)
    )
