"""The commands that the documents show print what the documents say."""

from pathlib import Path

import draw
import pytest
import sessions

from tests import forking


def test_the_session_of_the_readme():
    """The README's first catalog, from validate to the second plan."""
    assert _now("README.md") == _written("README.md")


@pytest.mark.slow
def test_the_picture_of_a_plan():
    """It shows what `lmssync plan` prints on a terminal."""
    assert sessions.steady(draw.drawn()) == sessions.steady(draw.PICTURE.read_text("utf-8"))


@pytest.mark.slow
def test_the_session_of_an_import():
    """The page on imports: a table, a folder of Markdown, an Open edX course."""
    assert _now("docs/import.md") == _written("docs/import.md")


@pytest.mark.slow
def test_the_session_of_a_release():
    """A release that waits, is applied and is taken back."""
    assert _now("docs/releases.md") == _written("docs/releases.md")


@pytest.mark.slow
def test_the_session_of_a_changed_rule():
    """A plan says whom it takes something from."""
    assert _now("docs/outcomes.md") == _written("docs/outcomes.md")


@pytest.mark.slow
def test_the_sessions_of_the_guide():
    """The guide, with its interrupted apply."""
    assert _now("docs/guide.md") == _written("docs/guide.md")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["docs/get.md", "docs/lists.md", "docs/slices.md"])
def test_the_sessions_of_how_tos(page: str):
    """What the platform has, and a list with an interrupted row."""
    assert _now(page) == _written(page)


def test_the_guide_is_read_in_half_an_hour():
    """What is not on the way stands in the page of its subject."""
    assert 5000 >= len(_written("docs/guide.md").split())


def _now(page: str) -> str:
    return sessions.steady(sessions.replayed(page, _run))


def _run(words: list[str], folder: Path, env: dict[str, str]) -> tuple[int, str]:
    run = sessions.run_command if words[0] == "git" else forking.run_mixed
    return run(words, folder, env)


def _written(page: str) -> str:
    return sessions.steady((sessions.ROOT / page).read_text("utf-8"))
