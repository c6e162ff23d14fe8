"""Names of files that are more than names, wherever they are printed."""

from pathlib import Path

import pytest

from tests import making

from .conftest import Ran, Stranger

LOOSE = "key: b\nresource: course\n"
FORMS = ("text", "json", "sarif", "github", "junit")
ORDER = "::error file=x::forged"
NAMES = (
    f"{ORDER}.yaml",
    f"  {ORDER}.yaml",
    "##[add-mask]x.yaml",
    "##vso[task.complete]x.yaml",
    f"a\n{ORDER}.yaml",
    "\x1b[2J\x1b]0;x\x07.yaml",
    "\u202egnp.yaml",
    "a\r::stop-commands::x.yaml",
)


def orders(done: Ran) -> list[str]:
    """Lines that a build server would obey, as far as we did not mean them."""
    lines = [line.lstrip() for line in done.said.replace("\r", "\n").split("\n")]
    return [
        line
        for line in lines
        if "\x1b" in line
        or "##[" in line
        or "##vso[" in line
        or (line.startswith("::") and not line.startswith(("::error file=", "::warning file=")))
        or "::forged" in line.split("::")[1:2]
    ]


@pytest.mark.parametrize(
    "command",
    [
        ("fmt",),
        ("fmt", "--check"),
        ("fmt", "--diff"),
        ("validate",),
        ("validate", "--format", "github"),
    ],
    ids="-".join,
)
def test_a_name_gives_no_order(root: Path, run: Stranger, command: tuple[str, ...]):
    """A file name cannot give commands to a terminal or a build server."""
    for name in NAMES:
        making.put(root, name, LOOSE)
    done = run(*command)
    assert [] == orders(done)
    assert done.said.isascii() or "\u202e" not in done.said


def test_a_named_file_and_a_folder(root: Path, run: Stranger):
    """The same holds for names on the command line and for folders that are too deep."""
    for name in NAMES:
        making.put(root, name, LOOSE)
    assert [] == orders(run("fmt", "--check", "--", *NAMES))
    for name in NAMES:
        making.put(root, f"{name}d/" + "d/" * 101 + "x.yaml", LOOSE)
    assert [] == orders(run("fmt", "--check"))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_not_there(run: Stranger, name: str):
    """The same holds for the name of a file that is missing."""
    assert [] == orders(run("fmt", "--check", "--", name))


@pytest.mark.parametrize("form", FORMS)
def test_the_name_of_a_table(root: Path, run: Stranger, form: str):
    """The name of a table in a problem is written without control characters."""
    name = "\x1b[31m\n::error::x.csv"
    text = "resource: licenseAssignment\nkey: x\nlicenses: [7d1c0000-0000-4000-8000-000000000001]\n"
    making.put(root, "l.yaml", text + 'usersFile: "\\e[31m\\n::error::x.csv"\n')
    making.put(root, name, "email\nnobody\n")
    assert [] == orders(run("validate", "--format", form))


@pytest.mark.parametrize("name", ["n" * 300, "a\n::error::b", "\x1b[31m"])
def test_a_folder_to_begin_in(run: Stranger, name: str):
    """`init` handles impossible and unwise folder names without a crash."""
    done = run("init", name)
    assert done.code in {0, 1}
    assert [] == orders(done)
    assert "bug" not in done.err


def test_a_saved_plan_is_for_its_owner(root: Path, run: Stranger):
    """Only the owner can read a saved plan."""
    (root / "courses/a.yaml").unlink()
    done = run("plan", "--out", "plan.json", LMSSYNC_API_KEY="x")
    assert 0 == done.code
    assert 0o600 == (root / "plan.json").stat().st_mode & 0o777


def test_a_course_is_not_begun_elsewhere(root: Path, home: Path, run: Stranger):
    """`new` writes nothing outside the catalog, by name or through a link."""
    (root / "licenses").symlink_to(home)
    for more in (("course", "x", "--file", "../x.yaml"), ("license", "x")):
        done = run("new", *more)
        assert 1 == done.code
        assert "cannot be written" in done.err
    assert not (root.parent / "x.yaml").exists()
    assert not (home / "x.yaml").exists()


@pytest.mark.parametrize("command", [("schema", "--out", "schemas"), ("init",)])
def test_no_schema_is_written_elsewhere(
    root: Path, home: Path, run: Stranger, command: tuple[str, ...]
):
    """`schema --out` writes nothing through a folder that is a link."""
    making.put(home, "course.json", "theirs")
    (root / "lmssync.yaml").unlink()
    (root / "schemas").symlink_to(home)
    done = run(*command)
    assert done.code in {1, 64}
    assert "a link leads out" in done.err
    assert "theirs" == (home / "course.json").read_text()
    assert not (home / "lmssync.json").exists()


def test_what_is_there_is_written_over_and_not_what_it_leads_to(
    root: Path, home: Path, run: Stranger
):
    """A link in the place of a file is replaced and not followed."""
    making.put(home, "course.json", "theirs")
    (root / "out").mkdir()
    (root / "out/course.json").symlink_to(home / "course.json")
    assert 0 == run("schema", "--out", "out").code
    assert not (root / "out/course.json").is_symlink()
    assert "theirs" == (home / "course.json").read_text()
