"""The rooms of the sandbox stand above each other: no two need each other."""

from collections.abc import Iterator

from .source_tree import Module, in_one_process, modules, ours

pytestmark = in_one_process

SANDBOX = "sandbox"


def test_the_rooms_of_the_sandbox_form_no_knot():
    """Following imports from room to room never leads back, types included."""
    needs = {room: set(_rooms_of(room)) for room in {_room(m.name) for m in _modules()}}
    while free := [room for room, wanted in needs.items() if not wanted & needs.keys()]:
        for room in free:
            del needs[room]
    assert {} == needs


def test_handlers_see_the_platform_alone():
    """What requests pass on their way, and what puts everything together, is not theirs to use."""
    above = {
        *("request_dispatch", "request_gateway", "running_sandbox", "push_notifications"),
        *("control", "faults"),
    }
    assert set() == above & set(_rooms_of("handlers"))


def _modules() -> Iterator[Module]:
    return (module for module in modules() if module.room == SANDBOX)


def _room(name: str) -> str:
    """The folder or the single module: `data` of `sandbox.data.object_kinds`; a face is its own."""
    return ".".join(name.split(".")[1:2])


def _rooms_of(room: str) -> Iterator[str]:
    for module in _modules():
        if _room(module.name) == room:
            yield from {_room(name) for name in ours(module) if name.startswith(SANDBOX)} - {room}
