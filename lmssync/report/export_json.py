"""Manifests that were made from what is recorded, as JSON."""

from collections.abc import Iterable
from typing import Any

from ..catalog.manifests.export import Manifest


def export_json(manifests: Iterable[Manifest], files: Iterable[str]) -> dict[str, Any]:
    """The document of `export --json`: every manifest, and the files that were written."""
    listed = [
        {
            "address": str(manifest.address),
            "shortForms": [str(address) for address in manifest.inner],
            "manifest": manifest.data,
        }
        for manifest in manifests
    ]
    return {"format": "lmssync.export/1", "manifests": listed, "files": list(files)}
