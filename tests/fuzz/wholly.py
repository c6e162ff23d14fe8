"""Runs of the command line in this process, and what must hold of each, whatever it is given."""

import contextlib
import io
import os
import re
from collections.abc import Mapping
from unittest.mock import patch

from lmssync.cli.exits import Exit
from lmssync.cli.main import main
from lmssync.support.invisible_characters import UNSEEN
from tests.forking import Ran

ORDERS = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
"""With what a line or a part of it is obeyed by some build server."""
_LAYOUT = frozenset("\n")


def run(*args: str, env: Mapping[str, str] | None = None) -> Ran:
    """`lmssync ARGS`; an error that nobody expected is raised, with its trace."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape") for _ in range(2))
    with (
        patch.dict(os.environ, {**(env or {}), "LMSSYNC_DEBUG": "1"}),
        patch("sys.stdin", io.TextIOWrapper(io.BytesIO(), "utf-8")),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main(list(args))
        except SystemExit as end:
            return Ran(int(end.code or 0), _said(out), _said(err))
    raise AssertionError("the command did not end the process")


def _said(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "surrogateescape")


def check(done: Ran) -> None:
    """An exit code that has a meaning, words, and nothing that leads a terminal or a server."""
    assert done.code in set(Exit) - {Exit.BUG}, done
    said = done.out + done.err
    assert "Traceback" not in said, done
    assert None is ORDERS.search(said), done
    hidden = {found for found in UNSEEN.findall(said) if found not in _LAYOUT}
    assert set() == hidden, done
