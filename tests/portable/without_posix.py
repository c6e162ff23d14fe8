"""The command line on a system that has nothing of what Windows lacks.

As a program, `without_posix.py ARGS` is `lmssync ARGS`, and `without_posix.py -c CODE` runs code.
What is taken away here is also taken from every Python that is started.
"""

import asyncio  # noqa: F401 - the standard library may use what we may not: it is loaded before
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile  # noqa: F401
from contextlib import suppress
from pathlib import Path

with suppress(ImportError):  # a Python that was started without packages has no use for it
    import filelock  # noqa: F401 - what stands for `fcntl` here, and has another way on Windows

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog")
NAMES = {
    os: (
        *("O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_CLOEXEC", "O_SYNC", "geteuid", "getuid"),
        *(
            "getegid",
            "getgid",
            "chown",
            "fchown",
            "lchown",
            "fchmod",
            "killpg",
            "getpgid",
            "mkfifo",
        ),
        *("fork", "setsid", "uname", "sched_getaffinity", "nice", "wait3", "wait4"),
    ),
    signal: (
        *("SIGKILL", "SIGHUP", "SIGPROF", "SIGXCPU", "SIGXFSZ", "SIGALRM", "SIGCHLD", "SIGUSR1"),
        *("setitimer", "getitimer", "alarm", "pthread_kill", "pthread_sigmask", "sigwait"),
    ),
}
IN_FOLDER = ("open", "stat", "mkdir", "rmdir", "access", "readlink", "chmod", "utime", "symlink")
BEFORE = "import runpy; runpy.run_path({file!r})['take_away'](); "


def take_away() -> None:
    """Everything that only POSIX has; and what is open cannot be deleted or replaced."""
    _in_children()
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment] # so the import system spells "none"
    for module, names in NAMES.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    os.supports_dir_fd.clear()
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    for name in IN_FOLDER:
        setattr(os, name, _by_path(getattr(os, name)))
    for name in ("unlink", "remove", "replace", "rename"):
        setattr(os, name, _of_closed(_by_path(getattr(os, name))))


def _by_path(function):
    def called(*args, **options):
        if any(options.get(name) is not None for name in ("dir_fd", "src_dir_fd", "dst_dir_fd")):
            raise NotImplementedError("dir_fd unavailable on this platform")
        return function(*args, **options)

    return called


def _of_closed(function):
    """Windows neither deletes nor replaces a file that somebody has open."""

    def called(*paths, **options):
        ours = {number.resolve() for number in Path("/proc/self/fd").iterdir()}
        for path in map(Path, paths):
            if not path.is_symlink() and path.resolve() in ours:
                raise PermissionError(13, "it is open", str(path))
        return function(*paths, **options)

    return called


def _in_children() -> None:
    """Takes it from children as well, and lets them be killed all the same."""
    begin, kill = subprocess.Popen.__init__, signal.SIGKILL

    def begun(self, command, *args, **options):
        begin(self, _without(list(command)), *args, **options)

    subprocess.Popen.__init__ = begun  # type: ignore[method-assign]
    subprocess.Popen.kill = lambda self: self.send_signal(kill)  # type: ignore[method-assign]


def _without(command):
    """The command, and nothing of POSIX in it if it is Python."""
    if command[0] == sys.executable and command[1:3] == ["-m", "lmssync"]:
        return [sys.executable, __file__, *command[3:]]
    if command[0] == sys.executable:
        at = command.index("-c") + 1
        command[at] = BEFORE.format(file=__file__) + command[at]
    return command


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
    take_away()
    if sys.argv[1:2] == ["-c"]:
        exec(sys.argv[2])
    else:
        runpy.run_module("lmssync", run_name="__main__", alter_sys=True)
