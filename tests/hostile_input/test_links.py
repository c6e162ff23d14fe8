"""A link in a checkout leads nowhere but into the checkout."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from lmssync.support import safe_files
from tests import making

from .conftest import Stranger, course, everything

FORMS = ("text", "json", "sarif", "github", "junit")
SECRET = "s3cr3t"
READ_AS = (
    "courses/b.yaml",
    "courses/b.yml",
    "courses/b.yaml.j2",
    "overlays/sandbox/b.yaml",
    "policies/b.yaml",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("names", [["lmssync.yaml"], READ_AS], ids=["project", "manifests"])
def test_what_lies_elsewhere_is_not_told(
    root: Path, home: Path, run: Stranger, names: Sequence[str], form: str
):
    """A link to a secret in the user's home does not print the secret."""
    for name in names:
        making.put(root, name, "")
        (root / name).unlink()
        (root / name).symlink_to(home / ".npmrc")
    done = run("validate", "--format", form)
    assert done.code in {3, 64}
    assert SECRET not in done.said
    assert len(names) <= done.said.count("a link leads out of the catalog")


@pytest.mark.parametrize("command", [("plan",), ("fmt", "--diff"), ("fmt",), ("fmt", "courses")])
def test_nor_by_other_commands(root: Path, home: Path, run: Stranger, command: tuple[str, ...]):
    """Commands that show a plan or the order of keys do not print it either."""
    (home / "odd.yaml").write_text(f"title: {SECRET}\nresource: course\n")
    (root / "courses/b.yaml").symlink_to(home / "odd.yaml")
    before = everything(home)
    done = run(*command, LMSSYNC_API_KEY="x")
    assert 3 == done.code
    assert SECRET not in done.said
    assert before == {k: v for k, v in everything(home).items() if not k.startswith(".cache")}


@pytest.mark.parametrize(
    ("topic", "target"),
    [
        ("{id: t, title: T, type: text, bodyFile: l.md}", "token.md"),
        ("{id: t, title: T, type: text, bodyFile: l.md}", "checkout/.git/config"),
        ("{id: t, title: T, type: text, bodyFile: d/token.md}", ""),
    ],
)
def test_no_body_is_taken_from_elsewhere(
    root: Path, home: Path, run: Stranger, topic: str, target: str
):
    """No body is read through a link out of the catalog or to a hidden file."""
    making.put(root, ".git/config", f"extraheader = {SECRET}")
    making.put(root, "courses/b.yaml", course("b", topic=topic))
    place = root.parent / target if "checkout" in target else home / target
    (root / "courses" / ("l.md" if target else "d")).symlink_to(place)
    done = run("validate")
    assert 3 == done.code
    assert "error[file-outside]" in done.out
    assert SECRET not in done.said


def test_no_table_is_read_from_elsewhere(root: Path, home: Path, run: Stranger):
    """No table is read through a link, since its problems would quote it."""
    making.put(
        root,
        "licenses.yaml",
        "resource: licenseAssignment\nkey: x\nlicenses: [7d1c0000-0000-4000-8000-000000000001]\n"
        "usersFile: staff.csv\n",
    )
    (root / "staff.csv").symlink_to(home / "staff.csv")
    done = run("validate")
    assert "error[file-outside]" in done.out
    assert SECRET not in done.said


def test_links_of_a_working_folder_are_not_followed(root: Path, home: Path, run: Stranger):
    """A link at `.lmssync` is not followed: nothing is created or emptied there."""
    making.put(home, "other.db", "another program's")
    (root / ".lmssync").symlink_to(home / "made")
    before = everything(home)
    assert 0 == run("validate", HOME="").code
    assert before == everything(home)
    (root / ".lmssync").unlink()
    (root / ".lmssync").mkdir()
    for name in ("cache.db", ".gitignore"):
        (root / ".lmssync" / name).symlink_to(home / "other.db")
    assert 0 == run("validate", HOME="").code
    assert before == everything(home)


def test_a_link_within_the_checkout(root: Path, run: Stranger):
    """A link within the checkout is read like any other file."""
    making.put(root, "shared/t.md", "Hello")
    topic = "{id: t, title: T, type: text, bodyFile: l.md}"
    making.put(root, "courses/b.yaml", course("b", topic=topic))
    (root / "courses/l.md").symlink_to("../shared/t.md")
    (root / "c.yaml").symlink_to("shared/c.yml")
    making.put(root, "shared/c.yml", course("c"))
    assert "key-twice" in run("validate").out
    (root / "c.yaml").unlink()
    assert 0 == run("validate").code


def test_bare_fmt_leaves_what_a_link_leads_to(root: Path, run: Stranger):
    """`fmt` without names does not write through links."""
    making.put(root, "notes.txt", "key: b\nresource: course\n")
    making.put(root, "courses/c.yaml", "key: c\nresource: course\n")
    (root / "b.yaml").symlink_to("notes.txt")
    (root / "c.yaml").symlink_to("courses/c.yaml")
    done = run("fmt")
    assert (0, "courses/c.yaml\n") == (done.code, done.out)
    assert "key: b\nresource: course\n" == (root / "notes.txt").read_text()
    assert "b.yaml\n" == run("fmt", "b.yaml").out


def test_a_link_to_a_folder_is_told(root: Path, run: Stranger):
    """A link to a folder is reported, so that its resources do not vanish silently."""
    (root / "courses").rename(root.parent / "courses")
    (root / "courses").symlink_to(root.parent / "courses")
    for _ in range(2):
        done = run("validate")
        assert done.out.startswith("courses:1:1: warning[folder-link] `courses` is a link")
        assert "Valid: 0 resources" in done.out


def test_a_text_that_is_no_manifest_is_not_shown(root: Path, run: Stranger):
    """Messages about a file that is not a manifest do not quote it."""
    making.put(root, "courses/b.yaml", f"{SECRET}\n")
    making.put(root, "overlays/sandbox/b.yaml", f"{SECRET}\n")
    making.put(root, "policies/b.yaml", f"{SECRET}\n")
    out = run("validate").out
    assert 2 == out.count("the document is a text; ")
    assert SECRET not in out
    making.put(root, "lmssync.yaml", f"{SECRET}\n")
    done = run("validate")
    assert "is a text; it must be a mapping" in done.out
    assert SECRET not in done.said


def test_a_folder_that_becomes_a_link_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder that is swapped for a link after the check is not followed."""
    making.put(tmp_path, "root/a/x.md", "ours")
    making.put(tmp_path, "elsewhere/x.md", "theirs")
    regular = safe_files._require_regular

    def swapped(found: os.stat_result) -> None:
        if not (tmp_path / "root/a").is_symlink():
            (tmp_path / "root/a").rename(tmp_path / "root/b")
            (tmp_path / "root/a").symlink_to(tmp_path / "elsewhere")
        regular(found)

    monkeypatch.setattr(safe_files, "_require_regular", swapped)
    assert b"ours" == safe_files.read_inside(tmp_path / "root", "a/x.md", 9)
