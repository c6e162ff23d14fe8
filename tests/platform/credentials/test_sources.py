"""Where secrets are found, and what is said where they are not."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lmssync.errors import WrongUse
from lmssync.platform.credentials import sources, sources as commands
from lmssync.settings import SecretSource
from lmssync.support import redaction

KEY = "the-key-of-the-platform"


def program(folder: Path, body: str) -> str:
    """A Python program that runs by its path."""
    file = folder / "prints"
    file.write_text(f"#!{sys.executable}\nimport os, sys, time\n{body}\n")
    file.chmod(0o700)
    return str(file)


def printed(tmp_path: Path, body: str, *args: str, **env: str) -> str:
    catalog = tmp_path / "catalog"
    catalog.mkdir()
    return commands.run_secret_command(
        [program(tmp_path, body), *args], {**os.environ, **env}, catalog
    )


def refused(tmp_path: Path, body: str) -> str:
    with pytest.raises(WrongUse) as caught:
        printed(tmp_path, body)
    return caught.value.message


def test_a_variable_may_name_a_file(tmp_path: Path):
    """`NAME_FILE` names a file that holds the key on one line; the variable itself goes first."""
    (tmp_path / "key").write_text(f"{KEY}\n")
    env = {"LMSSYNC_API_KEY_FILE": str(tmp_path / "key")}
    both = env | {"LMSSYNC_API_KEY": "own"}
    assert [KEY, "own"] == [sources.read_variable("LMSSYNC_API_KEY", e).value for e in (env, both)]


@pytest.mark.parametrize(
    ("text", "told"),
    [(None, "No such file"), ("", "is empty"), ("a\nb\n", "a line break"), ("\x00", "a line br")],
)
def test_a_file_that_holds_no_key(tmp_path: Path, text: str | None, told: str):
    """The message names the file and quotes nothing of it."""
    if text is not None:
        (tmp_path / "key").write_text(text)
    env = {"LMSSYNC_API_KEY_FILE": str(tmp_path / "key")}
    with pytest.raises(WrongUse, match=told):
        sources.read_variable("LMSSYNC_API_KEY", env)


def test_names_that_no_system_takes(tmp_path: Path):
    """A NUL in a file of one's own is told in words."""
    for read in (
        lambda: sources.read_secret_file(Path("a\0b"), "your file"),
        lambda: commands.run_secret_command(["a\0b"], dict(os.environ), tmp_path),
        lambda: commands.run_secret_command([sys.executable, "a\0b"], dict(os.environ), tmp_path),
    ):
        with pytest.raises(WrongUse, match=r"null|there is no program"):
            read()


def test_a_command_prints_a_key(tmp_path: Path):
    """Its arguments reach it as they are: no shell reads them."""
    body = f"print('{KEY}' if sys.argv[1] == '$(id) *;' else 'no')"
    assert KEY == printed(tmp_path, body, "$(id) *;")


def test_a_command_that_fails_says_why_without_the_key(tmp_path: Path):
    """Its last complaint is shown; what it has printed is taken out of it."""
    text = f"print('{KEY}'); print('first', file=sys.stderr); sys.exit('no {KEY} here\\x1b')"

    message = refused(tmp_path, text)

    assert message.endswith("prints no key: no *** here\\x1b")
    redaction.forget_secrets()


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("sys.exit(7)", "it ended with 7"),
        ("pass", "is not one line"),
        ("print('a'); print('b')", "is not one line"),
        ("print('a' * 70_000)", "is not one line"),
        ("sys.stderr.write('x' * 10_000_000); sys.exit(1)", "xxx"),
    ],
)
def test_a_command_that_prints_no_key(tmp_path: Path, body: str, told: str):
    """Whatever it prints, the run ends in words."""
    assert told in refused(tmp_path, body)
    redaction.forget_secrets()


_CLOSED = "os.closerange(0, 3); time.sleep(60)"


@pytest.mark.parametrize(
    "body", ["time.sleep(60)", "os.fork() and sys.exit(); time.sleep(60)", _CLOSED]
)
def test_a_command_that_does_not_end_is_ended(tmp_path: Path, body: str):
    """So is what it has started and left holding its output, and one that has closed its own."""
    name = program(tmp_path, body)
    with pytest.raises(WrongUse, match="prints no key"):
        commands.run_secret_command([name], dict(os.environ), tmp_path / "catalog", seconds=0.3)


def test_a_program_of_the_catalog_is_not_run(tmp_path: Path):
    """A stranger may have written it, also where a link leads to it."""
    inside = program(tmp_path, f"print('{KEY}')")
    link = tmp_path.parent / f"{tmp_path.name}-link"
    link.symlink_to(inside)
    for name in (inside, str(link)):
        with pytest.raises(WrongUse, match="is in the catalog"):
            commands.run_secret_command([name], dict(os.environ), tmp_path)


@pytest.mark.parametrize("name", ["./prints", "bin/prints", "no-such-program"])
def test_a_program_is_found_by_its_whole_path(tmp_path: Path, name: str):
    """Nothing depends on the folder of the run, nor on relative folders of PATH."""
    program(tmp_path, f"print('{KEY}')")
    with pytest.raises(WrongUse, match="there is no program"):
        commands.run_secret_command([name], {"PATH": f".{os.pathsep}bin"}, tmp_path / "catalog")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", False),
        ("pass show a", True),
        ("x\npass 'show' a", True),
        ("pass show", False),
        ("pass show a b", False),
    ],
)
def test_a_command_is_allowed_word_for_word(value: str, expected: bool):
    """`LMSSYNC_KEY_COMMANDS` has one command on a line, written as for a shell."""
    env = {"LMSSYNC_KEY_COMMANDS": value}
    assert expected is commands.is_command_allowed(["pass", "show", "a"], env)


@pytest.fixture
def keyring() -> Iterator[None]:
    """The keyring of the system has one entry, and one that is locked."""
    library = pytest.importorskip("keyring")

    class Backend(library.backend.KeyringBackend):
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            if service == "lmssync-locked":
                raise library.errors.KeyringLocked("it is locked")
            return {"lmssync-p/ci": KEY}.get(f"{service}/{username}")

        def set_password(self, *_: str) -> None:
            """Nobody writes here."""

    before = library.get_keyring()
    library.set_keyring(Backend())
    yield
    library.set_keyring(before)


def test_an_entry_of_the_keyring(keyring: None, tmp_path: Path):
    """The catalog names service and user."""
    source = SecretSource(keyring="lmssync-p/ci")
    assert KEY == sources.of_catalog(source, {}, tmp_path).value


@pytest.mark.parametrize(
    ("name", "told", "hint"),
    [
        ("lmssync-p/you", "has no entry `lmssync-p/you`", "keyring set lmssync-p you"),
        ("lmssync-locked/ci", "cannot be read: it is locked", "unlock it"),
    ],
)
def test_an_entry_that_is_not_there(keyring: None, name: str, told: str, hint: str):
    """The hint has the command that makes one."""
    with pytest.raises(WrongUse, match=told) as caught:
        sources.read_keyring_entry(name)
    assert hint in caught.value.hint


def test_the_library_of_keyrings_is_an_extra(monkeypatch: pytest.MonkeyPatch):
    """Without it the hint says what to install."""
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(WrongUse, match="not installed") as caught:
        sources.read_keyring_entry("lmssync-p/ci")
    assert re.fullmatch(r"`.* install .*\[keyring\].*` installs it", caught.value.hint)
