"""Questions at a terminal."""

import io

import click
import pytest

from lmssync.cli.terminal_output import ask_yes_or_no, terminal_width


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), (" no \n", False)],
)
def test_yes_or_no(typed: str, answer: bool, monkeypatch: pytest.MonkeyPatch):
    """Yes and no are understood, and an empty answer means no."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert answer is ask_yes_or_no("Apply this plan?")


def test_another_answer_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """After another answer the question is repeated on stderr, and stdout stays empty."""
    monkeypatch.setattr("sys.stdin", io.StringIO("perhaps\ny\n"))
    assert ask_yes_or_no("Apply this plan?")
    out, err = capsys.readouterr()
    assert "" == out
    assert 2 == err.count("Apply this plan? [y/N]")
    assert "answer y or n\n" in err


def test_somebody_who_goes_away_has_not_agreed(monkeypatch: pytest.MonkeyPatch):
    """If stdin ends without an answer, the run ends as if it was interrupted."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(click.Abort):
        ask_yes_or_no("Apply this plan?")


def test_a_file_has_no_width():
    """Output to a file or a pipe has no width and is not wrapped."""
    assert terminal_width(io.StringIO()) is terminal_width(None) is None
