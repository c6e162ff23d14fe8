"""How this package was installed, and the command that adds an extra to that installation.

No package index has lmssync, and anybody could publish something under its name there. So a
message never says `pip install 'lmssync[extra]'`: it names where this installation came from.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import WrongUse

if TYPE_CHECKING:
    from importlib import metadata

_NAME = "lmssync"


@contextmanager
def require_extra(extra: str, message: str, *, installs: str = "installs them") -> Iterator[None]:
    """Around imports: raises `WrongUse`, with the command that installs the extra, where one of
    its packages is missing. `{}` in the message is the name of the package."""
    try:
        yield
    except ImportError as error:
        hint = f"`{spell_extra_install(extra)}` {installs}"
        raise WrongUse(message.format(error.name), hint) from None


def spell_extra_install(extra: str) -> str:
    """Returns the command that installs the packages of an extra where this lmssync runs."""
    import shlex  # what nearly every run has need not be explained, nor these be loaded
    import subprocess

    found = _find_distribution()
    by_uv = found is not None and (found.read_text("INSTALLER") or "").strip() == "uv"
    tool = ["uv", "pip", "install", "--python", sys.executable]
    words = tool if by_uv else [sys.executable, "-m", "pip", "install"]
    words += _requirements_of(found, extra)
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def _find_distribution() -> "metadata.Distribution | None":
    """The metadata of this installation, but none that the current folder has brought."""
    from importlib import metadata

    here = Path.cwd().resolve()
    for found in metadata.distributions(name=_NAME):
        if Path(str(found.locate_file(""))).resolve() != here:
            return found
    return None


def _requirements_of(found: "metadata.Distribution | None", extra: str) -> list[str]:
    """What pip is asked for: where lmssync came from with the extra, or the packages of the extra.

    The latter is for an installation from an index of the reader's own, and for a source that is no
    longer there.
    """
    import json
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    if found is None:
        return [f"{Path(__file__).parents[2]}[{extra}]"]
    origin: dict[str, Any] = {}
    with suppress(ValueError):
        origin = json.loads(found.read_text("direct_url.json") or "{}")
    url = str(origin.get("url", ""))
    if url.startswith("file:"):
        path = Path(url2pathname(urlsplit(url).path))
        if not path.exists():
            return _packages_of(found, extra)
        editable = origin.get("dir_info", {}).get("editable")
        return [*(["--editable"] if editable else []), f"{path}[{extra}]"]
    if "vcs_info" in origin:
        revision = origin["vcs_info"]
        return [f"{_NAME}[{extra}] @ {revision['vcs']}+{url}@{revision['commit_id']}"]
    return [f"{_NAME}[{extra}] @ {url}"] if url else _packages_of(found, extra)


def _packages_of(found: "metadata.Distribution", extra: str) -> list[str]:
    """The packages that an extra adds, with their versions."""
    import re

    marked = re.compile(rf"""\s*;.*\bextra\s*==\s*["']{re.escape(extra)}["'].*""")
    return [marked.sub("", line) for line in found.requires or () if marked.search(line)]
