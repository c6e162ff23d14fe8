"""What the repository of a catalog says about its remotes. It is read, and nothing of it is run."""

import re
from pathlib import Path
from typing import NamedTuple

from ...errors import LmssyncError
from . import command as git_command
from .repository import top

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[^/\\]{2,}:")
"""How the address of another machine begins, in both forms that git knows; `C:` is a drive."""


class Remote(NamedTuple):
    """Where git fetches from and where it pushes to, mostly the same."""

    url: str
    push_url: str


def remote(root: Path, name: str) -> Remote | None:
    """A remote of the repository; None if there is none of this name.

    Raises `LmssyncError` where git cannot be asked.
    """
    repository = top(root)
    if repository is None:
        return None
    urls = _value(repository, "--get-all", f"remote.{name}.url")
    pushed = _value(repository, "--get-all", f"remote.{name}.pushurl") or urls
    return (
        Remote(place_address(repository, urls), place_address(repository, pushed)) if urls else None
    )


def place_address(folder: Path, url: str) -> str:
    """An address as it is anywhere: a path of this machine is whole."""
    return url if _ADDRESS.match(url) else str((folder / url).resolve())


def extra_header(root: Path, url: str) -> str:
    """The header that the repository itself has for an address, and nobody else's settings.

    Pipelines keep the token of their job there (`http.https://host/.extraheader`).
    """
    repository = top(root)
    if repository is None or not url.startswith(("http://", "https://")):
        return ""
    return _value(repository, "--local", "--includes", "--get-urlmatch", "http.extraheader", url)


def branch(root: Path) -> str:
    """The branch that the catalog is on, as `refs/heads/main`; empty if it is on none."""
    repository = top(root)
    ended = repository and git_command.run(repository, "symbolic-ref", "--quiet", "HEAD")
    return ended.out.strip() if ended and not ended.code else ""


def _value(repository: Path, *arguments: str) -> str:
    ended = git_command.run(repository, "config", "-z", *arguments)
    if ended.code > 1:
        text = f"git cannot read the settings of {repository}: {ended.complaint}"
        raise LmssyncError(text, "install git, and make sure that `git remote -v` works there")
    return ended.out.split("\0")[0].strip() if not ended.code else ""
