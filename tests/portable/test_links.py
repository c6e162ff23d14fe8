"""Links lead nobody astray, where a folder is known by its path as well."""

import os
from pathlib import Path

import pytest

from lmssync.support.safe_files import ByDescriptor, ByPath

from .conftest import COURSE, Elsewhere

pytestmark = pytest.mark.skipif(os.name == "nt", reason="to make a link takes a right there")


@pytest.fixture
def outside(elsewhere: Elsewhere) -> Path:
    """A folder beside the catalog, with a file that is nobody's business."""
    folder = elsewhere.root.parent / "outside"
    folder.mkdir()
    (folder / "secret.yaml").write_text(COURSE.replace("Safety", "secret"))
    (folder / "secret.md").write_text("secret")
    return folder


def test_a_body_behind_a_link(elsewhere: Elsewhere, outside: Path):
    """Neither the file itself nor a folder above it may be one that leads out."""
    for way in ("courses/hello.md", "courses/away"):
        (elsewhere.root / way).unlink(missing_ok=True)
        (elsewhere.root / way).symlink_to(outside / "secret.md" if way.endswith("md") else outside)
        done = elsewhere.run("validate")
        assert (3, True) == (done.code, "a link leads out of the catalog" in done.out)
        elsewhere.put("courses/safety.yaml", COURSE.replace("hello.md", "away/secret.md"))


def test_a_manifest_behind_a_link(elsewhere: Elsewhere, outside: Path):
    """It is not read, and `fmt` does not write to it."""
    before = (outside / "secret.yaml").write_bytes(b"title: x\nresource: course\n")
    (elsewhere.root / "a.yaml").symlink_to(outside / "secret.yaml")
    done = elsewhere.run("fmt")
    assert (3, True) == (done.code, "a link leads out of the catalog" in done.err)
    assert before == (outside / "secret.yaml").stat().st_size


@pytest.mark.parametrize(
    "args",
    [("new", "license", "acme", "--file", "away/a.yaml"), ("schema", "--out", "away/below")],
)
def test_nothing_is_written_behind_a_link(
    args: tuple[str, ...], elsewhere: Elsewhere, outside: Path
):
    """A stranger may have put it there."""
    (elsewhere.root / "away").symlink_to(outside)
    before = sorted(outside.iterdir())
    assert elsewhere.run(*args).code in {1, 64}
    assert before == sorted(outside.iterdir())


def test_a_link_inside_is_followed(elsewhere: Elsewhere):
    """To what the catalog holds anyway."""
    (elsewhere.root / "texts").mkdir()
    (elsewhere.root / "courses/hello.md").rename(elsewhere.root / "texts/hello.md")
    (elsewhere.root / "courses/hello.md").symlink_to("../texts/hello.md")
    assert 0 == elsewhere.run("validate").code


@pytest.mark.parametrize("kind", [ByDescriptor, ByPath])
@pytest.mark.parametrize("name", ["link", "file"])
def test_only_folders_are_entered(kind, name: str, tmp_path: Path):
    """A link is none, wherever it leads."""
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path)
    with kind(tmp_path) as folder, pytest.raises(OSError, match=r"directory|symbolic links"):
        folder.enter_folder(name)


@pytest.mark.parametrize("kind", [ByDescriptor, ByPath])
def test_no_link_is_opened(kind, tmp_path: Path):
    """Even one that was put there after the look."""
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    with kind(tmp_path) as folder, pytest.raises(OSError, match="symbolic links"):
        folder.open("link")


def test_another_folder_in_its_place(tmp_path: Path):
    """A folder that is known by its path is looked at each time."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with ByPath(tmp_path) as root, root.enter_folder("a") as folder:
        (tmp_path / "a").rename(tmp_path / "c")
        (tmp_path / "a").symlink_to(tmp_path / "b")
        with pytest.raises(OSError, match="another folder was put in the place"):
            folder.create("x")
    assert [] == list((tmp_path / "b").iterdir())
