"""What the documents name is there: files, headings, commands, options, targets, manifests."""

import re
from pathlib import Path

import click
import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.cli.main import cli
from tests.making import PROJECT

from . import pages


@pytest.mark.parametrize("page", pages.PAGES)
def test_every_link_leads_somewhere(page):
    """A link to a file finds it, and its anchor is a heading there."""
    lost = [
        f"{target.name}#{anchor}"
        for target, anchor in pages.links(page)
        if not target.exists() or (anchor and anchor not in pages.anchors(target))
    ]
    assert [] == lost


@pytest.mark.parametrize("page", pages.PAGES)
def test_every_command_exists(page):
    """Each command that a page shows is known, with all its options."""
    shown = [words for words in pages.commands(page) if words[0] == "lmssync"]
    assert [] == [words for words in shown if not is_known(words[1:])]


def is_known(words: list[str]) -> bool:
    """True if the command line takes these words; values are not looked at."""
    command: click.Command | None = cli
    while command is not None:
        context = click.Context(command)
        try:
            _, rest, _ = command.make_parser(context).parse_args(words)
        except click.UsageError:
            return False
        if not isinstance(command, click.Group) or not rest:
            return True
        command, words = command.get_command(context, rest[0]), rest[1:]
    return False


def test_an_unknown_option_is_noticed():
    """The check above can fail."""
    assert [True, False, False] == [
        is_known(words.split()) for words in ("plan --json", "plan --jsn", "plam")
    ]


@pytest.mark.parametrize("page", pages.PAGES)
def test_every_make_target_exists(page):
    """`make X` is a target of the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (pages.ROOT / "Makefile").read_text(), re.MULTILINE))
    shown = {words[1] for words in pages.commands(page) if words[0] == "make"}
    assert set() == shown - targets


@pytest.mark.parametrize("page", ["README.md", "docs/manifests.md"])
def test_manifests_on_a_page_are_valid(tmp_path, page):
    """Together the manifests of a page make a catalog without a problem."""
    for name, body in ({"lmssync.yaml": PROJECT} | pages.manifests(page)).items():
        _write(tmp_path / name, body)
    found = validate_catalog(tmp_path)
    assert (True, []) == (found.resources > 1, found.problems)


def _write(file: Path, body: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(body, "utf-8")
