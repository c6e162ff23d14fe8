"""What a pull wrote into the manifests, and what it could not write."""

from collections.abc import Iterator
from typing import Any

from ..kind import part_name
from ..support.visible import escape_invisible
from ..sync.live_pull import Pulled
from .changes import one_line
from .words import count_noun, join_words


def pull_text(pulled: Pulled) -> str:
    """A line a field, then what is left to people, then the files."""
    return "".join(f"{escape_invisible(line)}\n" for line in _lines(pulled))


def _lines(pulled: Pulled) -> Iterator[str]:
    for part in pulled.parts:
        yield f"{part.address}: {part_name(part.path)}: {part.text}"
    for address, drift, now in pulled.taken:
        yield f"{address}: {drift.path}: {one_line(drift.recorded, now)}"
    for address, path, why in pulled.refused:
        yield f"{address}: {path}: not pulled: {why}" if path else f"{address}: {why}"
    if not (pulled.taken or pulled.parts):
        why = "see above" if pulled.refused else "the platform has what is recorded"
        yield f"Nothing {'pulled' if pulled.refused else 'to pull'}: {why}."
    elif pulled.dry:
        yield f"Would pull {_count_pulled(pulled)}."
    else:
        files = count_noun(len(pulled.files), "file")
        yield f"Pulled {_count_pulled(pulled)} into {files}; the next plan leaves them alone."


def _count_pulled(pulled: Pulled) -> str:
    """`1 field and 2 parts`."""
    numbers = ((len(pulled.taken), "field"), (len(pulled.parts), "part"))
    return join_words([count_noun(number, noun) for number, noun in numbers if number])


def pull_message(pulled: Pulled) -> str:
    """The message of a commit that names what was pulled."""
    addresses = [*(one.address for one in pulled.parts), *(one.address for one in pulled.taken)]
    addresses = list(dict.fromkeys(addresses))
    what = str(addresses[0]) if len(addresses) == 1 else count_noun(len(addresses), "resource")
    lines = [f"- {one.address}: {part_name(one.path)}: {one.text}" for one in pulled.parts]
    lines += [f"- {one.address}: {one.drift.path}" for one in pulled.taken]
    return "\n".join(map(escape_invisible, [f"Pull {what} from the platform", "", *lines, ""]))


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
        "parts": [
            {
                "address": str(one.address),
                "path": one.path,
                "change": one.change,
                "was": one.was or None,
            }
            for one in pulled.parts
        ],
        "refused": [
            {"address": str(a), "path": path, "because": why} for a, path, why in pulled.refused
        ],
    }
