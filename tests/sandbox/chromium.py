"""A real browser that looks at pages: Chromium, told what to do by node, with axe-core."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

PLACES = (
    os.environ.get("BROWSER_TOOLS", ""),
    str(Path(__file__).parents[2] / ".cache/browser"),
)
"""Where `make browser` puts playwright-core and axe-core, or somebody else may have."""
NAMES = ("chromium", "chromium-browser", "google-chrome")
BOUND = 900.0
"""Seconds after which a browser is given up; none takes as long, on however slow a machine."""


def tools() -> dict[str, str]:
    """What it takes, or nothing where any of it is not installed."""
    node, browsers = shutil.which("node"), filter(None, map(shutil.which, NAMES))
    browser = os.environ.get("CHROMIUM") or next(browsers, None)
    for place in filter(None, PLACES):
        packages = [Path(place) / "node_modules" / name for name in ("playwright-core", "axe-core")]
        if node and browser and all(package.exists() for package in packages):
            return {"node": node, "chromium": browser, "place": place}
    return {}


MARKS = [
    pytest.mark.skipif(
        not tools(),
        reason="no Chromium, node or packages: `make browser`; CHROMIUM names the program",
    ),
    pytest.mark.xdist_group("browser"),
    pytest.mark.slow,
]
"""Of the tests that need one."""
WINDOWS = [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")]
"""How wide, and in which colours: a telephone and a desk."""


def look(base: str, looks: list[dict[str, Any]]) -> list[Any]:
    """What is found at each look: `path`, `width` in pixels and `scheme`, light or dark.

    `media` may be print; `picture` names a file for a screenshot, and `height` its pixels."""
    return json.loads(_run_script("look.mjs", base=base, looks=looks))


def open_pages(base: str, paths: list[str]) -> None:
    """Reads pages and every frame in them, until the browser has connected to all that it wants."""
    _run_script("connect.mjs", base=base, paths=paths)


def _run_script(name: str, **order: Any) -> str:
    found = tools()
    done = subprocess.run(
        [found["node"], str(Path(__file__).with_name(name))],
        input=json.dumps({**found, **order}),
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
