# ruff: noqa: INP001
"""Runs the sessions shown in the documents and writes down what they print; --check compares.

A session is every ```console block of a page, in one folder against one new sandbox. YAML
blocks that begin with `# NAME.yaml` are written into that folder as the page goes, and so is any
block below `<!-- file: NAME -->`. Comments say what happens in between:
`<!-- edit: FILE: OLD => NEW -->`, `<!-- drop: FILE: TEXT -->` for the lines with a text and
`<!-- drop: FILE -->` for a whole file, `<!-- fault: JSON -->` and `<!-- order: PATH JSON -->`,
orders to the sandbox's control plane, and `<!-- made by others: CATALOG -->`. A uuid in a command
stands for the course that was made last.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from lmssync.cli.exits import Exit
from lmssync.sandbox import Ready, run_sandbox

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/guide.md",
    "docs/get.md",
    "docs/lists.md",
    "docs/existing.md",
    "docs/course-sessions.md",
    "docs/import.md",
    "docs/drift.md",
    "docs/events.md",
    "docs/releases.md",
    "docs/outcomes.md",
    "docs/slices.md",
)
STEP = re.compile(
    r"```yaml\n(?P<yaml># (?P<file>[\w./-]+\.yaml)\n.*?)```"
    r"|```console\n(?P<console>.*?)```"
    r"|<!-- file: (?P<kept>\S+) -->\n\n```\w*\n(?P<text>.*?)```"
    r"|<!-- edit: (?P<edited>\S+): (?P<old>[^\n]+?) => (?P<new>[^\n]+?) -->"
    r"|<!-- drop: (?P<dropped>[\w./-]+)(?:: (?P<line>[^\n]+?))? -->"
    r"|<!-- fault: (?P<fault>\{.+?\}) -->"
    r"|<!-- order: (?P<order>\w+) (?P<body>\{.*?\}) -->"
    r"|<!-- edit by hand: (?P<list>\w+): (?P<title>[^:\n]+): (?P<set>\{.+?\}) -->"
    r"|<!-- made by others: (?P<others>\S+) -->",
    re.DOTALL,
)
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
VARIES = re.compile(
    rf"{UUID.pattern}|\d{{4}}-\d\d-\d\d[T ][\d:.]+Z?|\d\d?\.? [A-Z]\w+ \d{{4}}(?:, \d\d:\d\d UTC)?"
    r"|http://127\.0\.0\.1:\d+|\b[0-9a-f]{64}\b"
    r"|(?<=commit )[0-9a-f]{7}\b"
    r"|\d\d:\d\d:\d\dZ|\b[\d.]+ s(?=;)|(?<=the oldest )(?:just now|\d+ \w+ ago)"
)
"""What differs from run to run: ids, times, seconds, ages, the port, and digests of plans."""


_GIT = [(who, what) for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")]


def run_command(words: list[str], folder: Path, env: dict[str, str]) -> tuple[int, str]:
    """Exit code and output of a program, both streams as a terminal mixes them."""
    done = subprocess.run(  # noqa: S603 - the commands of our own pages
        [*([] if words[0] == "git" else [sys.executable, "-m"]), *words],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@dataclass
class Session:
    """A folder and a sandbox, and how the last command ended."""

    folder: Path
    where: Ready
    run_words: Callable[[list[str], Path, dict[str, str]], tuple[int, str]]
    code: int = 0

    def run(self, line: str) -> str:
        """What a command line prints."""
        words = shlex.split(UUID.sub(lambda _: self._newest(), line))
        if words == ["echo", "$?"]:
            return f"{self.code}\n"
        env = os.environ | {
            "LMSSYNC_BASE_URL": self.where["baseUrl"],
            "LMSSYNC_API_KEY": self.where["apiKey"],
            "PYTHONUNBUFFERED": "1",
            **{f"GIT_{who}_{what}": "ana@example.com" for who, what in _GIT},
        }
        self.code, printed = self.run_words(words, self.folder, env)
        assert self.code != Exit.BUG, printed
        return printed.replace(self.where["baseUrl"], "http://127.0.0.1:8800")

    def order(self, path: str, body: Any) -> None:
        """Sends an order to the control plane."""
        httpx.post(f"{self.where['baseUrl']}/_sandbox/{path}", json=body).raise_for_status()

    def fault(self, order: str) -> None:
        self.order("faults", json.loads(order))

    def edit(self, kind: str, title: str, fields: dict[str, Any]) -> None:
        """Changes an object, named by its title, as a person would a minute later."""
        later = {"advanceSeconds": 60}
        httpx.post(f"{self.where['baseUrl']}/_sandbox/clock", json=later).raise_for_status()
        dump = httpx.get(f"{self.where['baseUrl']}/_sandbox/dump?only={kind}").json()
        edited = next(one["id"] for one in dump[kind] if one["title"] == title)
        order = {"list": kind, "id": edited, "set": fields}
        httpx.post(f"{self.where['baseUrl']}/_sandbox/edit", json=order).raise_for_status()

    def others(self, catalog: Path) -> None:
        """Applies a catalog with a state of its own, as somebody else would."""
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(catalog, Path(folder) / "catalog")
            self.run(f"lmssync apply --yes -C {copy}")
            assert not self.code

    def _newest(self) -> str:
        dump = httpx.get(f"{self.where['baseUrl']}/_sandbox/dump?only=courses").json()
        return str(dump["courses"][-1]["id"])


def replayed(page: str, run_words: Any = run_command) -> str:
    """The text of a page with the output that its commands print now."""
    text = (ROOT / page).read_text("utf-8")
    is_extended = "<!-- sandbox: extended -->" in text
    served = run_sandbox(profile="extended" if is_extended else "core")
    with tempfile.TemporaryDirectory() as folder, served as where:
        session = Session(Path(folder), where, run_words)
        return STEP.sub(lambda step: _step(session, step), text)


def _step(session: Session, step: re.Match[str]) -> str:
    match step.lastgroup:
        case "yaml" | "file":
            file = session.folder / step["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step["yaml"], "utf-8")
        case "text":
            file = session.folder / step["kept"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step["text"], "utf-8")
        case "new":
            _edit(session.folder / step["edited"], step["old"], step["new"])
        case "dropped" | "line":
            _drop(session.folder / step["dropped"], step["line"])
        case "fault":
            session.fault(step["fault"])
        case "body":
            session.order(step["order"], json.loads(step["body"]))
        case "set":
            session.edit(step["list"], step["title"], json.loads(step["set"]))
        case "others":
            session.others(ROOT / step["others"])
        case "console":
            return "```console\n" + "".join(_shown(session, step["console"])) + "```"
    return step[0]


def _edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text, f"{file.name}: nothing to edit: {old}"
    file.write_text(text.replace(old, new), "utf-8")


def _drop(file: Path, text: str | None) -> None:
    """Removes the lines with a text, or the whole file."""
    if text is None:
        file.unlink()
        return
    lines = file.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if text not in line]
    assert len(kept) < len(lines), f"{file.name}: nothing to drop: {text}"
    file.write_text("".join(kept), "utf-8")


def _shown(session: Session, console: str) -> Iterator[str]:
    for line in console.splitlines():
        if line.startswith("$ "):
            yield f"{line}\n{session.run(line[2:])}"


def steady(text: str) -> str:
    """A page without what differs from run to run."""
    return VARIES.sub("...", text)


def main(arguments: list[str]) -> int:
    """`python docs/sessions.py [--check]`."""
    late = 0
    for page in PAGES:
        new = replayed(page)
        if steady(new) == steady((ROOT / page).read_text("utf-8")):
            continue
        late = 1
        sys.stderr.write(f"{page}: the sessions print something else now\n")
        if "--check" not in arguments:
            (ROOT / page).write_text(new, "utf-8")
    return late if "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
