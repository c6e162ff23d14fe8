"""What a pull wrote into the manifests, and what it could not write."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..address import Address
from ..diff import Drift
from ..visible import visible
from .changes import one_line
from .words import counted


class PulledField(NamedTuple):
    """A field that was pulled."""

    address: Address
    drift: Drift
    value: Any
    """What its manifest says now."""


class Pulled(NamedTuple):
    """Everything that a pull did."""

    taken: Sequence[PulledField]
    refused: Sequence[tuple[Address, str, str]]
    """Address, field and reason of what has to be done by hand."""
    files: Sequence[str]
    dry: bool = False


def pull_text(pulled: Pulled) -> str:
    """A line a field, then what is left to people, then the files."""
    return "".join(f"{visible(line)}\n" for line in _lines(pulled))


def _lines(pulled: Pulled) -> Iterator[str]:
    for address, drift, now in pulled.taken:
        yield f"{address}: {drift.path}: {one_line(drift.recorded, now)}"
    for address, path, why in pulled.refused:
        yield f"{address}: {path}: not pulled: {why}" if path else f"{address}: {why}"
    if not pulled.taken:
        yield "Nothing to pull: the platform has what is recorded."
    elif pulled.dry:
        yield f"Would pull {counted(len(pulled.taken), 'field')}."
    else:
        fields, files = counted(len(pulled.taken), "field"), counted(len(pulled.files), "file")
        yield f"Pulled {fields} into {files}; the next plan leaves them alone."


def pull_message(pulled: Pulled) -> str:
    """The message of a commit that names what was pulled."""
    addresses = list(dict.fromkeys(str(one.address) for one in pulled.taken))
    what = addresses[0] if len(addresses) == 1 else counted(len(addresses), "resource")
    lines = [f"- {one.address}: {one.drift.path}" for one in pulled.taken]
    return "\n".join(map(visible, [f"Pull {what} from the platform", "", *lines, ""]))


def pull_json(pulled: Pulled) -> dict[str, Any]:
    """`lmssync.pull/1`."""
    return {
        "format": "lmssync.pull/1",
        "dryRun": pulled.dry,
        "files": list(pulled.files),
        "pulled": [
            {"address": str(a), "path": d.path, "recorded": d.recorded, "live": d.live, "now": now}
            for a, d, now in pulled.taken
        ],
        "refused": [
            {"address": str(a), "path": path, "because": why} for a, path, why in pulled.refused
        ],
    }
