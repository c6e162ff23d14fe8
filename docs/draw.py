# ruff: noqa: INP001
"""Draws docs/pictures/plan.svg: what four commands print on a terminal; --check only compares.

What is drawn is their output, against a new sandbox.
"""

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text
from sessions import steady

from lmssync.sandbox import Ready, run_sandbox

PICTURE = Path(__file__).parent / "pictures" / "plan.svg"
COLUMNS = 100
PROJECT = "version: 1\nenvironments:\n  production: {baseUrl: 'https://learning.example.com'}\n"
COURSE = """\
resource: course
key: fire-safety
kind: microCourse
title: Fire safety at work
priceInCents: 2900
topics:
  - {id: alarm, title: When the alarm rings, type: text, markdown: Leave by the nearest stairs.}
  - {id: quiz, title: Two questions, type: text, markdown: Where do you meet?}
completionCriteria:
  - {id: most, type: coursePercentViewed, percent: 80}
"""
EDITS = (
    ("2900", "3400"),
    ("by the nearest stairs", "by the nearest exit and never by the lift"),
    ("percent: 80", "percent: 100"),
)
NEW = """\
resource: license
key: site-hamburg
client: acme
name: Hamburg site
seatsLimit: 40
courses: [fire-safety]
learningPaths: []
courseTags: []
"""
_COMMANDS = (
    "lmssync validate",
    "lmssync plan --out change.json",
    "lmssync apply change.json",
    "lmssync plan",
)
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def drawn() -> str:
    """The picture, of a plan that changes a price, a page and a rule, and adds a license; it is
    applied, and the next plan is empty."""
    with tempfile.TemporaryDirectory() as folder, run_sandbox() as where:
        root = Path(folder)
        (root / "lmssync.yaml").write_text(PROJECT, "utf-8")
        (root / "fire-safety.yaml").write_text(COURSE, "utf-8")
        _run(root, where, "apply", "--yes")
        edited = COURSE
        for old, new in EDITS:
            edited = edited.replace(old, new)
        (root / "fire-safety.yaml").write_text(edited, "utf-8")
        (root / "hamburg.yaml").write_text(NEW, "utf-8")
        printed = "\n\n".join(_shown(root, where, command) for command in _COMMANDS)
    return _svg(printed)


def _shown(root: Path, where: Ready, command: str) -> str:
    """A command as somebody types it, and what it prints."""
    printed = _run(root, where, *command.split()[1:])
    told = f"$ {command}\n{printed.rstrip()}"
    return told.replace(where["baseUrl"], "https://learning.example.com")


def _run(root: Path, where: Ready, *words: str) -> str:
    """What a command prints on a terminal."""
    env = {name: text for name, text in os.environ.items() if name != "NO_COLOR"}
    env |= {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "lmssync", *words]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=root, env=env, stdout=slave, stderr=quiet) as process:  # noqa: S603 - our own program
        os.close(slave)
        printed = _all(master)
    assert not process.returncode, printed
    return printed


def _all(terminal: int) -> str:
    """What comes until nobody has the other end open."""
    pieces = []
    with os.fdopen(terminal, "rb", buffering=0) as stream:
        while True:
            try:
                piece = stream.read(65536)
            except OSError:  # how Linux says that the other end is closed
                break
            if not piece:
                break
            pieces.append(piece)
    return b"".join(pieces).decode().replace("\r\n", "\n")


def _svg(printed: str) -> str:
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(printed))
    found = console.export_svg(title="", theme=MONOKAI, unique_id="plan")
    return _FONTS.sub("", found)  # a picture in a page fetches nothing


def main(arguments: list[str]) -> int:
    """`python docs/draw.py [--check]`."""
    new = drawn()
    if PICTURE.exists() and steady(new) == steady(PICTURE.read_text("utf-8")):
        return 0
    sys.stderr.write(f"{PICTURE.name} is not what a plan prints now\n")
    if "--check" in arguments:
        return 1
    PICTURE.write_text(new, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
