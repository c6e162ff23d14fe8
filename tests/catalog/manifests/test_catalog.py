"""A whole catalog: which files belong to it, and which keys and digest it has."""

import os
from pathlib import Path

import pytest

from lmssync.catalog.manifests.catalog import Catalog
from lmssync.catalog.manifests.catalog_files import walk_catalog
from tests import making

A = "resource: course\nkey: a\nkind: video\ntitle: A\nvideoUrl: https://x\n"
B = A.replace("key: a", "key: b")


def test_what_belongs_to_a_catalog(tmp_path: Path):
    """Every .yaml and .yml below the root, but not what is hidden or reserved."""
    for name in ("a.yaml", "x/b.yml", "x/schemas/c.yaml"):
        making.put(tmp_path, name, "")
    for name in ("lmssync.yaml", ".git/d.yaml", "schemas/e.yaml", "x/.f.yaml", "g.txt"):
        making.put(tmp_path, name, "")
    assert ["a.yaml", "x/b.yml", "x/schemas/c.yaml"] == walk_catalog(tmp_path).manifests()


def test_a_link_to_a_folder_is_not_entered(tmp_path: Path):
    """Linked folders are not entered, so links cannot form a circle."""
    making.put(tmp_path, "x/a.yaml", "")
    (tmp_path / "x/loop").symlink_to(tmp_path, target_is_directory=True)
    assert ["x/a.yaml"] == walk_catalog(tmp_path).manifests()


def test_a_key_is_given_once(tmp_path: Path):
    """If a key is used twice, the second place is reported and names the first."""
    making.write(tmp_path, one=A, two=A)
    (problem,) = making.problems(tmp_path)
    assert ("key-twice", "two.yaml", 2, "the key `a` is taken by one.yaml") == (
        problem.code,
        problem.where.file,
        problem.where.line,
        problem.message,
    )


def test_a_key_is_given_once_in_a_file(tmp_path: Path):
    """In one file the first place is named by the number of its document."""
    making.write(tmp_path, one=f"{A}---\n{A}")
    (problem,) = making.problems(tmp_path)
    assert "the key `a` is taken by document 1 of the same file" == problem.message


def test_a_short_form_and_a_long_one_cannot_share_a_key(tmp_path: Path):
    """A short form and a document with the same key are reported."""
    short = A + "completionCriteria: [{id: x, type: coursePercentViewed, percent: 5}]\n"
    long = "resource: completionCriterion\nkey: a.x\ncourse: a\ntype: coursePercentViewed\n"
    long += "percent: 5\n"
    making.write(tmp_path, a=short, b=long)
    assert ["key-twice"] == [problem.code for problem in making.problems(tmp_path)]


def test_the_same_key_for_two_kinds(tmp_path: Path):
    """A key must be unique only within its kind."""
    license_ = "resource: license\nkey: a\nclient: c\nname: A\ncourses: [a]\n"
    license_ += "learningPaths: []\ncourseTags: []\n"
    making.write(tmp_path, a=A, b=license_)
    assert [] == making.problems(tmp_path)


def test_the_digest_does_not_depend_on_files(tmp_path: Path):
    """The digest stays the same if files are moved, split, reordered or commented."""
    one = making.write(_folder(tmp_path, "one"), all=f"{A}---\n{B}")
    reordered = "".join(reversed(B.splitlines(keepends=True)))
    two = making.write(_folder(tmp_path, "two"), z__b=reordered, y__a=f"# a comment\n{A}")
    assert making.loaded(one).digest == making.loaded(two).digest


def _folder(root: Path, name: str) -> Path:
    (root / name).mkdir()
    return root / name


@pytest.mark.parametrize(
    "change", [A.replace("title: A", "title: C"), A.replace("key: a", "key: c")]
)
def test_the_digest_depends_on_what_is_desired(tmp_path: Path, change: str):
    """The digest changes with any field and with the key."""
    one = making.write(_folder(tmp_path, "one"), a=A)
    two = making.write(_folder(tmp_path, "two"), a=change)
    assert making.loaded(one).digest != making.loaded(two).digest


@pytest.mark.skipif(os.getuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_a_problem(tmp_path: Path):
    """A file that may not be read is reported in the system's words."""
    making.write(tmp_path, a=A)
    (tmp_path / "a.yaml").chmod(0)
    assert ["unreadable"] == [problem.code for problem in making.problems(tmp_path)]


def test_a_dangling_link_is_a_problem(tmp_path: Path):
    """A manifest that is a dangling link is reported and not skipped."""
    making.write(tmp_path, a=A)
    (tmp_path / "b.yaml").symlink_to(tmp_path / "nowhere.yaml")
    (problem,) = making.problems(tmp_path)
    assert ("unreadable", "b.yaml") == (problem.code, problem.where.file)


def test_an_empty_catalog_is_valid(tmp_path: Path):
    """An empty catalog is valid."""
    assert [] == making.problems(making.write(tmp_path))


def test_a_course_without_a_key_is_told_once(tmp_path: Path):
    """If a course lacks its key, only that is reported, and nothing about what is in it."""
    most = "completionCriteria: [{id: x, type: coursePercentViewed, percent: 8}]\n"
    making.write(tmp_path, a=A.replace("key: a\n", "") + most)
    assert ["missing-field"] == [problem.code for problem in making.problems(tmp_path)]


def test_a_catalog_whose_resources_are_at_hand_answers_as_one_that_fetches_them(tmp_path: Path):
    """Its outlines are its resources, and the digest is the same; it watches no file."""
    making.write(tmp_path, a=A, b=B)
    fetched = making.loaded(tmp_path)
    at_hand = Catalog(tmp_path, dict(fetched.resources), fetched.files)
    assert fetched.digest == at_hand.digest
    assert fetched.outlines.keys() == at_hand.outlines.keys()
    assert set() == at_hand.watched
