"""The opposite of a release, on a branch: what it plans, and what is left to people."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st

from ..making import git
from ..served_catalog import Platform, Workspace, actions, few

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
        if change["action"] in {"update", "manual", "move"}
        for field in change["fields"]
    }


def switch(work: Workspace, branch: str) -> None:
    git(work.root, "switch", "-q", branch)


PAGE = "          - {id: check, title: Check, type: quiz}\n"
LESSON = "      - id: two\n        title: Two\n        openType: open\n        topics:\n"
PARTS = {
    "part": (PAGE, NOTHING),
    "moved part": (PAGE, f"{LESSON}{PAGE}"),
    "new part": ("type: quiz}\n", f"type: quiz}}\n{NEW}"),
}


@pytest.mark.parametrize("name", PARTS)
def test_the_manifest_has_the_parts_that_it_had(applied: Workspace, name: str):
    """Byte for byte, whatever a person has to do for that."""
    file = applied.root / "fire.yaml"
    before = file.read_text("utf-8")
    file.write_text(before.replace(*PARTS[name]), "utf-8")
    apply_release(applied)
    assert applied.run("release", "revert", "autumn").code == 0
    switch(applied, "revert-autumn")
    assert file.read_text("utf-8") == before


def _rename(course: Any) -> None:
    course.setdefault("moved", []).append({"from": f"course.{course['key']}"})
    course["key"] = "flames" if course["key"] == "fire" else "fire"


def _rename_part(course: Any) -> None:
    """The first page gets another id, or its former one."""
    lesson = course["sections"][0]["lessons"][0]
    topic = lesson["topics"][0]
    was, topic["id"] = topic["id"], topic["id"].swapcase()
    around = f"start/{lesson['id']}"
    move = {"from": f"{around}/{was}", "to": f"{around}/{topic['id']}"}
    course.setdefault("moved", []).append(move)


def _shorten(course: Any) -> None:
    """A list loses an item and gets it back."""
    course["prerequisiteCourses"] = ["air", "air2"][: 3 - len(course["prerequisiteCourses"])]


def _toggle(name: str, *values: Any) -> Callable[[Any], None]:
    """An edit that gives a field of the course, or of all its parts, its other value."""

    def edit(value: Any) -> None:
        for inner in value if isinstance(value, list) else value.values():
            if isinstance(inner, list | dict):
                edit(inner)
        if isinstance(value, dict) and value.get(name) in values:
            value[name] = values[1 - values.index(value[name])]

    return edit


CHANGES: dict[str, Callable[[Any], None]] = {
    "key": _rename,
    "list": _shorten,
    "an id": _rename_part,
    "order": lambda course: course["sections"][0]["lessons"].reverse(),
    "price": _toggle("priceInCents", 500, 900),
    "default": _toggle("purchasable", False, True),
    "title": _toggle("title", "Two", "Second"),
    "text": _toggle("markdown", "Good morning", "Fair evening"),
    "access": _toggle("openType", "open", "studentsOnly"),
    "percent": _toggle("percent", 70, 85),
    "left out": lambda course: course.pop("sku", None) or course.update(sku="F1"),
}


def edit_all(work: Workspace, chosen: set[str]) -> None:
    """Edits the course; `earth` is another one, which comes or goes."""
    file, earth = work.root / "fire.yaml", work.root / "earth.yaml"
    course = orjson.loads(file.read_bytes())
    course.pop("moved", None)
    for name in sorted(chosen & CHANGES.keys()):
        CHANGES[name](course)
    file.write_bytes(orjson.dumps(course, option=orjson.OPT_INDENT_2))
    if "earth" in chosen:
        earth.unlink() if earth.exists() else work.course("earth", CRITERION)


def read_all(work: Workspace) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in work.root.glob("*.yaml")}


def known_fields(fields: Mapping[tuple[str, str], Any]) -> Mapping[tuple[str, str], Any]:
    """Fields of what is renamed, under its first key or id; without what a manifest did not say
    before or after, for nobody knows its value."""
    return {
        (address.replace("flames", "fire"), path.lower()): at
        for (address, path), at in fields.items()
        if None not in at or path.endswith("]")
    }


@pytest.fixture
def renewed(applied: Workspace) -> Workspace:
    """The applied courses, one of them as a mapping with two lessons."""
    topics = [
        {"id": f"t{n}", "title": "Hi", "type": "text", "markdown": "Good morning"} for n in "123"
    ]
    lessons = [
        {"id": name, "title": title, "openType": "open", "topics": topics[at : at + 2]}
        for name, title, at in (("one", "One", 0), ("two", "Two", 2))
    ]
    course = {
        "resource": "course",
        "key": "fire",
        "kind": "courseGroup",
        "title": "Title of fire",
        "priceInCents": 500,
        "purchasable": False,
        "sku": "F1",
        "prerequisiteCourses": ["air"],
        "sections": [{"id": "start", "title": "Start", "lessons": lessons}],
        "completionCriteria": [{"id": "all", "type": "coursePercentViewed", "percent": 70}],
    }
    (applied.root / "fire.yaml").write_bytes(orjson.dumps(course))
    edit_all(applied, set())
    applied.course("air2")
    commit(applied, "Renewed")
    assert applied.apply("--allow", "course.fire").code in {0, 7}
    applied.run("resolve", "course.fire", "--done")
    return applied


@few(2)
@given(chosen=st.sets(st.sampled_from([*CHANGES, "earth"]), min_size=4, max_size=7))
def test_the_plan_of_the_branch_is_the_plan_backwards(renewed: Workspace, chosen: set[str]):
    """Field by field, whatever was changed together, and each file byte for byte."""
    before = read_all(renewed)
    edit_all(renewed, chosen)
    name = f"r{renewed.run('release', 'list', '--all').out.count('owner')}"
    renewed.write(f"releases/{name}.yaml", RELEASE.replace("autumn", name, 1))
    commit(renewed, name)
    made = renewed.plan("--release", name)
    applied = renewed.apply("--release", name)
    assert applied.code == 0, applied.out + applied.err
    done = renewed.run("release", "revert", name)
    assert done.code == 0, done.err
    switch(renewed, f"revert-{name}")
    after, back = read_all(renewed), renewed.plan()
    switch(renewed, "main")
    assert known_fields(fields(back, back=True)) == known_fields(fields(made))
    if chosen & {"key", "an id"}:  # then it says which it has now
        before.pop("fire.yaml"), after.pop("fire.yaml")
    assert after == before


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


def test_what_changed_again_in_an_open_release_is_not_overwritten(
    applied: Workspace, platform: Platform
):
    """What was to be applied is known from its commit."""
    file = applied.root / "fire.yaml"
    file.write_text(file.read_text("utf-8").replace("500", "900"), "utf-8")
    platform.fault("answer", "course.update", status=400, body={"errors": ["no"]})
    apply_release(applied)
    file.write_text(file.read_text("utf-8").replace("Title of", "Name of"), "utf-8")
    commit(applied, "Later")
    assert "changed again after the release" in applied.run("release", "revert", "autumn").err


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


def test_parts_with_other_ids_get_their_former_ones_back(applied: Workspace):
    """With a `moved` of each, so that they stay what they are; one inside the other, too."""
    file = applied.root / "fire.yaml"
    before = file.read_text("utf-8")
    text = before.replace("id: check", "id: probe").replace("id: one", "id: first")
    moves = "{from: start/one, to: start/first}, {from: start/first/check, to: start/first/probe}"
    file.write_text(f"{text}moved: [{moves}]\n", "utf-8")
    apply_release(applied)
    assert applied.run("release", "revert", "autumn").code == 0
    switch(applied, "revert-autumn")
    said = file.read_text("utf-8")
    assert said.startswith(before)
    assert "from: start/one/probe\n    to: start/one/check\n" in said
    assert actions(applied.plan()).get("course.fire", "unchanged") == "unchanged"
