"""A checkout that a stranger has filled, and the command line in a process of its own."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forking, making
from tests.forking import Ran

COURSE = "resource: course\nkey: {0}\nkind: microCourse\ntitle: {1}\ntopics: [{2}]\n"
TOPIC = "{id: t, title: T, type: text, body: <p>B</p>}"

Stranger = Callable[..., Ran]


def course(key: str, title: str = "A", topic: str = TOPIC) -> str:
    return COURSE.format(key, title, topic)


def checkout(folder: Path) -> Path:
    making.put(folder, "lmssync.yaml", making.PROJECT)
    making.put(folder, "courses/a.yaml", course("a"))
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of the user whose machine it is, with a secret in it."""
    folder = tmp_path / "home"
    making.put(folder, ".npmrc", "//registry.example.com/:_authToken=npm_s3cr3t\n")
    making.put(folder, "token.md", "npm_s3cr3t\n")
    making.put(folder, "staff.csv", "email\nnpm_s3cr3t\n")
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The checkout: one course, and whatever a test adds."""
    return checkout(tmp_path / "checkout")


@pytest.fixture
def run(root: Path, home: Path) -> Stranger:
    """Runs a command where the checkout is; variables may be given by name."""

    def command(*args: str, memory: int = 0, **env: str) -> Ran:
        known = {"PATH": os.environ["PATH"], "HOME": str(home)}
        return forking.run(args, root=root, env=known | env, memory=memory)

    return command


def everything(folder: Path) -> dict[str, bytes]:
    """What is in a folder: to be compared with what is there later."""
    return {
        str(file.relative_to(folder)): file.read_bytes() if file.is_file() else b""
        for file in sorted(folder.rglob("*"))
    }
