"""Programs of others that read an OpenAPI document: where they are, and how they are run."""

import os
import shutil
import subprocess
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache"
PYTHON = Path(os.environ.get("CLIENT_GENERATORS", CACHE / "clients")) / "bin"
"""Of an environment with both generators and what their clients import (`make clients`)."""
GO = PYTHON / "go"
COMPILER = CACHE / "typescript/node_modules/typescript/bin/tsc"
REDOCLY = CACHE / "redocly/node_modules/@redocly/cli/bin/cli.js"


def missing(*, java: bool = False) -> str:
    """Why clients cannot be generated; nothing where they can."""
    if not (PYTHON / "openapi-python-client").exists():
        return "no generators of clients: `make clients` installs them"
    return "no Java, which this generator runs on" if java and not shutil.which("java") else ""


def run(command: list[str | Path], *, folder: Path) -> str:
    """What a program prints; its complaints fail the test."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={
            "PATH": f"{PYTHON}:{os.environ['PATH']}",
            "HOME": str(folder),
            **_QUIET,
            **_OFFLINE,
            **_BRIEF,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, f"{command[0]}: {done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


_OFFLINE = {"GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
"""A Go client needs no package."""
_BRIEF = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
"""A generator runs for seconds: to compile it well takes Java longer than it lasts."""
_QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
