"""Imports point down, one way, and rooms are entered by their doors."""

import pytest

from .source_tree import Module, modules, ours

FROM_THE_TOP = (
    "cli",
    "pipeline",
    "workspace",
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
