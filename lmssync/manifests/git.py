"""What the git of the catalog knows: the commit, what has changed, where the repository begins."""

import subprocess
from pathlib import Path

from ..errors import WrongUse

_SECONDS = 30


def commit(root: Path) -> str:
    """The commit that the catalog is at; empty where there is no git."""
    done = _git(root, "rev-parse", "HEAD")
    return done.stdout.strip() if done and done.returncode == 0 else ""


def prefix(root: Path) -> str:
    """The folder of the catalog in its repository, ending with a slash; empty at the top."""
    done = _git(root, "rev-parse", "--show-prefix")
    return done.stdout.removesuffix("\n") if done and done.returncode == 0 else ""


def changed(root: Path, revision: str) -> set[str]:
    """Files of the catalog that are not as at `revision`, new ones too; raises `WrongUse`."""
    found = _git(root, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    if found is None or found.returncode != 0:
        said = (found.stderr.strip().splitlines() or ["?"])[-1] if found else "there is no git"
        raise WrongUse(
            f"`{revision}` is no revision to compare with: {said}",
            "name a branch, a tag or a commit of the repository that the catalog lies in; a "
            "shallow clone may not have it (`git fetch`)",
        )
    since = found.stdout.strip()
    return {
        *_names(root, "diff", "--name-only", "--relative", "--no-renames", "-z", since, "--", "."),
        *_names(root, "ls-files", "--others", "--exclude-standard", "-z", "--", "."),
    }


def tracked(root: Path, name: str) -> bool:
    """Whether git keeps a file or folder of the catalog, or anything in it."""
    done = _git(root, "ls-files", "-z", "--", name)
    return done is not None and done.returncode == 0 and bool(done.stdout)


def _names(root: Path, *arguments: str) -> list[str]:
    done = _git(root, *arguments)
    if done is None or done.returncode != 0:
        said = done.stderr.strip() if done else "it took too long"
        raise WrongUse(f"git cannot tell what has changed: {said}")
    return [name for name in done.stdout.split("\0") if name]


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            ["git", "-C", str(root), *arguments],
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
