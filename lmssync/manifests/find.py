"""Finds the manifests of a catalog."""

import os
from collections.abc import Iterator
from pathlib import Path

from ..settings import PROJECT_FILE

RESERVED = frozenset({"overlays", "policies", "schemas"})
"""Folders at the top of a catalog that hold YAML which is no manifest."""
ENDINGS = (".yaml", ".yml")


def find(root: Path) -> list[str]:
    """Files that hold manifests, relative to the root, sorted; hidden folders are not entered."""
    return sorted(_walk(root, ""))


def _walk(root: Path, prefix: str) -> Iterator[str]:
    with os.scandir(root / prefix) as entries:
        for entry in entries:
            name = prefix + entry.name
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if name not in RESERVED:
                    yield from _walk(root, f"{name}/")
            elif name.endswith(ENDINGS) and name != PROJECT_FILE:
                yield name
