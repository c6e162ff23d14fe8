"""Imports and pulls beside courses of which no read has shown yet which ids they have."""

import pytest

from tests.promises.test_read_later import KEYS, UNIT, unread
from tests.served_catalog import EXTENDED, Platform, Workspace


@pytest.fixture(autouse=True)
def _made(work: Workspace, instance: Platform) -> None:
    """Seven courses, of which one is read back and one has its mark changed by hand."""
    instance.order("switches", {"idOrder": "request"})
    work.write("lmssync.yaml", EXTENDED.replace("profile:", "verify: needed, profile:"))
    for key in (*KEYS, "g"):
        work.write(f"{key}.yaml", UNIT.format(key=key))
    work.write("b.yaml", UNIT.format(key="b") + "prerequisiteCourses: [a]\n")
    work.apply()
    for key in "cd":
        edit(instance, key, sku=f"HR-{key}")


def course(platform: Platform, key: str) -> str:
    """The id of a course."""
    return str(next(one["id"] for one in platform.dump("courses") if one["title"] == f"Unit {key}"))


def edit(platform: Platform, key: str, **fields: object) -> None:
    order = {"list": "courses", "id": course(platform, key), "set": fields}
    platform.order("edit", order)


def test_what_was_not_read_is_not_imported(work: Workspace, instance: Platform) -> None:
    """All ids of a batch are ours, also those of which nobody can tell whose they are."""
    done = work.run("import", "--all", "--dry-run")

    assert 0 == done.code, done.err
    assert "7 resources managed or in the catalog already" in done.out
    assert "bcdefg" == unread(work)


def test_an_import_names_what_it_refers_to(work: Workspace, instance: Platform) -> None:
    """A course that was not read yet is read for its name; what nobody can tell keeps its id."""
    work.run("drift", "course.g")
    work.run("state", "forget", "--drop-ids", "course.g")
    (work.root / "g.yaml").unlink()
    ids = [course(instance, "e"), course(instance, "c")]
    edit(instance, "g", prerequisiteCourseIds=ids)

    done = work.run("import", "--all")
    assert 0 == done.code, done.err
    (file,) = (work.root / "courses").rglob("*.yaml")
    assert f"prerequisiteCourses:\n  - e\n  - {ids[1]}\n" in file.read_text()
    assert "bcd" == unread(work)  # b has a batch of its own


def test_what_was_forgotten_unread_is_read_for_its_address(
    work: Workspace, instance: Platform
) -> None:
    """Where nobody can tell whose an id is, the course is left alone."""
    work.run("state", "rm", "course.c", "course.e")
    for key in "ce":
        (work.root / f"{key}.yaml").unlink()

    done = work.run("import", "--all", "--json")
    assert 0 == done.code, done.err
    imported = [one["address"] for one in done.json["imported"]]
    assert ["course.e"] == [one for one in imported if one.startswith("course.")]


def test_a_pull_names_what_it_refers_to(work: Workspace, instance: Platform) -> None:
    """So does a pull."""
    ids = [course(instance, "e"), course(instance, "c")]
    edit(instance, "b", prerequisiteCourseIds=ids)

    done = work.run("pull", "course.b")
    assert 0 == done.code, done.err
    assert f"prerequisiteCourses: [e, {ids[1]}]" in (work.root / "b.yaml").read_text()
