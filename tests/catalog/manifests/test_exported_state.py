"""A recorded state is exported as manifests that mean the same."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lmssync.kinds import KINDS
from lmssync.planning.workspace import open_workspace
from lmssync.problems import only_errors
from lmssync.resource import Address, canonical_text, pack_text
from tests import making
from tests.flows.test_main_job import example
from tests.served_catalog import Platform, Workspace

from .nasty import NASTY

NEED_MORE = {"field-tags-odd"}
"""What would need tags on the platform."""
LONG = "".join(f"Line {n}: how to stop work.\n" for n in range(8))


def forms(root: Path) -> dict[Address, Any]:
    """The resources that a catalog wants, by address."""
    found = making.loaded(root, "sandbox").resources
    return {address: resource.form for address, resource in found.items()}


def afresh(work: Workspace, *options: str) -> Path:
    """Exports into a fresh folder with the same project file, and returns that folder."""
    folder = work.root / "again"
    done = work.run("export", "--out", str(folder), *options)
    assert 0 == done.code, done.err
    shutil.copy(work.root / "lmssync.yaml", folder)
    return folder


def applied(work: Workspace) -> dict[Address, Any]:
    """The example catalog after an apply, and its forms."""
    example(work)
    assert 0 == work.apply().code
    return forms(work.root)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param((), id="inline"),
        pytest.param(("--body-files",), id="files", marks=pytest.mark.slow),
    ],
)
def test_every_kind_comes_back(work: Workspace, options: tuple[str, ...]) -> None:
    """The whole example catalog, exported, is read as the same forms, to the letter."""
    desired = applied(work)
    assert set(KINDS) - {"session"} == {address.kind for address in desired}

    folder = afresh(work, *options)

    assert desired == forms(folder)
    assert [] == only_errors(making.problems(folder))


def test_nothing_is_left_to_do_for_what_comes_back(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same state, the exported catalog has an empty plan, but for a clone's checklist."""
    count = len(applied(work))
    folder = afresh(work)
    monkeypatch.setenv("LMSSYNC_STATE", f"sqlite:///{work.root}/.lmssync/state.db")

    done = work.run("plan", "-C", str(folder), "--json", "--detailed-exitcode")

    summary = done.json["summary"]
    assert (0, 1, count - 1) == (done.code, summary["manual"], summary["unchanged"])


def test_one_stream_holds_it_all(work: Workspace) -> None:
    """`export` prints the whole catalog as one stream that can be used as a file."""
    desired = applied(work)
    done = work.run("export")

    other = work.root / "stream"
    other.mkdir()
    shutil.copy(work.root / "lmssync.yaml", other)
    (other / "all.yaml").write_bytes(done.out.encode())

    assert desired == forms(other)


def test_a_course_brings_its_short_forms(work: Workspace) -> None:
    """Criteria and purchase paths that were written in a course are exported inside it."""
    work.course("a", "completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]\n")
    work.course("b")
    work.apply()

    done = work.run("export", "course.a")

    assert "completionCriteria:\n  - id: most\n    type: coursePercentViewed\n" in done.out
    assert 1 == done.out.count("resource:")


def test_a_short_form_alone_is_a_document(work: Workspace) -> None:
    """A criterion exported by its own address says which course it belongs to."""
    work.course("a", "completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]\n")
    work.apply()

    said = "resource: completionCriterion\nkey: a.most\ncourse: a\n"

    assert work.run("export", "criterion.a.most").out.startswith(said)


def test_a_resource_of_another_key_stays_a_document(work: Workspace) -> None:
    """A criterion with a manifest of its own is exported as one, in the file of its course."""
    work.course(
        "a",
        "---\nresource: completionCriterion\nkey: most\ncourse: a\n"
        "type: coursePercentViewed\npercent: 80\n",
    )
    work.apply()

    text = (afresh(work) / "courses" / "a.yaml").read_text("utf-8")

    assert "---\nresource: completionCriterion\nkey: most\ncourse: a\n" in text


def test_a_pattern_names_many(work: Workspace) -> None:
    """A pattern selects resources as in a shell."""
    for key in ("a1", "a2", "b"):
        work.course(key)
    work.apply()

    done = work.run("export", "--json", "course.a*")

    assert ["course.a1", "course.a2"] == [m["address"] for m in done.json["manifests"]]


def test_a_misspelt_address_is_guessed(work: Workspace) -> None:
    """A misspelt address gets a suggestion, and nothing else is exported instead."""
    work.course("safety")
    work.apply()

    done = work.run("export", "course.saftey")

    assert (64, "") == (done.code, done.out)
    assert "did you mean `course.safety`?" in done.err


def test_nothing_recorded_is_nothing_exported(work: Workspace) -> None:
    """With nothing recorded, the stream is empty and stderr says so."""
    done = work.run("export")

    assert (0, "", "nothing is recorded\n") == (done.code, done.out, done.err)


def test_no_file_is_written_over(work: Workspace) -> None:
    """If one of the files exists, none is written."""
    for key in ("a", "b"):
        work.course(key)
    work.apply()
    work.write("out/courses/b.yaml", "mine\n")

    done = work.run("export", "--out", "out")

    assert 64 == done.code
    assert ["b.yaml"] == [file.name for file in (work.root / "out/courses").iterdir()]
    assert "mine\n" == (work.root / "out/courses/b.yaml").read_text()


def test_force_writes_over(work: Workspace) -> None:
    """`--force` overwrites files that exist."""
    work.course("a")
    work.apply()
    work.write("out/courses/a.yaml", "mine\n")

    assert 0 == work.run("export", "--out", "out", "--force").code
    assert (work.root / "out/courses/a.yaml").read_text().startswith("resource: course\nkey: a\n")


def test_a_place_that_cannot_be_written_is_told(work: Workspace) -> None:
    """If the folder cannot be written, the system's error is shown without a traceback."""
    work.course("a")
    work.apply()
    work.write("out/courses", "a file where a folder should be\n")

    done = work.run("export", "--out", "out")

    assert (1, True) == (done.code, "cannot be written" in done.err)


def test_long_bodies_go_beside(work: Workspace) -> None:
    """Long bodies go to .md or .html files; short ones stay in the manifest."""
    work.course("a", edit=("Good morning", json.dumps(LONG)))
    work.course("b")
    work.apply()

    folder = afresh(work, "--body-files")

    files = sorted(str(f.relative_to(folder)) for f in (folder / "courses").rglob("*.*"))
    assert ["courses/a.yaml", "courses/a/hello.md", "courses/b.yaml"] == files


@pytest.mark.parametrize("option", ["--force", "--body-files"])
def test_options_of_files_need_a_folder(work: Workspace, option: str) -> None:
    """Options about files are refused without --out."""
    assert 64 == work.run("export", option).code


def test_what_is_recorded_and_cannot_be_read_again_is_told(work: Workspace) -> None:
    """A form that this version would not make is exported with a warning."""
    work.course("a")
    work.apply()
    place = open_workspace(work.root, None, work.env)
    with place.store() as store, store.hold_state():
        record = store.find_record(Address("course", "a"))
        assert record
        odd = record.form | {"customFields": {"level": {"$ref": "x.y", "id": "id"}}}
        store.put_records([record._replace(packed=pack_text(canonical_text(odd)))], reason="test")

    assert "the manifest of course.a leaves out some" in work.run("export").err


@pytest.mark.slow
def test_the_nasty_set_is_applied_and_comes_back(work: Workspace, platform: Platform) -> None:
    """What `validate` accepts reaches the platform unchanged, and `export` gives it back."""
    for nasty in NASTY:
        if nasty.accepted and len(nasty.raw) < 150_000 and nasty.name not in NEED_MORE:
            (work.root / f"{nasty.name}.yaml").write_bytes(nasty.raw)
    desired = forms(work.root)

    done = work.apply()

    assert (0, "") == (done.code, "".join(li for li in done.out.splitlines(True) if "rror" in li))
    assert 0 == work.run("plan", "--detailed-exitcode").code
    assert desired == forms(afresh(work))
