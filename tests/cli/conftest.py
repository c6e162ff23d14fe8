"""The command line as a user runs it, without a platform."""

from collections.abc import Callable

import pytest

from lmssync.cli.main import main

from ..forking import Ran

Run = Callable[..., Ran]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process; its exit code and what it wrote."""

    def command(*args: object) -> Ran:
        with pytest.raises(SystemExit) as end:
            main([str(arg) for arg in args])
        out, err = capfd.readouterr()
        code = end.value.code
        return Ran(code if isinstance(code, int) else 0, out, err)

    return command
