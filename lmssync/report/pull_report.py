"""What came from the platform into the manifests, by a pull or an import, and what could not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..kind import part_name
from ..kinds import KINDS
from ..resource import Address
from ..support.invisible_characters import escape_invisible
from ..sync.platform_import import ImportedItem, ImportResult
from ..sync.pull import Pulled
from .changes import one_line
from .field_words import name_field, name_part, word_value
from .text_tables import list_below_names
from .value_words import count_noun, join_words, name_with_title

_NOTES = 40
"""Lines of a list, at most: the rest is counted."""


def pull_text(pulled: Pulled, currency: str = "") -> str:
    """A line a field, then what is left to people, then the files."""
    findings = list_below_names(_list_findings(pulled, currency))
    lines = [*findings, _summarise_pull(pulled)]
    return "".join(f"{escape_invisible(line)}\n" for line in lines)


def _list_findings(pulled: Pulled, currency: str) -> Iterator[tuple[str, str]]:
    """The name of a resource, and what was or was not pulled into it."""
    for part in pulled.parts:
        titles = pulled.titles.get(part.address, {})
        around = part.was.rpartition(".")[0]
        place = f", from {name_part(around, titles)}" if around else ""
        field = name_field(part.path, titles)
        yield _name_resource(pulled, part.address), f"{field}: {part.text}{place}"
    for address, drift, now in pulled.taken:
        values = (word_value(drift.path, value, currency) for value in (drift.recorded, now))
        field = name_field(drift.path, pulled.titles.get(address))
        yield _name_resource(pulled, address), f"{field}: {one_line(*values)}"
    for address, path, why in pulled.refused:
        field = f"{name_field(path, pulled.titles.get(address))}: not pulled: " if path else ""
        yield _name_resource(pulled, address) + ":" * (not path), f"{field}{why}"


def _summarise_pull(pulled: Pulled) -> str:
    if not (pulled.taken or pulled.parts):
        why = "see above" if pulled.refused else "the platform is as recorded"
        return f"Nothing {'pulled' if pulled.refused else 'to pull'}: {why}."
    if pulled.dry:
        return f"Would pull {_count_pulled(pulled)}."
    files = count_noun(len(pulled.files), "file")
    return f"Pulled {_count_pulled(pulled)} into {files}; the next plan leaves them alone."


def _name_resource(pulled: Pulled, address: Address) -> str:
    """`“Fire safety” (course.fire)`."""
    return name_with_title(pulled.titles.get(address, {}).get(""), address)


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


def import_text(done: ImportResult) -> str:
    """Counts, then everything that a person should look at."""
    return "".join(f"{escape_invisible(line)}\n" for line in _lines(done))


def _lines(done: ImportResult) -> Iterator[str]:
    good = [one for one in done.brought if not one.refusal]
    notes = [f"  {address}: {note}" for one in good for address, note in one.notes]
    if notes:
        yield "Not in the manifests:"
        yield from _most(notes)
    refused = [f"  “{o.title}” ({o.id}): {o.refusal}" for o in done.brought if o.refusal]
    if refused:
        yield "Not imported:"
        yield from _most(refused)
    if done.managed:
        left = count_noun(done.managed, "resource")
        yield f"Left as they are: {left} managed or in the catalog already."
    would = "Would import" if done.dry else "Imported"
    into = f" into {count_noun(done.files, 'file')}" if done.files else ""
    yield f"{would} {_counts(good) or 'nothing'}{into}."
    if good and not done.dry:
        yield "Next: `lmssync validate`; then `lmssync plan` shows that nothing would change."


def _counts(good: Sequence[ImportedItem]) -> str:
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


def _entry(one: ImportedItem) -> dict[str, Any]:
    return {
        "address": str(one.address),
        "id": one.id,
        "title": one.title,
        "inside": [str(address) for address in one.inside],
        "notes": [{"address": str(address), "note": note} for address, note in one.notes],
    }
