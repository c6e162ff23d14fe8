"""Questions at a terminal."""

import io

import click
import pytest

from lmssync.cli.terminal import agreed, columns


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), (" no \n", False)],
)
def test_yes_or_no(typed: str, answer: bool, monkeypatch: pytest.MonkeyPatch):
    """Nothing at all is no."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert answer is agreed("Apply this plan?")


def test_another_answer_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """It says which answers there are; results stay alone on stdout."""
    monkeypatch.setattr("sys.stdin", io.StringIO("perhaps\ny\n"))
    assert agreed("Apply this plan?")
    out, err = capsys.readouterr()
    assert "" == out
    assert 2 == err.count("Apply this plan? [y/N]")
    assert "answer y or n\n" in err


def test_somebody_who_goes_away_has_not_agreed(monkeypatch: pytest.MonkeyPatch):
    """The run ends as one that was interrupted."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(click.Abort):
        agreed("Apply this plan?")


def test_a_file_has_no_width():
    """What goes into a pipe is not broken."""
    assert columns(io.StringIO()) is columns(None) is None
