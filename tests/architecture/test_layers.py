"""Imports point down, one way, and rooms are entered by their doors."""

import ast
import re
from collections.abc import Iterator

from .rooms import circles, imports, knots, past_faces
from .source_tree import HOUSES, Module, in_one_process, modules, ours, room_of

pytestmark = in_one_process

FROM_THE_TOP = (
    "cli",
    "library",
    "report.preview",
    "report",
    "sync.pull",
    "sync.platform_import",
    "sync.record_edits",
    "sync.release_revert",
    "applying.pipeline",
    "planning.plan_loading",
    "planning.guards",
    "planning.allowed_names",
    "planning.releases",
    "planning.changed_resources",
    "sync.online_check",
    "sync.media_check",
    "sync.media_files",
    "sync.doctor",
    "planning.applied_catalog",
    "planning.workspace",
    "planning.base_revision",
    "platform.credentials",
    "catalog.catalog_validation",
    "planning.approvals",
    "sync.watch_rounds",
    "sync.drift",
    "sync.recorded_status",
    "sync.release_notes",
    "sync.environment_comparison",
    "sync.news_delivery",
    "platform.list_reading",
    "platform.list_declarations",
    "applying.apply",
    "planning.plan",
    "planning.verification_coverage",
    "planning.slice_changes",
    "planning.diff",
    "platform.live",
    "learners.people",
    "learners.stories",
    "learners.operations",
    "learners.events",
    "code_hosts",
    "platform.client",
    "state",
    "state.backends",
    "sync.importers",
    "catalog.translations",
    "catalog.use_graph",
    "catalog.manifests",
    "support.git_commits",
    "support.git_repository",
    "support.git_commands",
    "catalog.graph",
    "kinds",
    "kind",
    "texts.html_to_markdown",
    "texts.html_layout",
    "texts.values",
    "settings",
    "support.notification_settings",
    "support.secret_sources",
    "support.hosts",
    "support.rulebook",
    "catalog.starter",
    "plugins",
    "support.tracing",
    "support.installation",
    "errors",
    "problems",
    "support.decisions",
    "resource",
    "support.checked_documents",
    "support.declared_values",
    "support.annotations",
    "support.file_writing",
    "support.disk_buffer",
    "support.persons",
    "support.safe_files",
    "support.remembered_files",
    "support.cache_folder",
    "support.operating_system",
    "support.page_server",
    "support.redaction",
    "support.invisible_characters",
    "support.pages",
    "vocabulary",
)
MANIFESTS_FROM_THE_TOP = (
    "schemas",
    "export",
    "format_files",
    "formatter",
    "question_files",
    "catalog",
    "cache",
    "check",
    "overlays",
    "policies",
    "release_documents",
    "story_documents",
    "documents",
    "validation_errors",
    "model_fields",
    "templates",
    "yaml",
    "file_choice",
    "catalog_files",
    "processes",
    "quiet_times",
)
"""Rooms of `manifests`, and the single modules among them."""
HEIGHT = {room: -depth for depth, room in enumerate(FROM_THE_TOP)}
APART = {"", "__main__", "sandbox"} | HOUSES
"""The package itself holds a version; `__main__` starts `cli`; the sandbox stands alone; a house
only says what its rooms are for."""


def test_every_room_has_its_place():
    """The order names every room and every single module at the top, and nothing else."""
    assert set(FROM_THE_TOP) | APART == {module.room for module in modules()}


def test_imports_point_down():
    """A module imports from its own room and from those below it."""
    assert [] == [(m.name, room) for m in modules() for room in _rooms(m) if not _below(room, m)]


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
        if name.count(".") > 2 and _inner(name) not in {"", _inner(module.name)}
    }
    open_ = {f"{face}.{name}" for face in faces for name in re.findall(r"`(\w+)`", faces[face])}
    assert set() == {(by, name) for by, name in entered if name not in open_}


def test_rooms_are_entered_by_their_faces():
    """What a face offers to others is all that they import from the room."""
    assert [] == list(past_faces())


def _inner(name: str) -> str:
    """The room of `manifests` that a module is in; nothing for others."""
    below = name.removeprefix("catalog.manifests.")
    return "" if below == name else below.split(".")[0]


def _rooms(module: Module) -> Iterator[str]:
    """The rooms that a module of a room in the list imports from."""
    if module.room not in APART:
        yield from {room_of(name) for name in ours(module)} - {""}


def _below(room: str, module: Module) -> bool:
    if room == "sandbox":
        return module.room == "cli"
    return HEIGHT[room] <= HEIGHT[module.room]


def test_the_sandbox_stands_alone():
    """It imports the vocabulary and how a catalog looks; the order above says who imports it."""
    rooms = {room_of(n) for m in modules() if m.room == "sandbox" for n in ours(m)}
    assert {"sandbox", "support.pages", "vocabulary"} == rooms


def test_the_vocabulary_imports_nothing_of_ours():
    """It is the floor: the client and the sandbox both stand on it."""
    assert {"vocabulary"} == {
        room_of(name) for m in modules() if m.room == "vocabulary" for name in ours(m)
    }


def test_nobody_imports_the_face_of_their_own_room():
    """Inside a room the sibling is imported: a face that is waited for makes a circle."""
    faces = {other.name for other in modules() if other.is_face}
    assert [] == [(m.name, n) for m in modules() for n in ours(m) if n in faces & _around(m)]


def _around(module: Module) -> set[str]:
    """The room that a module stands in, and those around it."""
    steps = module.package.split(".")
    return {".".join(steps[:depth]) for depth in range(1, len(steps) + 1)}


def test_no_modules_import_each_other_in_a_circle():
    """Following imports never leads back; what only the type checker reads does not count."""
    assert [] == circles(imports(types_too=False))


def test_no_rooms_form_a_knot():
    """What stands side by side in a room imports one way, types included."""
    assert [] == list(knots())
