"""Translations for people and programs: how much is up to date, and each passage that is not."""

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ..catalog.translations.passage_comparison import PassageState, TranslatedPassage
from ..catalog.translations.translated_pages import BODY
from ..catalog.translations.xliff_exchange import Imported
from ..kinds import KINDS
from ..resource import Place
from ..support.invisible_characters import escape_invisible
from ..support.pages import Document
from .field_words import name_field
from .terminal_style import wrap_text
from .value_words import count_noun

Places = Mapping[str, Place]
"""Where languages of pages are, by the names of `TranslatedPassage.row`."""
_SHOWN = 160
"""Characters of a passage that are shown."""
_BELOW = ("sections", "lessons", "topics")
_OPEN = (PassageState.STALE, PassageState.MISSING, PassageState.UNACCEPTED)


def translations_text(
    passages: Sequence[TranslatedPassage],
    places: Places,
    *,
    since: str = "",
    width: int | None = None,
    is_whole: bool = True,
) -> str:
    """Coverage by course and language, and below each the passages that somebody has to look at.

    With `since`, only what a change has made stale, or has lost. `is_whole` says whether the whole
    catalog could be read.
    """
    if not passages:
        none = "No page of the catalog has a further language."
        if since:
            none = f"This change makes no translation stale (since {since})."
        return f"{none}\n" if is_whole else "No translation of what can be read is to be shown.\n"
    lines = []
    for (address, language), some in _group_passages(passages):
        listed = list(some)
        title = KINDS[address.kind].authoring.title(listed[0].page.resource.form)
        shown = _word_worsened(listed) if since else _word_coverage(listed)
        lines.append(f"“{title}” in {language}: {shown}  {address}")
        lines += _list_open(listed, places)
    stale = sum(one.is_behind for one in passages)
    if stale:
        lines += [
            "",
            f"{count_noun(stale, 'passage')} to translate. Next: edit the translations.",
            "Then `lmssync translations accept ADDRESS` says that they are right.",
        ]
    if since and not all(one.is_known for one in passages):
        lines += [
            "",
            "No ledger has the passages any more that were accepted. Next: move each ledger",
            "(`NAME.translations.json`) with its manifest, and write an old address under `moved`;",
            "or accept the translations again.",
        ]
    return "".join(f"{wrap_text(escape_invisible(line), width)}\n" for line in lines)


def _group_passages(passages: Iterable[TranslatedPassage]) -> Iterator[Any]:
    return groupby(passages, key=lambda one: (one.page.resource.address, one.language))


def _word_worsened(passages: Sequence[TranslatedPassage]) -> str:
    stale = sum(one.is_known for one in passages)
    lost = len(passages) - stale
    words = [f"{count_noun(stale, 'passage')} made stale"] if stale else []
    return ", ".join([*words, *([f"{count_noun(lost, 'accepted passage')} lost"] if lost else [])])


def _word_coverage(passages: Sequence[TranslatedPassage]) -> str:
    numbers = Counter(one.state for one in passages)
    current = numbers[PassageState.CURRENT]
    open_ = "".join(f", {numbers[state]} {state}" for state in _OPEN if numbers[state])
    share = current * 100 // len(passages)
    return f"{current} of {count_noun(len(passages), 'passage')} up to date ({share} %){open_}"


def _list_open(passages: Iterable[TranslatedPassage], places: Places) -> Iterator[str]:
    """Each passage that is behind, with its place and its text in both languages."""
    for one in passages:
        if one.is_behind:
            place = places[one.row[0]]
            is_edited = one.state is PassageState.STALE and one.is_edited
            edited = ", translation edited since" if is_edited else ""
            yield f"  {place.file}:{place.line}: {one.state}: {_name_passage(one)}{edited}"
            yield f"      source: {_cut(one.source) or '(no longer in the source)'}"
            if one.translation:
                yield f"      {one.language}: {_cut(one.translation)}"


def _name_passage(one: TranslatedPassage) -> str:
    where = f"page “{one.page.title}” ({one.page.part})"
    if one.field != BODY:
        return f"{name_field(one.field)} of {where}"
    return f"passage {one.number} of {where}" if one.number else f"a passage of {where}"


def _cut(text: str) -> str:
    return textwrap.shorten(text, _SHOWN, placeholder=" …")


def translations_json(
    passages: Sequence[TranslatedPassage], places: Places, unread: Sequence[str]
) -> dict[str, Any]:
    """Coverage by course and language, every passage that is not up to date, and the names of what
    cannot be read."""
    coverage = [
        {
            "address": str(address),
            "language": language,
            **{key: numbers[state] for state, key in _KEYS.items()},
        }
        for (address, language), some in _group_passages(passages)
        for numbers in [Counter(one.state for one in some)]
    ]
    return {
        "format": "lmssync.translations/1",
        "translations": coverage,
        "unread": list(unread),
        "passages": [
            {
                "address": str(one.page.resource.address),
                "page": one.page.part,
                "language": one.language,
                "field": one.field,
                "number": one.number,
                "state": one.state.value,
                "file": places[one.row[0]].file,
                "line": places[one.row[0]].line,
                "edited": one.is_edited,
                "source": one.source,
                "translation": one.translation,
            }
            for one in passages
            if one.state is not PassageState.CURRENT
        ],
    }


_KEYS = {
    PassageState.CURRENT: "upToDate",
    PassageState.STALE: "stale",
    PassageState.UNACCEPTED: "neverAccepted",
    PassageState.MISSING: "missing",
}


def accepted_text(
    passages: Sequence[TranslatedPassage],
    left: Sequence[TranslatedPassage],
    files: Sequence[str],
    places: Places,
) -> str:
    """What was accepted, what is stale nevertheless, and the files that were written."""
    taken = [one for one in passages if one.now not in (None, one.accepted) and one not in left]
    lines = [f"Accepted: {count_noun(len(taken), 'passage')}."]
    lines += [f"  wrote {file}" for file in files]
    if left:
        states = " or ".join(sorted({one.state for one in left}))
        count = count_noun(len(left), "passage")
        lines.append(f"Still {states}: {count} whose translation is as it was.")
        lines += _list_open(left, places)
        lines.append(
            "Edit the translations, or say with --unedited that they are right as they are."
        )
    return "".join(f"{escape_invisible(line)}\n" for line in lines)


def imported_text(done: Imported, ledgers: Sequence[str]) -> str:
    """What an import of translations has written, and what it has left out."""
    lines = [f"Imported: {count_noun(len(done.taken), 'passage')} in {done.language}."]
    lines += [f"  wrote {file}" for file in sorted({*done.files, *ledgers})]
    for one, why in done.left:
        address = one.page.resource.address
        lines.append(f"  left out: page “{one.page.title}” ({one.page.part}) of {address}: {why}")
    if done.unknown:
        lines.append(
            f"  left out: {count_noun(done.unknown, 'passage')} whose source has changed since the "
            "export, or is in another catalog; `lmssync translations export` writes them as they "
            "are now"
        )
    return "".join(f"{escape_invisible(line)}\n" for line in lines)


def mark_stale_passages(document: Document, passages: Iterable[TranslatedPassage]) -> Document:
    """A whole course with the passages that are stale beside the language that they are in."""
    by_row = defaultdict(list)
    for one in passages:
        if one.is_behind:
            by_row[one.page.part, one.language].append(one)
    return _mark_rows(document, by_row) if by_row else document


def _mark_rows(part: Any, by_row: Mapping[tuple[str, str], Sequence[TranslatedPassage]]) -> Any:
    """A part, or a list of parts, with the marks of all rows of languages below it."""
    if isinstance(part, Sequence) and not isinstance(part, str):
        return [_mark_rows(item, by_row) for item in part]
    if not isinstance(part, Mapping):
        return part
    below = {name: _mark_rows(part[name], by_row) for name in _BELOW if name in part}
    rows = [
        {**row, "stale": by_row.get((str(part.get("id")), row["language"]), ())}
        for row in part.get("languages") or ()
    ]
    return {**part, **below, **({"languages": rows} if rows else {})}
