"""The package as its own source shows it: modules, what they import, which texts they hold.

Who asks for `modules()` is marked with `in_one_process`, so that one of the processes that run the
tests parses the package, and not each.
"""

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import lmssync

PACKAGE = Path(lmssync.__file__).parent
in_one_process = pytest.mark.xdist_group("source tree")
HOUSES = frozenset(
    {"applying", "catalog", "learners", "planning", "platform", "support", "sync", "texts"}
)
"""Folders at the top that only hold rooms."""
_INNER_ROOMS = frozenset({"report.preview", "state.backends"})
"""Rooms that stand inside another room, and below it."""


def room_of(name: str) -> str:
    """The room of a module: `state.backends` of `state.backends.git_tree`."""
    steps = name.split(".")
    inner = ".".join(steps[:2])
    return inner if steps[0] in HOUSES or inner in _INNER_ROOMS else steps[0]


class Module(NamedTuple):
    """One file, by its dotted name below the package; a face has the name of its room."""

    name: str
    file: Path
    tree: ast.Module

    @property
    def room(self) -> str:
        return room_of(self.name)

    @property
    def is_face(self) -> bool:
        return self.file.name == "__init__.py"

    @property
    def package(self) -> str:
        """What one dot means in an import."""
        return self.name if self.is_face else self.name.rpartition(".")[0]


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the package."""
    gc.disable()  # what looks for garbage in the growing trees takes three times as long as they
    parsed = tuple(
        Module(_name(file), file, ast.parse(file.read_text("utf-8")))
        for file in sorted(PACKAGE.rglob("*.py"))
    )
    gc.freeze()  # the trees stay to the end: nobody has to look for garbage in them
    gc.enable()
    return parsed


def _name(file: Path) -> str:
    steps = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(steps[:-1] if steps[-1] == "__init__" else steps)


@cache
def nodes(module: Module) -> tuple[ast.AST, ...]:
    """Every node of a module: a dozen tests look at all of them."""
    return tuple(ast.walk(module.tree))


@cache
def _names() -> frozenset[str]:
    return frozenset(module.name for module in modules())


@cache
def _offers() -> dict[str, frozenset[str]]:
    """What each face imports for others (`as` the same), by the name of its room."""
    return {
        face.name: frozenset(
            alias.asname
            for node in face.tree.body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if alias.asname
        )
        for face in modules()
        if face.is_face
    }


@cache
def ours(module: Module, *, types_too: bool = True) -> tuple[str, ...]:
    """Names of our modules that it imports, wherever in the file; `` is the package itself.

    From outside a room a name that its face offers comes from the face, even if a module there
    is called the same.
    """
    return tuple(_ours(module, types_too=types_too))


def _ours(module: Module, *, types_too: bool) -> Iterator[str]:
    known, offered = _names(), _offers()
    for node in _nodes(module.tree, types_too=types_too):
        if not isinstance(node, ast.ImportFrom):
            continue
        whole = _whole(module, node)
        if whole is None:
            continue
        for alias in node.names:
            below = f"{whole}.{alias.name}".removeprefix(".")
            outside = not f"{module.name}.".startswith(f"{whole}.")
            by_face = outside and alias.name in offered.get(whole, ())
            yield below if below in known and not by_face else whole


def _nodes(tree: ast.AST, *, types_too: bool) -> Iterator[ast.AST]:
    """Every node; without those under `if TYPE_CHECKING`, which never run."""
    waiting = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            only_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
            if types_too or not only_types:
                yield node
                waiting.append(node)


def _whole(module: Module, node: ast.ImportFrom) -> str | None:
    """What follows `from`, as a dotted name below the package; nothing if it is not ours."""
    if node.level:
        start = _above(module.package, node.level - 1)
        return ".".join(step for step in (start, node.module or "") if step)
    package, _, below = (node.module or "").partition(".")
    return below if package == PACKAGE.name else None


def _above(package: str, levels: int) -> str:
    for _ in range(levels):
        package = package.rpartition(".")[0]
    return package


@cache
def theirs(module: Module) -> set[str]:
    """Top-level names of what it imports from elsewhere."""
    found: set[str] = set()
    for node in nodes(module):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom) and not node.level:
            found.add(str(node.module).split(".")[0])
    return found


@cache
def calls(module: Module) -> set[str]:
    """Names of what it calls, as written: `print`, `sys.exit`."""
    return {ast.unparse(node.func) for node in nodes(module) if isinstance(node, ast.Call)}


@cache
def texts(module: Module) -> tuple[str, ...]:
    """Every string in its code; docstrings and the pieces of f-strings included."""
    return tuple(
        node.value
        for node in nodes(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
