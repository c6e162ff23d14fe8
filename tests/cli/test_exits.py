"""How runs end: every error in words, and its exit code."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from lmssync import errors
from lmssync.cli.exits import Exit, end_with_code, exit_code_of
from lmssync.cli.interrupts import heed_sigterm
from lmssync.cli.safe_output import guard_streams, with_run_options
from lmssync.problems import Problem
from lmssync.resource import Origin

from .conftest import Run

CODES = {
    errors.LmssyncError("x"): 1,
    errors.WrongUse("x"): 64,
    errors.InvalidCatalog([]): 3,
    errors.StateError("x"): 1,
    errors.StateLocked("x"): 6,
    errors.Fenced("x"): 1,
    errors.NotHandedIn("x"): 1,
    errors.PlatformError("x"): 1,
    errors.Unreachable("x"): 8,
    errors.ServerFailed("x"): 8,
    errors.KeyRefused("x"): 8,
    errors.Refused("x", 400): 1,
    errors.Unreadable("x"): 1,
    errors.Stopped("x"): 130,
    errors.BudgetSpent("x"): 1,
    errors.CodeHostFailed("x"): 1,
    errors.StalePlan("x"): 5,
    errors.Forbidden("x"): 3,
}


@pytest.mark.parametrize(("error", "code"), CODES.items(), ids=lambda value: type(value).__name__)
def test_each_error_has_its_code(error: errors.LmssyncError, code: int):
    """Each error keeps its exit code for ever."""
    assert code == exit_code_of(error)


def test_every_error_was_tried():
    """The table above has every error of the module and of the tree in its docstring."""
    known = {name for name, found in vars(errors).items() if _is_error(found)}
    drawn = {line.split()[1] for line in (errors.__doc__ or "").splitlines() if "* " in line}
    assert known == drawn == {type(error).__name__ for error in CODES}


def _is_error(found: object) -> bool:
    return isinstance(found, type) and issubclass(found, errors.LmssyncError)


def test_exit_codes():
    """The exit codes are those that the README and users' pipelines rely on."""
    assert {
        "DONE": 0,
        "ERROR": 1,
        "CHANGES": 2,
        "INVALID": 3,
        "UNKNOWN": 4,
        "STALE": 5,
        "LOCKED": 6,
        "PARTIAL": 7,
        "UNREACHABLE": 8,
        "USAGE": 64,
        "BUG": 70,
        "INTERRUPTED": 130,
    } == {code.name: code.value for code in Exit}


def ended(error: BaseException) -> object:
    with pytest.raises(SystemExit) as end, end_with_code():
        raise error
    return end.value.code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.StateLocked("x"), 6),
        (click.UsageError("x"), 64),
        (click.ClickException("x"), 1),
        (click.Abort(), 130),
        (KeyboardInterrupt(), 130),
    ],
)
def test_what_ends_a_run(error: BaseException, code: int):
    """Every way in which a run can end has an exit code."""
    assert code == ended(error)


def test_an_error_is_told_with_its_remedy(capsys: pytest.CaptureFixture[str]):
    """An error is shown on stderr with its remedy."""
    ended(errors.StateLocked("it is held", "wait"))
    assert ("", "error: it is held\n    wait\n") == capsys.readouterr()


def test_problems_are_told_with_their_places(capsys: pytest.CaptureFixture[str]):
    """Problems are shown on stderr as `validate` shows them."""
    assert 3 == ended(errors.InvalidCatalog([Problem("x", "is wrong", Origin("a.yaml"))]))
    assert "a.yaml:1:1: error[x] is wrong\n\n1 error.\n" == capsys.readouterr().err


def test_a_bug_writes_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """A bug exits with 70 and writes versions, command and traceback to a file for an issue."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert 70 == ended(ZeroDivisionError("oops"))
    (file,) = tmp_path.iterdir()
    text = file.read_text("utf-8")
    assert "lmssync-bug-" in file.name
    assert text.startswith("lmssync ")
    assert "ZeroDivisionError: oops" in text
    assert f"report it with {file}" in capsys.readouterr().err


def test_a_bug_report_does_not_hold_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A bug report does not hold the key, since issues are public."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("LMSSYNC_API_KEY", "secret-key")
    ended(ZeroDivisionError("oops"))
    (file,) = tmp_path.iterdir()
    assert "secret-key" not in file.read_text("utf-8")


def test_a_developer_gets_the_bug_itself():
    """With LMSSYNC_DEBUG, a bug is raised as it is."""
    with pytest.raises(ZeroDivisionError), end_with_code(debug=True):
        raise ZeroDivisionError


INTERRUPTED_AMID_GENERATED_CODE = """
import sys, lmssync.cli.main

def interrupted():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        sys.exit(130)

lmssync.cli.main.main = interrupted
"""


def test_an_interrupt_amid_generated_code_has_its_exit_code(tmp_path: Path):
    """`python -m lmssync` ends with 130, and not by a signal, whatever it has interrupted."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED_AMID_GENERATED_CODE)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "lmssync"], check=False, timeout=120, env={"PYTHONPATH": path}
    )
    assert 130 == done.returncode


def test_a_reader_that_has_gone_is_not_a_bug():
    """If the reader of a pipe has gone, as with `| head -1`, the run ends without a message."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "lmssync", "schema", "course"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (1, b"") == (done.returncode, done.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
def test_a_full_disk_is_not_a_bug():
    """A full disk is reported in the system's words, without a traceback."""
    command = [sys.executable, "-m", "lmssync", "schema", "course"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert 1 == done.returncode
    assert os.strerror(errno.ENOSPC).encode() in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("option", ["--\x1b[2J\u202e", "fmt\n::error::x"])
def test_what_click_quotes_is_written_out(run: Run, option: str):
    """What click quotes is escaped, since a script may pass on a stranger's file name."""
    done = run(option)
    assert 64 == done.code
    assert done.err.replace("\n", "").isprintable()
    assert "\n::error" not in done.err


def test_a_root_that_cannot_be_is_told(run: Run):
    """A root whose name is too long is reported as wrong use."""
    done = run("validate", "-C", "x" * 5_000)
    assert 64 == done.code
    assert "cannot be opened: File name too long" in done.err


@pytest.mark.parametrize("address", ["no address", "https://me:pass-word@h", "http://h/\udcff"])
def test_a_state_is_bound_to_an_address_only(run: Run, tmp_path: Path, address: str):
    """`state rebind` refuses an address that could not be used or stored."""
    (tmp_path / "lmssync.yaml").write_text("version: 1\n")
    done = run("state", "rebind", "-C", tmp_path, address)
    assert 64 == done.code
    assert "write it as in lmssync.yaml" in done.err
    assert "pass-word" not in done.err


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (["plan"], "`lmssync apply` and `lmssync state list`"),
        (["-e", "live", "plan"], "`lmssync -e live apply` and `lmssync -e live state list`"),
        (
            ["plan", "--catalog=a b", "-e", "live"],
            "`lmssync -C 'a b' -e live apply` and `lmssync -C 'a b' -e live state list`",
        ),
    ],
)
def test_commands_can_be_copied(args: list[str], shown: str):
    """A command that a message names is about the catalog and the environment of the run."""
    with guard_streams(args):
        assert shown == with_run_options("`lmssync apply` and `lmssync state list`")


def build_validator_during(number: int) -> None:
    """What pydantic does of an interrupt that comes while it builds a validator."""
    with end_with_code(), heed_sigterm():
        try:
            os.kill(os.getpid(), number)
        except KeyboardInterrupt as interrupt:
            raise ValueError(f"building a validator: {interrupt!r}") from None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_that_became_another_error(number: int, capsys: pytest.CaptureFixture[str]):
    """Compiled libraries put an interrupt into an error of their own; it is no bug of ours."""
    with pytest.raises(SystemExit) as end:
        build_validator_during(number)
    assert (Exit.INTERRUPTED, True) == (end.value.code, "interrupted" in capsys.readouterr().err)
