"""What one system has and another lacks: owners of files, modes, ways to open them, and to run
and end another program.

Windows knows neither owners by number nor modes. There, a file has the access rights of the
folder that it was made in, and a user's folders are private: nothing of that is checked here.
"""

import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import IO

HAS_OWNERS = hasattr(os, "geteuid")
_OTHERS = 0o077
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def open_flags(*names: str) -> int:
    """Flags of `os.open`, without those that the system lacks."""
    return sum(getattr(os, name, 0) for name in names)


PLAIN = open_flags("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
"""To open a file of bytes as it is: follows no link, waits for no pipe, changes no line end."""


HANG_UP = getattr(signal, "SIGHUP", None)
"""The signal that asks a service to look again; None where there is none."""


def is_ours(found: os.stat_result) -> bool:
    """Whether a file belongs to this user."""
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def others_may_open(found: os.stat_result) -> bool:
    return HAS_OWNERS and bool(found.st_mode & _OTHERS)


def others_may_write(found: os.stat_result) -> bool:
    return HAS_OWNERS and bool(found.st_mode & _OTHERS_WRITE)


def make_like(descriptor: int, like: os.stat_result) -> None:
    """Gives an open file the mode of another and, where only that keeps it theirs, the owner."""
    if sys.platform != "win32" and HAS_OWNERS:
        if os.geteuid() == 0:  # only root can give files away, and must not take them
            os.fchown(descriptor, like.st_uid, like.st_gid)
        os.fchmod(descriptor, like.st_mode & 0o7777)


def open_nameless_file() -> IO[bytes]:
    """A file that is gone when it is closed; in memory, where that is possible, since what another
    program says of a full disk could not be written there."""
    if sys.platform == "linux" and hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("lmssync"), "w+b")
    return tempfile.TemporaryFile()


@contextmanager
def start_process(
    command: Sequence[str],
    env: Mapping[str, str],
    *,
    given: int = subprocess.DEVNULL,
    error: int = subprocess.PIPE,
    folder: Path | None = None,
    seconds: float,
) -> Iterator["subprocess.Popen[bytes]"]:
    """The process, which is ended after so many seconds with all that it has started.

    It reads from `given`. Whoever needs its exit code waits for it within the block: a process that
    still runs at the end of the block is ended. Raises `OSError` and `ValueError`.
    """
    with subprocess.Popen(
        command,
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=error,
        cwd=folder,
        env=dict(env),
        # A session of its own: the whole group can be ended, and Ctrl-C in our terminal does not
        # reach it.
        start_new_session=True,
    ) as process:
        timer = Timer(seconds, _end_process_group, [process])
        timer.start()
        try:
            yield process
        except BaseException:
            _end_process_group(process)  # something that it has started may hold its outputs open
            raise
        finally:
            timer.cancel()
            if process.poll() is None:
                _end_process_group(process)


def _end_process_group(process: "subprocess.Popen[bytes]") -> None:
    """Ends a process with all that it has started."""
    if not (hasattr(os, "killpg") and hasattr(signal, "SIGKILL")):  # Windows
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def find_in_path(name: str, path: str) -> Iterator[str]:
    """Where the folders of `PATH` would have a program, each by its whole path.

    A relative folder may lead into the catalog, so it is left out. Each folder is asked alone:
    given a mere name, Windows looks where we are before all others.
    """
    folders = map(Path, path.split(os.pathsep))
    return (str(folder / name) for folder in folders if folder.is_absolute())
