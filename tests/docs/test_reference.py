"""The generated parts are as the code is, and nothing of the code is left out of them."""

import re
import shlex

import click
import generate
import pytest
from reference import commands, live, routes

from lmssync.cli.command_help import EXITS, MEANINGS
from lmssync.cli.exits import Exit
from lmssync.cli.main import cli
from lmssync.kinds import BY_RESOURCE
from lmssync.vocabulary.routes import ROUTES
from tests.architecture.source_tree import HOUSES
from tests.architecture.test_layers import FROM_THE_TOP
from tests.cli.conftest import every_command
from tests.platform.live.values_by_hand import FIELDS

from . import pages
from .test_pages import is_known


@pytest.mark.parametrize("page", [*generate.PAGES, *generate.WHOLE])
def test_generated_parts_are_current(page):
    """`python docs/generate.py` would change nothing; a part for each kind is there."""
    assert generate.written(page) == (generate.ROOT / page).read_text("utf-8")


def test_each_exit_code_has_words():
    """Exit codes and their meanings are the same."""
    assert set(Exit) == MEANINGS.keys()


def test_each_command_has_exit_codes():
    """Each command says with which codes it ends, beside those with which any run may."""
    assert [] == [name for name, command in commands.leaves() if not command.own_exits >= EXITS]


def test_the_program_has_the_exit_codes_of_its_commands():
    """The help of the program loads no command, so it says by itself what all of them have."""
    assert cli.own_exits == set().union(*(command.own_exits for _, command in commands.leaves()))


def test_each_example_is_a_command_line():
    """The command line takes it, and it is of the command that it stands at."""
    wrong = [
        line
        for name, command in every_command()
        for line, _ in command.examples
        if not line.startswith(f"lmssync {name}") or not is_known(shlex.split(line)[1:])
    ]
    assert [] == wrong


def test_each_command_and_option_is_explained():
    """No command and no option is without a word of help, but for those with a default."""
    silent = [
        (name, option.name)
        for name, command in commands.leaves()
        for option in command.params
        if isinstance(option, click.Option) and not (option.help or option.show_default)
    ]
    assert [] == silent


def test_the_page_explains_every_room():
    """The table names each room at the top, and each room in these; `support` names some of its."""
    rows = re.findall(r"^\| (?:`(\w+)(?:\.py)?`)? ?\|([^|]*)\|", _rooms_of_the_page(), re.MULTILINE)
    top = [first for first, _ in rows if first]
    explained, outer = set(top) - HOUSES, ""
    for first, inner in rows:
        outer = first or outer
        explained |= {f"{outer}.{room}" for room in re.findall(r"`(\w+)`", inner)}
    rooms = {*FROM_THE_TOP, "sandbox"} - {"settings", "plugins", "errors", "problems", "resource"}
    assert {room for room in rooms if not room.startswith("support.")} == explained
    assert {room.split(".")[0] for room in rooms} == set(top)


def _rooms_of_the_page() -> str:
    return pages.text("docs/architecture.md").partition("## Rooms")[2].partition("\n## ")[0]


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/internals.md"])
def test_the_modules_that_a_page_names_are_there(page: str):
    """A path below the package, or its end; a renamed module would leave the page behind."""
    package = pages.ROOT / "lmssync"
    modules = [f"/{file.relative_to(package)}" for file in package.rglob("*.py")]
    named = set(re.findall(r"`([\w/]+\.py)`", pages.text(page)))
    assert named
    assert [] == [name for name in named if not any(one.endswith(f"/{name}") for one in modules)]


def test_the_names_that_contributing_praises_are_there():
    """Each good name of the table is that of a function, so that a reader can look at it."""
    rows = re.findall(r"^\| `\w+\(.*?\)` \| `(\w+)\(", pages.text("CONTRIBUTING.md"), re.MULTILINE)
    files = (pages.ROOT / "lmssync").rglob("*.py")
    functions = set(re.findall(r"def (\w+)\(", "".join(file.read_text("utf-8") for file in files)))
    assert 10 == len(rows)
    assert set() == {*rows} - functions


def test_architecture_is_read_in_one_sitting():
    """What a newcomer need not know is on the page about the inside of rooms."""
    assert 300 >= len(pages.text("docs/architecture.md").splitlines())


def test_every_field_of_the_page_is_tried() -> None:
    """The tests change every field that the page lists by hand, or say why nobody can."""
    listed = {name: {label for label, _ in live.fields(BY_RESOURCE[name])} for name in BY_RESOURCE}
    assert listed == {name: set(fields) for name, fields in FIELDS.items()}


def test_every_route_has_its_row():
    """Each stands in the page once, with four cells, none of them empty."""
    rows = [line for line in pages.text("docs/routes.md").splitlines() if line.startswith("| `")]
    assert [f"(`{name}`)" for name in ROUTES] == [
        row.split(" | ")[0].partition("` ")[2] for row in rows
    ]
    assert {4} == {len([cell for cell in row.strip("| ").split(" | ") if cell]) for row in rows}


def test_a_test_that_is_not_there_is_told():
    """A renamed test, and a route of which nothing is said, stop the page from being made."""
    route, about = ROUTES["course.create"], routes.said()["course.create"]
    gone = {**about, "client": "tests/platform/test_get.py::test_nothing_of_this_name"}
    with pytest.raises(routes.Unexplained, match="there is no test"):
        routes.row(route, gone)
    with pytest.raises(routes.Unexplained, match="has an empty cell"):
        routes.row(route, {"client": about["client"]})


def test_what_uses_no_route_is_explained():
    """A route that nothing sends says why; the routes without a shape are among these."""
    used = {name: routes.row(route, routes.said()[name])[1] for name, route in ROUTES.items()}
    silent = {name for name, users in used.items() if users.startswith("nothing: ")}
    assert silent <= {name for name, about in routes.said().items() if "why" in about}
    assert {"user.update", "content.xlf", "license.delete"} <= silent
