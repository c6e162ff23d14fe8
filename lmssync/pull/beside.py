"""Files for the bodies of new parts: those that an import would put into files."""

import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..kind import BodyField
from ..kinds import BODY_FILE, KINDS
from ..manifests.export import is_long
from ..resource import Resource

BodyFields = Callable[[Any], Iterable[BodyField]]


def beside(
    root: Path, resource: Resource, document: Any, whole: Any, taken: Mapping[str, str]
) -> dict[str, str]:
    """Takes long bodies out of `whole`, a document with nothing but a new part; returns them by
    path. `taken` are bodies that get files in the same run."""
    folder = _folder(resource, document)
    bodies: dict[str, str] = {}
    for slot in KINDS[resource.address.kind].authoring.body_fields(whole):
        way = next((way for way in ("markdown", "body") if _is_long(slot.holder.get(way))), None)
        if way is None:
            continue
        ending = "md" if way == "markdown" else "html"
        steps = list(_ids(whole, slot.path))
        path = next(
            path
            for name in _names(steps)
            for path in [posixpath.join(folder, f"{name}.{ending}")]
            if path not in bodies and path not in taken and not os.path.lexists(root / path)
        )
        bodies[path] = slot.holder.pop(way)
        here = posixpath.dirname(resource.origin.file) or "."
        slot.holder[BODY_FILE] = posixpath.relpath(path, here)
    return bodies


def _is_long(text: Any) -> bool:
    return isinstance(text, str) and is_long(text)


def _folder(resource: Resource, document: Any) -> str:
    """Where the other bodies are; else beside a manifest that has a folder, as imported ones do;
    else in a folder of the key."""
    here = posixpath.dirname(resource.origin.file)
    kind = KINDS[resource.address.kind]
    for slot in kind.authoring.body_fields(document):
        if isinstance(slot.holder.get(BODY_FILE), str):
            return posixpath.normpath(
                posixpath.join(here, posixpath.dirname(slot.holder[BODY_FILE]))
            )
    is_imported = posixpath.basename(resource.origin.file) == f"{kind.noun}.yaml"
    return here if is_imported else posixpath.join(here, resource.address.key)


def _ids(data: Any, path: Iterable[str | int]) -> Iterator[str]:
    """Names of the parts on the way to a body."""
    for step in path:
        data = data[step]
        if isinstance(data, dict):
            yield str(data.get("id") or data.get("language") or step)


def _names(steps: list[str]) -> Iterator[str]:
    """The shortest name first, then longer ones, then numbered ones."""
    for count in range(1, len(steps) + 1):
        yield "-".join(steps[-count:])
    number = 2
    while True:
        yield f"{steps[-1]}-{number}"
        number += 1
