"""What an import brought in, and what it could not say."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..kinds import KINDS
from ..support.visible import escape_invisible
from ..sync.discovery import Brought
from ..sync.live_import import ImportResult
from .words import count_noun, join_words

_NOTES = 40
"""Lines of a list, at most: the rest is counted."""


def import_text(done: ImportResult) -> str:
    """Counts, then everything that a person should look at."""
    return "".join(f"{escape_invisible(line)}\n" for line in _lines(done))


def _lines(done: ImportResult) -> Iterator[str]:
    good = [one for one in done.brought if not one.refusal]
    notes = [f"  {address}: {note}" for one in good for address, note in one.notes]
    if notes:
        yield "Not said by the manifests:"
        yield from _most(notes)
    refused = [f"  “{o.title}” ({o.id}): {o.refusal}" for o in done.brought if o.refusal]
    if refused:
        yield "Not imported:"
        yield from _most(refused)
    if done.managed:
        yield f"Left as they are: {count_noun(done.managed, 'resource')} managed already."
    would = "Would import" if done.dry else "Imported"
    yield f"{would} {_counts(good) or 'nothing'}{_into(done)}."
    if good and not done.dry:
        yield "`lmssync validate` checks them; `lmssync plan` shows that nothing would change."


def _into(done: ImportResult) -> str:
    return f" into {count_noun(done.files, 'file')}" if done.files else ""


def _counts(good: Sequence[Brought]) -> str:
    counts = Counter(address.kind for one in good for address in (one.address, *one.inside))
    return join_words(
        [
            f"{n:,} {kind.noun if n == 1 else kind.nouns}"
            for name, kind in KINDS.items()
            if (n := counts[name])
        ]
    )


def _most(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_NOTES]
    if len(lines) > _NOTES:
        yield f"  … and {len(lines) - _NOTES:,} more: --json has all of them"


def import_json(done: ImportResult) -> dict[str, Any]:
    """`lmssync.import/1`."""
    return {
        "format": "lmssync.import/1",
        "dryRun": done.dry,
        "files": done.files,
        "managed": done.managed,
        "imported": [_entry(one) for one in done.brought if not one.refusal],
        "refused": [
            {"id": one.id, "title": one.title, "because": one.refusal}
            for one in done.brought
            if one.refusal
        ],
    }


def _entry(one: Brought) -> dict[str, Any]:
    return {
        "address": str(one.address),
        "id": one.id,
        "title": one.title,
        "inside": [str(address) for address in one.inside],
        "notes": [{"address": str(address), "note": note} for address, note in one.notes],
    }
