"""An instance that other software has filled is brought in whole: made-up courses, and real ones.

`CORPORA` names a folder with real courses, a line of JSON each in `*.jsonl.gz`: 300 are made of
them, in the exhaustive run 2,000. Nothing of it is kept in this repository.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.filling import Instance, fill
from tests.foreign import hostile, real
from tests.served_catalog import EXTENDED, PATIENCE, Platform, Workspace, serving

pytestmark = pytest.mark.xdist_group("at size")
CORPORA = Path(os.environ.get("CORPORA", "no such folder"))
_NEEDS_CORPORA = pytest.mark.skipif(not CORPORA.is_dir(), reason="no CORPORA")
SIZES = [
    pytest.param(("made up", 150), marks=pytest.mark.slow),
    pytest.param(("real", 300), marks=[pytest.mark.slow, _NEEDS_CORPORA]),
    pytest.param(("real", 2_000), marks=[pytest.mark.exhaustive, _NEEDS_CORPORA]),
]
WORD = re.compile(r"(?<= )[a-zA-Z]{7,}(?= )")


class Imported(NamedTuple):
    """A catalog of everything that others have made on an instance."""

    platform: Platform
    root: Path
    made: int
    """Resources."""


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: f"{size[1]} {size[0]}")
def _filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Imported]:
    sort, count = request.param
    courses = real(sorted(CORPORA.glob("*.jsonl.gz")), count=count)
    with serving(profile="extended") as platform:
        instance = Instance(platform.http, platform.key)
        entries = hostile(count) if sort == "made up" else courses
        made = fill(instance, entries, clients=3)
        yield Imported(platform, tmp_path_factory.mktemp("catalog"), sum(made.values()))


@pytest.fixture
def imported(_filled: Imported, work: Workspace, monkeypatch: pytest.MonkeyPatch) -> Imported:
    """That catalog, as the one to work in; it is made for the first test."""
    monkeypatch.setenv("LMSSYNC_BASE_URL", _filled.platform.base_url)
    monkeypatch.chdir(_filled.root)
    if not (_filled.root / "lmssync.yaml").exists():
        (_filled.root / "lmssync.yaml").write_text(
            EXTENDED.replace(f", timeout: {PATIENCE}", ""), "utf-8"
        )
        done = work.run("import", "--all", "--json")
        assert (0, []) == (done.code, done.json["refused"]), done.err
    return _filled


def test_everything_has_a_manifest(imported: Imported, work: Workspace):
    """Whatever its titles and bodies are, nothing is left out but the clients."""
    assert imported.made <= work.plan()["summary"]["unchanged"]


def test_it_is_valid_and_in_order(imported: Imported, work: Workspace):
    """No error, and nothing to do for `fmt`."""
    done = work.run("validate", "--json", "--limit", "0")

    assert [] == [one for one in done.json["problems"] if one["severity"] == "error"]
    assert 0 == work.run("fmt", "--check").code


def test_the_next_plan_is_empty(imported: Imported, work: Workspace):
    assert [] == work.plan()["changes"]


def test_nothing_has_drifted(imported: Imported, work: Workspace):
    """All fields that can be read say what the manifests say."""
    done = work.run("drift", "--json")

    assert (0, []) == (done.code, done.json["findings"])
    assert done.json["truth"]["fields"] == done.json["truth"]["proven"]


def test_a_title_that_is_edited_is_the_only_change(imported: Imported, work: Workspace):
    """In the last of all courses."""
    file = max((imported.root / "courses").glob("*/course.yaml"))
    before = file.read_text("utf-8")
    file.write_text(re.sub("^title: .*", "title: Edited", before, flags=re.MULTILINE), "utf-8")

    (change,) = work.plan()["changes"]

    file.write_text(before, "utf-8")
    assert f"course.{file.parent.name}" == change["address"]
    assert [("title", "Edited")] == [(one["path"], one["after"]) for one in change["fields"]]


def test_a_word_that_is_edited_is_all_that_changes(imported: Imported, work: Workspace):
    """On the platform as well, to the byte, and whatever stands around it."""
    file, text = next(_pages(imported.root))
    word = _once(text)
    file.write_bytes(text.replace(word, "EDITED").encode())
    course = work.run("show", f"course.{file.parent.name}", "--json").json["ids"]["course"]
    before = _read(imported.platform, course)

    assert 0 == work.apply().code

    after = _read(imported.platform, course)
    (body,) = [k for k in before if before[k] != after[k] and not k.endswith("updatedAt")]
    assert before[body].replace(word, "EDITED") == after[body]
    assert 0 == work.run("drift").code


def _pages(root: Path) -> Iterator[tuple[Path, str]]:
    """Files of HTML with a word that can be edited, from the last course on."""
    for file in sorted((root / "courses").glob("*/*"), reverse=True):
        text = file.read_bytes().decode()
        if file.suffix == ".html" and _once(text):
            yield file, text


def _once(text: str) -> str:
    """A word of a text that stands in it once; empty if there is none."""
    return next((word for word in WORD.findall(text) if text.count(word) == 1), "")


def _read(platform: Platform, course: str) -> dict[str, str]:
    headers = {"Authorization": f"Bearer {platform.key}"}
    answer = platform.http.get(f"/incoming/v2/fullContent/courses/{course}", headers=headers)
    found: dict[str, str] = answer.json()
    return found
