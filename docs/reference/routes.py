"""The table of routes: who uses each, and the tests of both sides."""

import ast
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lmssync.kinds import KINDS
from lmssync.platform.list_declarations import LISTS
from lmssync.vocabulary.routes import ROUTES, Capability, Route

from .commands import leaves
from .statements import ROOT
from .tables import table, words

FILE = Path(__file__).with_name("routes.toml")
FOLDERS = ("applying", "kinds", "learners", "planning", "platform", "promises", "sync")
"""Where the real client asks the served sandbox."""
HEAD = ("route", "used by", "client's test", "sandbox's test")


class Unexplained(Exception):
    """A cell would be empty, or names what is not there."""


def parts() -> Mapping[str, Callable[[], str]]:
    """The generated parts of `routes.md` by name."""
    return {
        "specification": lambda: _of(Capability.CORE),
        "further": lambda: _of(Capability.EXTENDED),
        "unshown": lambda: _of(Capability.UNSHOWN),
    }


@cache
def said() -> Mapping[str, Mapping[str, Any]]:
    """What the file says of each route; raises `Unexplained` if it says nothing of one."""
    found = tomllib.loads(FILE.read_text("utf-8"))
    if found.keys() != ROUTES.keys():
        raise Unexplained(f"{FILE.name}: {', '.join(sorted(found.keys() ^ ROUTES.keys()))}")
    return found


def _of(capability: Capability) -> str:
    routes = (route for route in ROUTES.values() if route.capability is capability)
    return table(HEAD, [row(route, said()[route.name]) for route in routes])


def row(route: Route, about: Mapping[str, Any]) -> tuple[str, ...]:
    """Four cells, none of them empty; raises `Unexplained`."""
    users = [*_kinds(route.name), *_lists(route.name), *_commands(about)]
    why = f"nothing: {about['why']}" if "why" in about else ""
    client = about.get("client") or (_naming(route.name) if users else "")
    cells = (
        f"`{route.method} {route.path}` (`{route.name}`)",
        ", ".join(dict.fromkeys(users)) or why,
        _link(client) if client else "not sent" * (not users),
        _link(about["sandbox"]) if "sandbox" in about else "not served" * (not users),
    )
    if not all(cells):
        raise Unexplained(f"{FILE.name}: {route.name} has an empty cell: {cells}")
    return cells


def _kinds(name: str) -> Iterator[str]:
    """The kinds in whose rooms the route is named."""
    for kind in KINDS.values():
        room = ROOT / Path(*kind.spec.__module__.split(".")[:-1])
        if any(name in _texts(file) for file in sorted(room.rglob("*.py"))):
            yield f"kind `{kind.resource}`"


def _lists(name: str) -> Iterator[str]:
    yield from (f"`get {at}`" for at, one in LISTS.items() if name in {one.route, one.single})


def _commands(about: Mapping[str, Any]) -> Iterator[str]:
    there = {name for name, _ in leaves()}
    yield from (f"`{name}`" for name in about.get("commands", ()) if name in there)


def _naming(name: str) -> str:
    """The first test of the real client that names the route."""
    for folder in FOLDERS:
        for file in sorted((ROOT / "tests" / folder).rglob("test_*.py")):
            for test, texts in _tests(file).items():
                if name in texts:
                    return f"{file.relative_to(ROOT).as_posix()}::{test}"
    return ""


def _link(test: str) -> str:
    """A link to a test that is there; raises `Unexplained`."""
    file, _, name = test.partition("::")
    if not (ROOT / file).is_file() or name not in _tests(ROOT / file):
        raise Unexplained(f"{FILE.name}: there is no test {test}")
    return f"[{Path(file).name}](../{file}) {words([name])}"


@cache
def _tests(file: Path) -> Mapping[str, frozenset[str]]:
    """The texts in each test of a module."""
    tree = ast.parse(file.read_text("utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return {node.name: _constants(node) for node in functions if node.name.startswith("test_")}


@cache
def _texts(file: Path) -> frozenset[str]:
    return _constants(ast.parse(file.read_text("utf-8")))


def _constants(tree: ast.AST) -> frozenset[str]:
    nodes = ast.walk(tree)
    return frozenset(str(node.value) for node in nodes if isinstance(node, ast.Constant))
