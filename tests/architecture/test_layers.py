"""Imports point down, one way, and rooms are entered by their doors."""

import ast
import re

import pytest

from .source_tree import Module, modules, ours

FROM_THE_TOP = (
    "cli",
    "pipeline",
    "workplace",
    "credentials",
    "checking",
    "report",
    "apply",
    "plan",
    "diff",
    "live",
    "people",
    "client",
    "state",
    "manifests",
    "git",
    "graph",
    "kinds",
    "settings",
    "hosts",
    "rulebook",
    "starter",
    "resource",
    "errors",
    "problems",
    "source",
    "decisions",
    "address",
    "writing",
    "persons",
    "inside",
    "folder",
    "system",
    "secrets",
    "visible",
    "vocabulary",
)
MANIFESTS_FROM_THE_TOP = (
    "schemas",
    "export",
    "formatter",
    "catalog",
    "cache",
    "check",
    "overlays",
    "policies",
    "documents",
    "explain",
    "discreet",
    "guess",
    "remedies",
    "models",
    "markdown",
    "templates",
    "yaml",
    "files",
)
"""Rooms of `manifests`, and the single modules among them."""
HEIGHT = {room: -depth for depth, room in enumerate(FROM_THE_TOP)}
APART = {"", "__main__", "sandbox"}
"""The package itself holds a version; `__main__` starts `cli`; the sandbox stands alone."""

EVERY = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name or "lmssync")


def test_every_room_has_its_place():
    """The order names every room and every single module at the top, and nothing else."""
    assert set(FROM_THE_TOP) | APART == {module.room for module in modules()}


@EVERY
def test_imports_point_down(module: Module):
    """A module imports from its own room and from those below it."""
    if module.room in APART:
        return
    rooms = {name.split(".")[0] for name in ours(module)} - {""}
    allowed = {r for r in FROM_THE_TOP if HEIGHT[r] <= HEIGHT[module.room]}
    if module.room == "cli":
        allowed.add("sandbox")
    assert set() == rooms - allowed


def test_rooms_of_manifests_import_down():
    """A module of `manifests` imports from its own room there, and from those below it."""
    depth = {room: at for at, room in enumerate(MANIFESTS_FROM_THE_TOP)}
    steps = [
        (m.name, name) for m in modules() for name in ours(m) if _inner(m.name) and _inner(name)
    ]
    assert set(depth) == {_inner(m.name) for m in modules()} - {""}
    assert [] == [(a, b) for a, b in steps if depth[_inner(b)] < depth[_inner(a)]]


def test_rooms_of_manifests_are_entered_by_their_faces():
    """From outside a module of a room is imported only where the room's face names it."""
    faces = {m.name: str(ast.get_docstring(m.tree)) for m in modules() if m.is_face}
    entered = {
        (module.name, name)
        for module in modules()
        for name in ours(module)
        if name.count(".") > 1 and _inner(name) not in {"", _inner(module.name)}
    }
    open_ = {f"{face}.{name}" for face in faces for name in re.findall(r"`(\w+)`", faces[face])}
    assert set() == {(by, name) for by, name in entered if name not in open_}


def _inner(name: str) -> str:
    """The room of `manifests` that a module is in; nothing for others."""
    top, _, below = name.partition(".")
    return below.split(".")[0] if top == "manifests" else ""


@EVERY
def test_the_sandbox_stands_alone(module: Module):
    """It imports the vocabulary only, and nobody but the command line imports it."""
    rooms = {name.split(".")[0] for name in ours(module)}
    if module.room == "sandbox":
        assert rooms <= {"sandbox", "vocabulary"}
    elif module.room != "cli":
        assert "sandbox" not in rooms


def test_the_vocabulary_imports_nothing_of_ours():
    """It is the floor: the client and the sandbox both stand on it."""
    assert {"vocabulary"} == {
        name.split(".")[0] for m in modules() if m.room == "vocabulary" for name in ours(m)
    }


@EVERY
def test_nobody_imports_the_face_of_their_own_room(module: Module):
    """Inside a room the sibling is imported: a face that is waited for makes a circle."""
    faces = {other.name for other in modules() if other.is_face}
    around = {module.package} | {
        module.package.rsplit(".", n)[0] for n in range(module.package.count(".") + 1)
    }
    assert set() == {name for name in ours(module) if name and name in faces & around}


def test_no_modules_import_each_other_in_a_circle():
    """Following imports never leads back; what only the type checker reads does not count."""
    needs = {module.name: set(ours(module, types_too=False)) - {""} for module in modules()}
    while free := [name for name, wanted in needs.items() if not wanted & needs.keys()]:
        for name in free:
            del needs[name]
    assert {} == needs
