"""Runs other programs for a limited time."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer


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
