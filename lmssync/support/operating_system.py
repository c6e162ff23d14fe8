"""What one system has and another lacks: owners of files, modes, ways to open them.

Windows knows neither owners by number nor modes. There, a file has the access rights of the
folder that it was made in, and a user's folders are private: nothing of that is checked here.
"""

import os
import signal
import stat
import sys

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
