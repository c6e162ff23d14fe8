"""Files for the bodies of new parts: those that an import would put into files."""

import os
import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...catalog.manifests.export import is_long, put_beside
from ...kinds import BODY_FILE, KINDS
from ...resource import Resource


def beside(
    root: Path, resource: Resource, document: Any, whole: Any, taken: Mapping[str, str]
) -> dict[str, str]:
    """Takes long bodies out of `whole`, a document with nothing but a new part; returns them by
    path. `taken` are bodies that get files in the same run."""
    bodies: dict[str, str] = {}
    put_beside(
        whole,
        KINDS[resource.address.kind].authoring.body_fields(whole),
        bodies,
        goes=is_long,
        folder=_folder(resource, document),
        seen_from=posixpath.dirname(resource.origin.file),
        is_there=lambda path: path in taken or os.path.lexists(root / path),
    )
    return bodies


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
