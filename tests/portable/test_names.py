"""Names and paths as Windows has them, on whatever system this runs."""

import ntpath
import posixpath
import signal
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from lmssync.catalog.manifests.documents import read_project_file
from lmssync.catalog.manifests.templates import render_limits, template_mistakes as mistakes
from lmssync.errors import InvalidCatalog
from lmssync.state.state_tables import sqlite_uri
from lmssync.support.safe_files import is_name, relative_way

from .conftest import PROJECT


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("C:\\catalog\\courses\\a.md", "courses/a.md"),
        ("c:\\CATALOG\\a.md", "a.md"),
        ("C:\\catalog", "."),
        ("C:\\other\\a.md", "../other/a.md"),
        ("D:\\catalog\\a.md", ".."),
        ("\\\\server\\share\\a.md", ".."),
    ],
)
def test_names_have_forward_slashes(path: str, name: str):
    """A name of a catalog is the same on every system, and what lies outside begins with `..`."""
    assert name == relative_way("C:\\catalog", path, ntpath)


def test_a_backslash_is_a_letter_elsewhere():
    """On POSIX it parts nothing."""
    assert "a\\b" == relative_way("/catalog", "/catalog/a\\b", posixpath)


@pytest.mark.parametrize("name", ["a.md", ".gitignore", "console.md", "com10", "a b", "nul-1", "é"])
def test_what_is_a_name_on_windows(name: str):
    """One entry of one folder."""
    assert is_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "a\\b",
        "..\\a",
        "C:",
        "C:a",
        "a.md:x",
        "a/b",
        "NUL",
        "nul.md",
        "Com1.yaml",
        "AUX .md",
        "a.",
        "a ",
    ],
)
def test_what_is_none(name: str):
    """Those lead to another folder, another drive, a device, or are another name spelled oddly."""
    assert not is_name(name)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PureWindowsPath("C:\\Users\\Ann B\\state.db"), "file:///C%3A/Users/Ann%20B/state.db"),
        (PureWindowsPath("\\\\server\\share\\state.db"), "file:////server/share/state.db"),
        (PurePosixPath("/home/a?b/é.db"), "file:///home/a%3Fb/%C3%A9.db"),
    ],
)
def test_the_state_as_sqlite_reads_it(path: PureWindowsPath | PurePosixPath, uri: str):
    """Before a drive stands a slash; a server is part of the path, not of the address."""
    assert uri == sqlite_uri(path)


@pytest.mark.parametrize(
    "path", ["..\\state.db", "C:\\state.db", "c:/state.db", "\\\\server\\s\\s.db"]
)
def test_a_catalog_keeps_its_state_inside(path: str, tmp_path):
    """A path that leads out on any system leads out."""
    (tmp_path / "lmssync.yaml").write_text(f"{PROJECT}state: 'sqlite:///{path}'\n")
    with pytest.raises(InvalidCatalog) as caught:
        read_project_file(tmp_path)
    assert ["state-outside"] == [problem.code for problem in caught.value.problems]


@pytest.fixture
def _handlers():
    """What the signals of this process did before."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def _without_end():
    while True:
        pass


@pytest.mark.usefixtures("_handlers")
def test_the_time_of_a_template_is_limited():
    """By a thread, where the system has no limits."""
    with (
        pytest.raises(mistakes.RenderTimeout, match="longer than 0 seconds"),
        render_limits.limit_time_by_thread(0),
    ):
        _without_end()
