"""The opposite of a release, on a branch: what it plans, and what is left to people."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ..making import git
from ..served_catalog import Platform, Workspace, actions

RELEASE = """\
release: autumn
about: The autumn programme.
owner: "@ana"
addresses: ['*']
"""
TITLE = ("title: Title of KEY", "title: Title of KEY\npriceInCents: 500")
NOTHING = ""
NEW = "          - {id: b, title: B, type: text, markdown: B}\n"
CRITERION = "completionCriteria: [{id: all, type: coursePercentViewed, percent: 70}]\n"


@pytest.fixture
def applied(work: Workspace) -> Workspace:
    """Two applied courses in git, one with a price."""
    git(work.root, "init", "-q", "-b", "main")
    work.write(".gitignore", ".lmssync/\n")
    work.course("fire", edit=TITLE)
    work.course("air", CRITERION)
    commit(work, "Base")
    assert work.apply().code == 0
    return work


def commit(work: Workspace, text: str) -> None:
    git(work.root, "add", "-A")
    git(work.root, "commit", "-qm", text)


def apply_release(work: Workspace) -> Any:
    """Commits and applies a release with everything; the plan of it."""
    work.write("releases/autumn.yaml", RELEASE)
    commit(work, "Autumn")
    made = work.plan("--release", "autumn")
    assert work.apply("--release", "autumn").code in {0, 7}
    return made


def fields(plan: Any, *, back: bool = False) -> Mapping[tuple[str, str], tuple[Any, Any]]:
    """Before and after of each field of what is updated, or the other way about."""
    ends = ("after", "before") if back else ("before", "after")
    return {
        (change["address"], field["path"]): (field.get(ends[0]), field.get(ends[1]))
        for change in plan["changes"]
        if change["action"] in {"update", "manual"}
        for field in change["fields"]
    }


def switch(work: Workspace, branch: str) -> None:
    git(work.root, "switch", "-q", branch)


EDITS = {
    "price": ("priceInCents: 500", "priceInCents: 900"),
    "text": ("Good morning", "Fair evening to everybody"),
    "titles": ("title: One", "title: The first one"),
    "part": ("          - {id: check, title: Check, type: quiz}\n", NOTHING),
    "new part": (
        "type: quiz}\n",
        "type: quiz}\n          - {id: b, title: B, type: text, markdown: B}\n",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_the_plan_of_the_branch_is_the_plan_backwards(applied: Workspace, name: str):
    """Field by field; and the manifest is, byte for byte, what it was."""
    file = applied.root / "fire.yaml"
    before = file.read_text("utf-8")
    file.write_text(before.replace(*EDITS[name]), "utf-8")
    made = apply_release(applied)
    assert applied.run("release", "revert", "autumn").code == 0
    switch(applied, "revert-autumn")
    assert file.read_text("utf-8") == before
    undone = fields(applied.plan(), back=True)
    assert undone.keys() <= fields(made).keys() or name in {"part", "new part"}
    assert undone == {key: value for key, value in fields(made).items() if key in undone}


def test_another_document_of_the_file_stays(applied: Workspace):
    """It was added since the release."""
    file = applied.root / "fire.yaml"
    old = file.read_text("utf-8")
    file.write_text(old.replace("500", "900"), "utf-8")
    apply_release(applied)
    water = f"---\n{old.replace('fire', 'water')}"
    file.write_text(old.replace("500", "900") + water, "utf-8")
    commit(applied, "Water")
    assert applied.run("release", "revert", "autumn").code == 0
    switch(applied, "revert-autumn")
    assert file.read_text("utf-8") == old + water


def test_what_a_release_has_made_leaves_the_catalog_and_people_are_told(applied: Workspace):
    """A course with its criterion, and a criterion in a course that stays."""
    applied.course(
        "earth", "completionCriteria: [{id: all, type: coursePercentViewed, percent: 70}]\n"
    )
    more = (applied.root / "fire.yaml").read_text("utf-8")
    most = "completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]\n"
    applied.write("fire.yaml", more + most)
    apply_release(applied)
    said = applied.run("release", "revert", "autumn")
    assert said.code == 0, said.err
    assert "course.earth: a person archives it" in said.out
    assert "Written again" not in said.out
    switch(applied, "revert-autumn")
    assert (applied.root / "fire.yaml").read_text("utf-8") == more
    assert actions(applied.plan()) == {
        "course.earth": "forget",
        "criterion.earth.all": "forget",
        "criterion.fire.most": "manual",
    }


def test_what_a_release_has_taken_out_comes_back(applied: Workspace, platform: Platform):
    """A criterion that left with a release is managed again."""
    text = (applied.root / "air.yaml").read_text("utf-8")
    (applied.root / "air.yaml").unlink()
    apply_release(applied)
    assert applied.run("release", "revert", "autumn").code == 0
    switch(applied, "revert-autumn")
    assert (applied.root / "air.yaml").read_text("utf-8") == text
    assert set(actions(applied.plan())) == {"course.air", "criterion.air.all"}


def test_work_in_progress_and_a_detached_head_do_not_matter(applied: Workspace):
    """The branch begins at HEAD; files, index and branch of the person stay as they are."""
    file = applied.root / "fire.yaml"
    file.write_text(file.read_text("utf-8").replace("500", "900"), "utf-8")
    apply_release(applied)
    git(applied.root, "switch", "-q", "--detach")
    applied.course("air", "key: twice\n")  # not even valid
    hook = applied.root / ".git" / "hooks" / "reference-transaction"
    hook.write_text("#!/bin/sh\ntouch ../ran ran\n")
    hook.chmod(0o755)
    assert applied.run("release", "revert", "autumn").code == 0
    assert not list(applied.root.glob("**/ran"))
    assert "key: twice" in (applied.root / "air.yaml").read_text("utf-8")
    again = applied.run("release", "revert", "autumn")
    assert again.code == 64
    assert "there is a branch revert-autumn already" in again.err


def test_what_changed_again_since_is_not_overwritten(applied: Workspace):
    """A revert would take the later change back as well."""
    file = applied.root / "fire.yaml"
    file.write_text(file.read_text("utf-8").replace("500", "900"), "utf-8")
    apply_release(applied)
    file.write_text(file.read_text("utf-8").replace("900", "950"), "utf-8")
    commit(applied, "Later")
    ended = applied.run("release", "revert", "autumn")
    assert ended.code == 64
    assert "course.fire changed again after the release autumn" in ended.err


def test_nothing_was_applied_of_it(applied: Workspace):
    """The name of a release alone reverts nothing."""
    ended = applied.run("release", "revert", "autumm")
    assert ended.code == 64
    assert "nothing of a release `autumm` was applied here" in ended.err


def test_an_open_release_is_reverted_with_its_file(applied: Workspace, platform: Platform):
    """As long as the file is there, plans would leave alone what is to be taken back."""
    file = applied.root / "fire.yaml"
    file.write_text(file.read_text("utf-8").replace("500", "900"), "utf-8")
    platform.fault("answer", "course.update", status=400, body={"errors": ["no"]})
    apply_release(applied)
    assert applied.run("release", "revert", "autumn").code == 0
    switch(applied, "revert-autumn")
    assert not (applied.root / "releases/autumn.yaml").exists()
    assert actions(applied.plan()) == {}


def test_what_was_written_beside_a_release_stays(applied: Workspace):
    """Comments before it and after it, and what others have changed in the same file."""
    file = applied.root / "fire.yaml"
    file.write_text(f"# Before\n{file.read_text('utf-8')}", "utf-8")
    commit(applied, "Comment")
    text = file.read_text("utf-8")
    file.write_text(text.replace("500", "900"), "utf-8")
    apply_release(applied)
    later = "lifecycle: {protect: true}  # Ours\n"
    file.write_text(text.replace("500", "900") + later, "utf-8")
    commit(applied, "Later")
    assert applied.run("release", "revert", "autumn").code == 0
    switch(applied, "revert-autumn")
    assert file.read_text("utf-8") == text + later


def test_an_overlay_and_included_files_are_put_back(applied: Workspace):
    """As much as the manifest itself, of which nothing is written anew."""
    part = "part: lesson\ncontent:\n  title: Out\n  openType: open\n  topics:\n"
    part += "    - {id: out, title: Out, type: text, bodyFile: out.md}\n"
    applied.write("shared/out.part.yaml", part)
    include = "lessons:\n      - {include: shared/out.part.yaml, id: out}\n"
    applied.course("earth", edit=("lessons:\n", include))
    patch = "resource: course\nkey: earth\npriceInCents: 700\n"
    files = {"overlays/sandbox/earth.yaml": patch, "shared/out.md": "Walk 700\n"}
    for number in ("700", "800"):
        for name, text in files.items():
            applied.write(name, text.replace("700", number))
        commit(applied, number)
        made = apply_release(applied) if number == "800" else applied.apply()
    done = applied.run("release", "revert", "autumn", "--json").json
    assert (done["files"], done["rewritten"]) == (sorted(files), [])
    switch(applied, "revert-autumn")
    assert fields(applied.plan(), back=True) == fields(made)


def test_a_clone_without_history_reverts_from_the_state(applied: Workspace, tmp_path: Path):
    """Nothing of git is needed but HEAD."""
    file = applied.root / "fire.yaml"
    file.write_text(file.read_text("utf-8").replace("500", "900"), "utf-8")
    apply_release(applied)
    commit_of_nobody = ("commit", "-q", "--allow-empty", "-m", "Later")
    git(applied.root, *commit_of_nobody)
    source = applied.root.as_uri()
    git(applied.root, "clone", "-q", "--depth", "1", source, str(tmp_path / "clone"))
    shutil.copytree(applied.root / ".lmssync", tmp_path / "clone" / ".lmssync")
    done = applied.run("release", "revert", "autumn", "--json", "-C", str(tmp_path / "clone"))
    assert done.json["rewritten"] == ["fire.yaml"]


def test_a_link_is_not_written_over(applied: Workspace):
    """What it leads to may belong to others."""
    file = applied.root / "fire.yaml"
    applied.write("shared/fire.txt", file.read_text("utf-8"))
    file.unlink()
    file.symlink_to("shared/fire.txt")
    commit(applied, "Link")
    applied.write("shared/fire.txt", file.read_text("utf-8").replace("500", "900"))
    apply_release(applied)
    assert (
        "fire.yaml is a link, which is not written over"
        in applied.run("release", "revert", "autumn").err
    )


def test_a_field_that_no_manifest_had_stays_on_the_platform(applied: Workspace):
    """Nobody knows what it was: people are told; and one that a release left out comes back."""
    file = applied.root / "fire.yaml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("priceInCents: 500", "description: New"), "utf-8")
    apply_release(applied)
    done = applied.run("release", "revert", "autumn", "--json").json
    said = [
        {"address": "course.fire", "way": "description stays as it is: no manifest said it before"}
    ]
    assert done["byPeople"] == said
    switch(applied, "revert-autumn")
    assert file.read_text("utf-8") == text
