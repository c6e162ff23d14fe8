"""Which commit of the catalog is at work."""

import subprocess
from pathlib import Path


def commit(root: Path) -> str:
    """The commit that is checked out at `root`; empty where there is no git."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
