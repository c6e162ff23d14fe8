"""`lmssync` in a process of its own, forked from one that has imported it.

To import the package takes most of a second, which is more than nearly every command needs for
its work. How a run starts is tested in `tests/architecture/test_startup.py` and `tests/cli`.
"""

import multiprocessing
import os
import resource
import sys
import tempfile
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

_PATIENCE = 300
"""Seconds, on however slow a machine: whoever takes longer has been kept busy."""

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.whole_package", "tests.forking", "tests.protocol.killing"])


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err


def run(arguments: Sequence[str], *, root: Path, env: Mapping[str, str], memory: int = 0) -> Ran:
    """`lmssync ARGUMENTS` in a folder, with these variables and no others; nothing to read.

    `memory`: bytes that the process may have at most.
    """
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        code = _wait_for((arguments, root, dict(env), (out, err), memory))
        said = [file.read_text("utf-8", "surrogateescape") for file in (out, err)]
    return Ran(code, *said)


def run_mixed(words: list[str], root: Path, env: dict[str, str]) -> tuple[int, str]:
    """Exit code and output of `lmssync ...`, both streams as a terminal mixes them."""
    with tempfile.TemporaryDirectory() as folder:
        both = Path(folder, "both")
        code = _wait_for((words[1:], root, env, (both, both), 0))
        return code, both.read_text("utf-8")


def _wait_for(given: tuple[object, ...]) -> int:
    """Exit code of a fork that runs a command."""
    process = FORKS.Process(target=_run, args=given)
    process.start()
    process.join(_PATIENCE)
    if process.exitcode is None:
        process.kill()
    process.join()
    code = process.exitcode
    process.close()
    assert isinstance(code, int)
    return code


def start(arguments: Sequence[str], *, root: Path, env: Mapping[str, str]) -> BaseProcess:
    """`lmssync ARGUMENTS` in a folder, while the test goes on; nobody reads what it prints."""
    silent = Path(os.devnull), Path(os.devnull)
    process = FORKS.Process(target=_run, args=(arguments, root, dict(env), silent, 0))
    process.start()
    return process


def _run(
    arguments: Sequence[str],
    root: Path,
    env: Mapping[str, str],
    said: tuple[Path, Path],
    memory: int,
) -> None:
    begin(root, env, *said)
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    from lmssync.cli.main import main

    sys.argv = ["lmssync", *arguments]
    main([*arguments])


def begin(root: Path, env: Mapping[str, str], out: Path, err: Path) -> None:
    """Puts this process into a folder, with these variables, writing to these files."""
    for number, file in enumerate((out, err), 1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    for stream in (sys.stdout, sys.stderr):
        assert isinstance(stream, TextIOWrapper)
        stream.reconfigure(encoding="utf-8", errors="surrogateescape", line_buffering=True)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(root)
