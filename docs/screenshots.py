# ruff: noqa: INP001
"""Takes the screenshots of docs/pictures: a plan, its receipt and the preview, in light and dark.

`make pictures` runs it with the browser of the tests (`make browser`). A small catalog is applied
to a new sandbox and edited; what three commands write of it is opened in Chromium.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lmssync.sandbox import Ready, run_sandbox
from tests.sandbox import chromium

PICTURES = Path(__file__).parent / "pictures"
ADDRESS = "https://learning.example.com"
PROJECT = f"version: 1\ncurrency: EUR\nenvironments:\n  production: {{baseUrl: '{ADDRESS}'}}\n"
FIRE = """\
resource: course
key: fire-safety
kind: courseGroup
title: Fire safety at work
description: What everybody on site needs to know before the first shift.
priceInCents: 2900
sections:
  - id: alarm
    title: When the alarm rings
    lessons:
      - id: leave
        title: Leave the building
        openType: studentsOnly
        topics:
          - id: way
            title: Your way out
            type: text
            markdown: |
              Leave by the nearest stairs.

              - Close doors behind you.
              - Take nobody's coat but your own.
          - id: meet
            title: Where you meet
            type: text
            markdown: The meeting point is the car park.
      - id: after
        title: Afterwards
        openType: studentsOnly
        topics:
          - {id: back, title: When you may go back, type: text, markdown: When somebody says so.}
completionCriteria:
  - {id: most, type: coursePercentViewed, percent: 80}
purchasePaths:
  - id: partner
    label: Buy at our partner
    target: {url: "https://shop.example.com/fire", title: Partner shop}
"""
OLD = """\
resource: course
key: first-aid
kind: microCourse
title: First aid, short
topics:
  - {id: call, title: Whom to call, type: text, markdown: Call 112.}
"""
NEW = """\
resource: course
key: ladders
kind: microCourse
title: Ladders
topics:
  - {id: stand, title: How a ladder stands, type: text, markdown: One metre out for every four up.}
---
resource: license
key: site-hamburg
client: acme
name: Hamburg site
seatsLimit: 40
courses: [fire-safety]
learningPaths: []
courseTags: []
"""
EDITS = (
    ("2900", "3400"),
    ("by the nearest stairs", "by the nearest exit, never by the lift"),
    ("percent: 80", "percent: 100"),
    ("The meeting point is the car park.", "The meeting point is the gate in the north."),
    ("Buy at our partner", "Buy for your team"),
)
DESK, TELEPHONE = 1280, 390
PAGES = {
    "plan": ("/plan.html", 1180),
    "receipt": ("/receipt.html", 1180),
    "preview": ("/pages/course-fire-safety.html", 720),
}
"""The address of each page, and how many pixels of it are shown."""


def write_pages(root: Path, where: Ready) -> None:
    """A plan, its receipt and the preview of a catalog that was applied and then edited."""
    for name, text in (("lmssync", PROJECT), ("fire", FIRE), ("first-aid", OLD)):
        (root / f"{name}.yaml").write_text(text, "utf-8")
    _run(root, where, "apply", "--yes")
    edited = FIRE
    for old, new in EDITS:
        edited = edited.replace(old, new)
    (root / "fire.yaml").write_text(edited, "utf-8")
    (root / "first-aid.yaml").unlink()
    (root / "new.yaml").write_text(NEW, "utf-8")
    _run(root, where, "preview", "--out", "pages")
    _run(root, where, "plan", "--out", "change.json", "--report", "plan.html")
    _run(root, where, "apply", "change.json", "--yes", "--report", "receipt.html")
    for name in ("plan.html", "receipt.html"):  # the sandbox has another address each time
        page = (root / name).read_text("utf-8")
        (root / name).write_text(page.replace(where["baseUrl"], ADDRESS), "utf-8")


def _run(root: Path, where: Ready, *words: str) -> None:
    env = os.environ | {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}
    command = [sys.executable, "-m", "lmssync", *words]
    subprocess.run(command, cwd=root, env=env, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own program


def list_looks(folder: Path, *, everything: bool) -> list[dict[str, Any]]:
    """Each page in light and dark; `everything` is all of it, on a telephone as well."""
    return [
        {
            "path": path,
            "width": width,
            "scheme": scheme,
            "picture": str(folder / f"page-{name}-{scheme}{'-narrow' * (width < DESK)}.png"),
        }
        | ({} if everything else {"height": height})
        for name, (path, height) in PAGES.items()
        for width in ((DESK, TELEPHONE) if everything else (DESK,))
        for scheme in ("light", "dark")
    ]


def main(arguments: list[str]) -> int:
    """`python docs/screenshots.py [FOLDER]`: whole pages go into a folder that is named."""
    folder = Path(arguments[0]).absolute() if arguments else PICTURES
    looks = list_looks(folder, everything=bool(arguments))
    with tempfile.TemporaryDirectory() as above, run_sandbox() as where:
        root = Path(above) / "catalog"
        root.mkdir()
        write_pages(root, where)
        found = chromium.look(root.as_uri(), looks)
    wrong = [one["violations"] for one in found if one["violations"]]
    sys.stderr.writelines(f"{one}\n" for one in wrong)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
