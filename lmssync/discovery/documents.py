"""What was imported as manifests in files, and as records in the state."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..kinds import KINDS
from ..manifests.export import Manifest, manifest_texts, write_manifests
from ..resource import pack_form
from ..state import Record
from .manifests import ImportedResource


def write_imported(
    root: Path, outcomes: Iterable[ImportedResource], *, again: bool = False
) -> list[str]:
    """Writes the manifests and their bodies below a folder; returns the paths.

    What the catalog has already stays as it is, and so does a file with the same text: an import
    that was stopped goes on. Raises `WrongUse` for a file that says something else, unless this
    run wrote it and now writes it `again`, and `LmssyncError`.
    """
    new = (outcome for outcome in outcomes if not outcome.written)
    wanted = manifest_texts(map(_make_manifest, new), body_files=True, folders=True)
    write_manifests(
        root,
        {path: text for path, text in wanted.items() if not _is_there(root / path, text)},
        force=again,
    )
    return list(wanted)


def _is_there(file: Path, text: str) -> bool:
    try:
        return file.read_bytes() == text.encode()
    except OSError:
        return False


def _make_manifest(outcome: ImportedResource) -> Manifest:
    """The document of an outcome, with the short forms of what is written inside it."""
    data = dict(outcome.data)
    for inner in outcome.inside:
        if inner.data and not inner.written:
            field, short = _short_form(outcome, inner)
            data.setdefault(field, []).append(short)
    return Manifest(outcome.address, data, inner=tuple(i.address for i in outcome.inside))


def _short_form(outer: ImportedResource, inner: ImportedResource) -> tuple[str, Mapping[str, Any]]:
    resource = KINDS[inner.address.kind].resource
    nested = next(n for n in KINDS[outer.address.kind].authoring.nested if n.resource == resource)
    implied = {"resource", "key", nested.owner}
    data = {name: value for name, value in inner.data.items() if name not in implied}
    return nested.field, {"id": inner.address.key.removeprefix(f"{outer.address.key}."), **data}


def imported_records(
    outcomes: Iterable[ImportedResource], commit: str = ""
) -> Iterator[tuple[Record, ImportedResource]]:
    """What the state will say of them: the forms that the manifests have."""
    for outcome in outcomes:
        for one in (outcome, *outcome.inside):
            if one.data:
                record = Record.of(one.address, one.ids, pack_form(one.form), commit=commit)
                yield record, one
