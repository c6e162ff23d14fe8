"""Whatever stands on the command line, it is answered in words."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click
import pytest

from lmssync.cli.main import COMMANDS, cli

from .answers import ORDER
from .whole import CATALOG
from .wholly import check, run

EXAMPLES = int(os.environ.get("FUZZ_ARGUMENTS", "40"))
LEFT_OUT = {"demo", "language-server", "sandbox", "watch"}
"""They serve until somebody stops them."""
ENDLESS = {"--watch", "--serve"}
_ORDER = ORDER.replace("\0", "")  # no process can be given one
ODD = (
    *("", " ", "-", "--", "--=", "-" * 50, ".", "..", "folder", "link", "pipe", "plan.json"),
    *("/dev/null", "/dev/zero", "/proc/self/mem", "/proc/none/x", "lmssync.yaml", "courses"),
    *("*", "course", "course.", ".x", "course.a", "course.safety-101", "course.*", "*.*", "["),
    *("a=b", "course.a=1", f"course.a={_ORDER}", _ORDER, f"course.{_ORDER}", "\udcff\udc80"),
    *("é\u202e", "x" * 5_000, "🦊" * 300, "1" * 400, "-1", "NaN", "{}", "%s", "%(x)d", "{0}"),
    *("$(id)", "~", "~x", "HEAD", "HEAD~1", "--upload-pack=id", "@{-1}", "sandbox", "production"),
    *("git", "sarif", "text", "sqlite:none/x", "http://[", "https://a@b", "http://x:99999999"),
    *("file:etc/passwd", "http:\x1b[2J", "https://h/\udcff", "https://h"),
)
"""None of them leads to a place outside the folder of a test that could be written."""


def commands(group: click.Group, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command with the names that lead to it."""
    for name in sorted(group.list_commands(click.Context(group))):
        found = group.get_command(click.Context(group), name)
        if name in LEFT_OUT:
            continue
        if isinstance(found, click.Group):
            yield from commands(found, (*above, name))
        else:
            yield (*above, name)


def options(path: tuple[str, ...]) -> list[click.Parameter]:
    """What a command takes, without what never ends."""
    found: click.Command = cli
    for name in path:
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), name)
        assert inner
        found = inner
    return [one for one in found.params if not ENDLESS & set(one.opts)]


def line(path: tuple[str, ...], random: Random) -> list[str]:
    """A command with some of its options and arguments, most of them odd."""
    words: list[str] = []
    known = options(path)
    for _ in range(random.randint(0, 5)):
        parameter = random.choice(known)
        if isinstance(parameter, click.Option):
            words.append(random.choice(parameter.opts))
            words += [
                random.choice(ODD) for _ in range(0 if parameter.is_flag else parameter.nargs)
            ]
        else:
            words.append(random.choice(ODD))
    before = ["-C", random.choice(ODD)] if random.random() < 0.05 else []
    before += ["-e", random.choice(ODD)] if random.random() < 0.05 else []
    return [*before, *path, *words]


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small one, with odd things beside it; everything relative is in it."""
    root = tmp_path / "catalog"
    (root / "folder").mkdir(parents=True)
    (root / "lmssync.yaml").write_bytes((CATALOG / "lmssync.yaml").read_bytes())
    (root / "courses").mkdir()
    (root / "courses/a.yaml").write_text("resource: course\nkey: a\nkind: courseGroup\n")
    (root / "plan.json").write_text('{"format": "lmssync.plan/1"}')
    (tmp_path / "elsewhere").mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LMSSYNC_API_KEY", "a-key-of-some-length")
    return root


PATHS = list(commands(cli))


def test_every_command_is_among_them():
    """None is left out unseen."""
    assert set(COMMANDS) - LEFT_OUT == {path[0] for path in PATHS}


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_any_arguments_are_answered(catalog: Path, path: tuple[str, ...]):
    """An exit code that has a meaning, and nothing that leads a terminal or a build server."""
    random = Random(" ".join(path))
    for _ in range(EXAMPLES):
        check(run(*line(path, random)))
