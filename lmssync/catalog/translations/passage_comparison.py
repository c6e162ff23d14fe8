"""Which passages of a translation are up to date, stale, missing, or were never accepted."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby, takewhile
from typing import NamedTuple

from ...resource import Origin, Resource
from .translated_pages import (
    FIELDS,
    LANGUAGES,
    LanguageText,
    TranslatedPage,
    digest_text,
    list_pages,
)
from .translation_ledger import Accepted, Ledgers

_COMPARED_MOST = 1_000_000
"""Pairs of passages that are compared for one text."""
_Change = tuple[str, int, int, int, int]


class PassageState(StrEnum):
    """What is known of the translation of a passage."""

    CURRENT = "up to date"
    STALE = "stale"
    UNACCEPTED = "never accepted"
    MISSING = "missing"


class TranslatedPassage(NamedTuple):
    """A passage of a page in one language, beside the passage that it translates."""

    page: TranslatedPage
    language: str
    is_known: bool
    """Whether any passage of the page was accepted in this language."""
    field: str
    number: int
    """Its place among the passages of the source, from 1; of one that left the source, 0."""
    state: PassageState
    source: str
    """Empty where the source has lost it."""
    translation: str
    """Empty where there is none, or where the two languages do not have equally many passages."""
    accepted: Accepted | None
    """What the ledger has of it."""
    now: Accepted | None
    """What the ledger would have of it; None where the passage is not to be kept."""
    is_edited: bool
    """Whether the translation has changed since it was accepted, or was never accepted."""

    @property
    def is_behind(self) -> bool:
        """Whether a translation that was accepted once lacks something that the source says now."""
        return self.is_known and self.state is not PassageState.CURRENT

    @property
    def row(self) -> tuple[str, Origin]:
        """A name for the language of the page, and where the manifest has it; the page, if it does
        not have the language."""
        page, languages = self.page, [*self.page.languages]
        at = (LANGUAGES, languages.index(self.language)) if self.language in languages else ()
        name = f"{page.resource.address} {page.part} {self.language}"
        return name, page.resource.origin.at((*page.path, *at))

    @property
    def place(self) -> tuple[str, ...]:
        """What a passage is known by in another revision: its page, and the source that was
        translated, or that of now where none was."""
        digest = self.accepted.source if self.accepted else digest_text(self.source)
        return str(self.page.resource.address), self.page.part, self.language, self.field, digest


def compare_resource(resource: Resource, ledgers: Ledgers) -> Iterator[TranslatedPassage]:
    """Every passage of a resource in each language that one of its pages has."""
    pages = list(list_pages(resource))
    for language in sorted({name for page in pages for name in page.languages}):
        for page in pages:
            yield from compare_page(page, language, ledgers)


def compare_pages(resources: Iterable[Resource], ledgers: Ledgers) -> list[TranslatedPassage]:
    return [passage for one in resources for passage in compare_resource(one, ledgers)]


def list_worsened(
    before: Sequence[TranslatedPassage], now: Iterable[TranslatedPassage]
) -> list[TranslatedPassage]:
    """What is behind now and was not before, and what was accepted before and is in no ledger now:
    a manifest has moved without its ledger, or has another key."""
    passages = list(now)
    behind = {one.place for one in before if one.is_behind}
    known = {one.place[:3] for one in passages if one.is_known}
    lost = [one for one in before if one.accepted and one.place[:3] not in known]
    pages, accepted = {one.place[:3] for one in lost}, {one.accepted for one in lost}
    return [
        one
        for one in passages
        if (one.is_behind and one.place not in behind)
        or (
            one.state is PassageState.UNACCEPTED
            and not one.is_known
            and (one.place[:3] in pages or one.now in accepted)
        )
    ]


def compare_page(
    page: TranslatedPage, language: str, ledgers: Ledgers
) -> Iterator[TranslatedPassage]:
    entries = ledgers.find_entries(page.resource, page.part, language)
    for field in FIELDS:
        names = page, language, entries is not None, field
        text = page.languages.get(language)
        yield from _compare_field(names, text, (entries or {}).get(field, ()))


def accept_passages(
    passages: Iterable[TranslatedPassage],
    ledgers: Ledgers,
    *,
    unedited: bool = False,
    chooses: Callable[[TranslatedPassage], bool] = lambda _passage: True,
) -> list[TranslatedPassage]:
    """Puts the chosen passages of whole pages into the ledgers, and returns the stale and
    missing ones whose translation is as it was.

    These are left as they are, unless `unedited` says that they are right as they are.
    """
    left = []
    by_page = groupby(
        passages, key=lambda one: (one.page.resource.address, one.page.part, one.language)
    )
    for (_, part, language), some in by_page:
        entries: dict[str, list[Accepted]] = {field: [] for field in FIELDS}
        listed = list(some)
        for one in listed:
            is_open = one.state is PassageState.STALE or (
                one.state is PassageState.MISSING and one.now
            )
            is_left = bool(is_open) and not (one.is_edited or unedited)
            # What is left keeps its old hashes, so that it is stale in the next comparison too.
            if kept := one.now if chooses(one) and not is_left else one.accepted:
                entries[one.field].append(kept)
            if is_left and chooses(one):
                left.append(one)
        if any(one.state is not PassageState.MISSING for one in listed):
            ledgers.set_entries(listed[0].page.resource, part, language, entries)
    return left


class _PassagePair(NamedTuple):
    """A passage by its place in both texts, and what was accepted of it."""

    source: int | None
    """None where the source has lost it."""
    translation: int | None
    known: Accepted | None
    is_moved: bool = False
    """Whether it has another place among the passages in one text than in the other."""


def _pair_passages(
    known: Sequence[Accepted], sources: Sequence[str], translations: Sequence[str]
) -> Iterator[_PassagePair]:
    """Pairs the passages of two texts, which are given by their hashes, in the order of the source.

    What was accepted decides; only what is left between those is paired by its position.
    """
    # The ledger has the order of the source when it was accepted. So a comparison of both lists
    # finds which passages came, went and changed, also where some of them are equal.
    before = [one.source for one in known]
    changes = [*_list_changes(before, sources)]
    in_source = _find_equal(before, sources, changes)
    seen = set(in_source.values())
    for _, old, old_end, new, new_end in changes:
        lost = [number for number in range(old, old_end) if number not in in_source]
        added = [at for at in range(new, new_end) if at not in seen]
        in_source |= dict(zip(lost, added, strict=False))
    accepted = [one.translation for one in known]
    # A passage that translates several is not that of the first of them.
    is_joined = len(translations) == 1 and accepted.count(translations[0]) > 1
    texts = [] if is_joined else translations
    in_text = _find_equal(accepted, texts, _list_changes(accepted, texts))
    entries = {at: number for number, at in in_source.items()}
    places = {at: in_text[entries[at]] for at in sorted(entries) if entries[at] in in_text}
    steady = _find_steady([*places.values()])
    anchors = {at: place for at, place in places.items() if place in steady}
    moved = places.keys() - anchors.keys()
    free = [at for at in range(len(sources)) if at not in places]
    unused = set(range(len(translations))) - set(in_text.values())
    places |= _pair_between(anchors, free, sorted(unused), entries)
    for _, old, old_end, new, new_end in changes:
        for at in range(new, new_end):
            entry = known[entries[at]] if at in entries else None
            yield _PassagePair(at, places.get(at), entry, at in moved)
        for number in range(old, old_end):
            if number not in in_source:
                yield _PassagePair(None, in_text.get(number), known[number])


def _find_equal(
    before: Sequence[str], after: Sequence[str], changes: Iterable[_Change]
) -> dict[int, int]:
    """The place in the second list of each item of the first: where the order is the same, else
    anywhere."""
    found: dict[int, int] = {}
    for kind, old, old_end, new, new_end in changes:
        if kind == "equal":
            found |= dict(zip(range(old, old_end), range(new, new_end), strict=True))
    free, seen = defaultdict[str, list[int]](list), set(found.values())
    for place in reversed(range(len(after))):
        if place not in seen:
            free[after[place]].append(place)
    for number, item in enumerate(before):
        if number not in found and free[item]:
            found[number] = free[item].pop()
    return found


def _find_steady(places: Sequence[int]) -> set[int]:
    """The places that are in their order; those that have moved between them are left out."""
    changes = _list_changes(sorted(places), places)
    return {one for kind, *_, new, end in changes if kind == "equal" for one in places[new:end]}


def _pair_between(
    anchors: Mapping[int, int],
    sources: Iterable[int],
    translations: Iterable[int],
    entries: Collection[int],
) -> Iterator[tuple[int, int]]:
    """Pairs what is left between two pairs if both texts have equally many passages there; else
    the passages of the source that were accepted, if these are as many."""
    gaps = defaultdict[int, tuple[list[int], list[int]]](lambda: ([], []))
    for side, left, ends in ((0, sources, [*anchors]), (1, translations, [*anchors.values()])):
        for place in left:
            gaps[bisect(ends, place)][side].append(place)
    for some, texts in gaps.values():
        for chosen in (some, [at for at in some if at in entries]):
            if len(chosen) == len(texts):
                yield from zip(chosen, texts, strict=True)
                break


def _list_changes(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterator[_Change]:
    """What became of each stretch of a list, as `SequenceMatcher.get_opcodes` has it."""
    # Nearly always the lists are equal but for a few places. The comparison of hostile texts, of
    # thousands of passages that repeat, would take hours.
    start = _count_equal(zip(before, after, strict=False))
    end = _count_equal(zip(before[start:][::-1], after[start:][::-1], strict=False))
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    yield "equal", 0, start, 0, start
    if len(old) * len(new) > _COMPARED_MOST:
        yield "replace", start, start + len(old), start, start + len(new)
    else:
        for kind, *places in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            yield (kind, *(start + place for place in places))  # type: ignore[misc]  # four of them
    yield "equal", len(before) - end, len(before), len(after) - end, len(after)


def _count_equal(pairs: Iterable[tuple[Hashable, Hashable]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _compare_field(
    names: tuple[TranslatedPage, str, bool, str],
    text: LanguageText | None,
    known: Sequence[Accepted],
) -> Iterator[TranslatedPassage]:
    """Every passage of the source of a field, and those of the translation whose source is gone;
    `known` are the passages that were accepted."""
    page, *_, field = names
    sources = page.source.list_passages(field)
    translations = text.list_passages(field) if text else []
    source_digests = [digest_text(one) for one in sources]
    digests = [digest_text(one) for one in translations]
    whole = digest_text("\n".join(translations))
    pairs = [*_pair_passages(known, source_digests, digests)]
    accepted = {one.translation for one in known}
    unpaired = set(range(len(digests))) - {pair.translation for pair in pairs}
    is_edited = whole not in accepted and not accepted.issuperset(digests[at] for at in unpaired)
    for at, place, entry, is_moved in pairs:
        shown = "" if place is None else translations[place]
        if at is None:
            if entry and (place is not None or entry.translation == whole):
                stale = PassageState.STALE
                yield TranslatedPassage(*names, 0, stale, "", shown, entry, None, is_edited=False)
            continue
        digest = whole if place is None or is_moved else digests[place]
        now = Accepted(source_digests[at], digest) if translations else None
        # A ledger that has nothing of the field says nothing of one that was added. With entries, a
        # passage that they lack and that has no place in the translation was added since.
        is_missing = not now or (place is None and bool(known) and not entry)
        yield TranslatedPassage(
            *names,
            number=at + 1,
            state=_judge_passage(entry, now, is_missing=is_missing, is_moved=is_moved),
            source=sources[at],
            translation=shown,
            accepted=entry,
            now=now,
            is_edited=is_edited if place is None else digests[place] not in accepted,
        )


def _judge_passage(
    known: Accepted | None, now: Accepted | None, *, is_missing: bool, is_moved: bool
) -> PassageState:
    if now is None or is_missing:
        return PassageState.MISSING
    if known is None:
        return PassageState.UNACCEPTED
    is_changed = is_moved or known.source != now.source
    return PassageState.STALE if is_changed else PassageState.CURRENT
