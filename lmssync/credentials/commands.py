"""Programs of the user that print a secret: password managers, vaults."""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import IO

from .. import secrets
from ..errors import WrongUse
from ..visible import visible

VARIABLE = "LMSSYNC_KEY_COMMANDS"
SECONDS = 60.0
"""Enough for somebody who has to unlock something."""
BYTES_MOST = 64 * 1024
_PIECE = 65_536
_COMPLAINT_MOST = 300


def is_command_allowed(command: Sequence[str], env: Mapping[str, str]) -> bool:
    """Whether the variables of the run name the very command; raises `WrongUse`."""
    try:
        lines = [shlex.split(line) for line in env.get(VARIABLE, "").splitlines()]
    except ValueError as error:
        raise WrongUse(
            f"{VARIABLE} cannot be read: {error}", "write one command per line, as for a shell"
        ) from None
    return list(command) in lines


def run_secret_command(
    command: Sequence[str], env: Mapping[str, str], root: Path, *, seconds: float = SECONDS
) -> str:
    """The one line that a command prints; raises `WrongUse`. No shell reads the command."""
    name, program = command[0], _find_program(command[0], env, root)
    code, out, error = _run_to_end([program, *command[1:]], env, seconds)
    for line in out.splitlines():
        secrets.register(line)  # the complaint may quote it
    if code != 0:
        why = _last_line(error) or f"it ended with {code}"
        raise WrongUse(f"`{name}` prints no key: {why}", f"run it yourself: {shlex.join(command)}")
    if len(out) > BYTES_MOST or len(out.splitlines()) != 1 or not out.strip():
        raise WrongUse(
            f"`{name}` prints no key: what it prints is not one line",
            f"run it yourself: {shlex.join(command)}",
        )
    return out.rstrip("\r\n")


def _find_program(name: str, env: Mapping[str, str], root: Path) -> str:
    """The program by its whole path. One in the catalog may be a stranger's."""
    found = (
        None
        if "\0" in name
        else next(filter(None, map(shutil.which, _candidate_programs(name, env))), None)
    )
    if found is None:
        raise WrongUse(
            f"there is no program `{name}`", "name one that is in PATH, or write its whole path"
        )
    if Path(found).resolve().is_relative_to(root.resolve()):
        raise WrongUse(
            f"the program `{name}` is in the catalog, which may come from a stranger",
            "keep programs that print keys outside of it",
        )
    return found


def _candidate_programs(name: str, env: Mapping[str, str]) -> Iterator[str]:
    """Each folder is asked alone: a relative one may lead into the catalog, and given a mere name,
    Windows looks where we are before all others."""
    if Path(name).is_absolute():
        yield name
    elif Path(name).name == name:
        folders = map(Path, env.get("PATH", os.defpath).split(os.pathsep))
        yield from (str(folder / name) for folder in folders if folder.is_absolute())


def _run_to_end(
    command: Sequence[str], env: Mapping[str, str], seconds: float
) -> tuple[int, str, str]:
    """The exit code and the beginnings of both outputs; ends what takes too long."""
    from concurrent.futures import ThreadPoolExecutor  # few runs ask a program

    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            cwd=Path(os.sep),
            env=dict(env),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # an argument may hold a NUL
        return 1, "", getattr(error, "strerror", None) or str(error)
    timer = Timer(seconds, _end_process_group, [process])
    timer.start()
    with process, ThreadPoolExecutor(2) as pool:
        try:
            outputs = pool.map(_read_beginning, (process.stdout, process.stderr))
            out, complaint = (text.decode("utf-8", "replace") for text in outputs)
        except BaseException:
            _end_process_group(process)
            raise
        finally:
            timer.cancel()
    late = f"it took longer than {seconds:g} s, or was ended"
    return process.returncode, out, late if process.returncode < 0 else complaint


def _read_beginning(stream: IO[bytes] | None) -> bytes:
    """What is read of an output; the rest is let go, so that its writer can go on."""
    assert stream is not None
    kept = stream.read(BYTES_MOST + 1)
    while stream.read(_PIECE):
        pass
    return kept


def _end_process_group(process: "subprocess.Popen[bytes]") -> None:
    """Ends it with all that it has started, of which something may hold the outputs open."""
    if not (hasattr(os, "killpg") and hasattr(signal, "SIGKILL")):  # Windows
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return visible(secrets.redact(lines[-1][:_COMPLAINT_MOST])) if lines else ""
