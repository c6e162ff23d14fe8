"""The command that adds an extra names where this installation came from."""

import json
import sys
from pathlib import Path

import pytest

from lmssync.support.installation import spell_extra_install
from tests.making import put

METADATA = """\
Metadata-Version: 2.4
Name: lmssync
Version: 0.1.0
Provides-Extra: sandbox
Requires-Dist: httpx<1
Requires-Dist: starlette<2,>=1; extra == 'sandbox'
"""
REVISION = {"vcs": "git", "commit_id": "5f3c"}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="words are quoted in another way")


def spelled(folder: Path, monkeypatch: pytest.MonkeyPatch, installer: str = "pip", **origin) -> str:
    """What is printed where lmssync was installed from there, without the path of Python."""
    put(folder, "lmssync-0.1.0.dist-info/METADATA", METADATA)
    put(folder, "lmssync-0.1.0.dist-info/INSTALLER", installer)
    if origin:
        put(folder, "lmssync-0.1.0.dist-info/direct_url.json", json.dumps(origin))
    monkeypatch.syspath_prepend(folder)
    return spell_extra_install("sandbox").replace(sys.executable, "python")


@pytest.mark.parametrize(
    ("info", "words"),
    [
        ({"dir_info": {}}, "'{}[sandbox]'"),
        ({"dir_info": {"editable": True}}, "--editable '{}[sandbox]'"),
    ],
)
def test_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, info, words: str):
    """A checkout is installed once more, in the way in which it was installed."""
    command = spelled(tmp_path, monkeypatch, url=tmp_path.as_uri(), **info)
    assert f"python -m pip install {words.format(tmp_path)}" == command


def test_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The commit is that of the installation."""
    url = "https://git.example/lmssync"
    command = spelled(tmp_path, monkeypatch, url=url, vcs_info=REVISION)
    assert f"python -m pip install 'lmssync[sandbox] @ git+{url}@5f3c'" == command


@pytest.mark.parametrize("origin", [{}, {"url": "file:///no/such/place", "dir_info": {}}])
def test_no_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin):
    """Without a source, or with one that is gone, the packages of the extra are named."""
    command = spelled(tmp_path, monkeypatch, **origin)
    assert "python -m pip install 'starlette<2,>=1'" == command


def test_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An environment that uv has made may have no pip."""
    command = spelled(tmp_path, monkeypatch, "uv")
    assert "uv pip install --python python 'starlette<2,>=1'" == command


def test_no_metadata_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A catalog may have brought it."""
    monkeypatch.chdir(tmp_path)
    url = "https://git.example/other"
    assert "other" not in spelled(tmp_path, monkeypatch, url=url, vcs_info=REVISION)
