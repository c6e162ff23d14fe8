"""Tests mirror the package: who changes a room finds the tests that fail when it breaks."""

from pathlib import Path

from .source_tree import PACKAGE

TESTS = Path(__file__).parents[1]
CROSSING = {
    "architecture",
    "conformance",
    "docs",
    "flows",
    "fuzz",
    "hostile_input",
    "portable",
    "promises",
    "protocol",
    "untrusted_catalogs",
}
"""Folders of tests that are about the whole package."""


def _folders(parent: Path) -> set[str]:
    return {path.parent.name for path in parent.glob("*/__init__.py")}


def test_each_folder_of_tests_is_a_room_or_about_all_of_them():
    assert _folders(TESTS) - CROSSING <= _folders(PACKAGE)


def test_each_room_but_the_declared_types_has_tests_of_its_own():
    assert _folders(PACKAGE) - _folders(TESTS) == {"kind"}  # types alone: mypy checks them


def test_folders_inside_a_room_are_named_as_in_the_package():
    for room in _folders(TESTS) - CROSSING:
        named = {path.stem for path in (PACKAGE / room).iterdir()}
        assert _folders(TESTS / room) <= named | {"schemas"}, room


def test_flows_are_journeys_of_users_and_nothing_else():
    files = (TESTS / "flows").glob("*.py")
    assert sum(file.read_bytes().count(b"\n") for file in files) <= 6_000
