"""PostgreSQL's own programs, run on folders that are thrown away, as somebody who is not root."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

if sys.platform != "win32":
    import pwd

ACCESS = "local all locked scram-sha-256\nlocal all all trust\nlocal replication all trust\n"
OPTIONS = "-c listen_addresses='' -c fsync=off -c max_connections=60"


def programs() -> Path | None:
    """Where they are: on PATH, or in Debian's folder of the newest version."""
    if found := shutil.which("pg_ctl"):
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


class Server:
    """One server behind a socket in its folder: no port, and nobody else can reach it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.options = f"{OPTIONS} -c unix_socket_directories='{folder}'"

    @property
    def socket(self) -> Path:
        return self.folder / ".s.PGSQL.5432"

    def url(self, name: str, *, database: str = "postgres", user: str = "lmssync", **more: str):
        host = more.pop("host", str(self.folder))
        options = "".join(f"&{option}={value}" for option, value in more.items())
        return f"postgresql://{user}@/{database}?host={host}{options}#{name}"

    def start(self) -> None:
        self._control("start", "-w", "-o", self.options, "-l", f"{self.folder}/log")

    def stop(self, mode: str = "immediate") -> None:
        self._control("stop", "-w", "-m", mode)

    def run(self, program: str, *arguments: str) -> None:
        """One of its programs, as the user that owns the folder."""
        path = programs()
        assert path is not None
        subprocess.run(
            [*_as_owner(), str(path / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
        )

    def _control(self, *arguments: str) -> None:
        self.run("pg_ctl", "-D", f"{self.folder}/data", *arguments)


@contextmanager
def served() -> Iterator[Server]:
    """A new server, which runs; it is stopped at the end, whatever became of it."""
    with _folder() as folder:
        server = Server(folder)
        options = ("--auth=trust", "--username=lmssync", "--no-locale", "--encoding=UTF8")
        server.run("initdb", "-D", f"{folder}/data", "--no-sync", *options)
        (folder / "data/pg_hba.conf").write_text(ACCESS)
        server.start()
        try:
            yield server
        finally:
            if (folder / "data/postmaster.pid").exists():
                server.stop()


@contextmanager
def standby_of(primary: Server) -> Iterator[Server]:
    """A hot standby, which follows the primary and can only be read."""
    with _folder() as folder:
        server = Server(folder)
        host = ("-h", str(primary.folder), "-U", "lmssync")
        server.run("pg_basebackup", *host, "-D", f"{folder}/data", "-R", "-c", "fast", "-N")
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def _folder() -> Iterator[Path]:
    """Short, since it is part of the name of a socket, and owned by who runs the server."""
    if programs() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as name:
        if _as_owner():
            nobody = pwd.getpwnam("nobody")
            os.chown(name, nobody.pw_uid, nobody.pw_gid)
        yield Path(name)


def _as_owner() -> list[str]:
    """The server refuses to run as root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]
