"""No line that lmssync prints is an order to a build server, unless it is an order of its own."""

import io
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from lmssync.cli.safe_output import guard_streams
from lmssync.cli.terminal_output import print_exactly
from tests import making

from .conftest import Run

PIECES = st.lists(
    st.sampled_from(["::", ":", " ", "\u2003", "\t", "\n", "\r", "\r\n", "ä", "set-output"])
)


def printed(*pieces: str, encoding: str = "") -> str:
    """What a run prints of some pieces, as text or as bytes."""
    bytes_ = io.BytesIO()
    stream, before = io.TextIOWrapper(bytes_, "utf-8", newline="", write_through=True), sys.stdout
    try:
        sys.stdout = stream
        with guard_streams():
            for piece in pieces:
                if encoding:
                    sys.stdout.buffer.write(piece.encode(encoding))
                else:
                    sys.stdout.write(piece)
    finally:
        sys.stdout = before
    return bytes_.getvalue().decode()


@given(PIECES, st.sampled_from(["", "utf-8"]))
def test_no_line_begins_as_an_order(pieces: list[str], encoding: str):
    """However it is cut into pieces, and behind blanks too; build servers cut at each line end."""
    whole = [piece for piece in pieces if piece != ":"]
    lines = printed(*whole, encoding=encoding).splitlines()
    assert not [line for line in lines if line.strip().startswith("::")]


@given(PIECES.map("".join))
def test_nothing_else_is_changed(text: str):
    """Colons that begin no line stay as they are."""
    assert text == printed(text).replace("\\x3a:", "::")


def test_our_own_orders_are_printed(capsysbinary: pytest.CaptureFixture[bytes]):
    """Notes beside the lines of a pull request are orders to its build server."""
    with guard_streams():
        print_exactly(b"::error file=a.yaml,line=1::wrong\n")
    assert b"::error file=a.yaml,line=1::wrong\n" == capsysbinary.readouterr().out


@pytest.mark.parametrize("command", [["tags"], ["outline"]])
def test_a_label_is_no_order(tmp_path: Path, run: Run, command: list[str]):
    """Whoever writes a manifest gives no orders to the machine that lists it."""
    order = "::set-output name=digest::00"
    making.write(
        tmp_path,
        a=f"resource: course\nkey: a\nkind: courseGroup\ntitle: '{order}'\ntags: ['{order}']\n",
    )
    code, out, err = run(*command, "-C", str(tmp_path))
    assert (0, True) == (code, "set-output" in out)
    assert not [line for line in f"{out}{err}".splitlines() if line.strip().startswith("::")]
