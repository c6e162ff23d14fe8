"""Which passages of a translation are up to date, stale, missing, or were never accepted."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby, takewhile, zip_longest
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
    """Every passage of some resources."""
    return [passage for one in resources for passage in compare_resource(one, ledgers)]


def compare_page(
    page: TranslatedPage, language: str, ledgers: Ledgers
) -> Iterator[TranslatedPassage]:
    """Every passage of a page in one language."""
    entries = ledgers.find_entries(page.resource, page.part, language)
    for field in FIELDS:
        names = page, language, entries is not None, field
        yield from _Field(
            names, page.languages.get(language), (entries or {}).get(field, ())
        ).compare()


def accept_passages(
    passages: Iterable[TranslatedPassage],
    ledgers: Ledgers,
    *,
    unedited: bool = False,
    chooses: Callable[[TranslatedPassage], bool] = lambda _passage: True,
) -> list[TranslatedPassage]:
    """Puts the chosen passages of whole pages into the ledgers, and returns the stale ones whose
    translation is as it was.

    These are left stale, unless `unedited` says that they are right as they are.
    """
    left = []
    by_page = groupby(
        passages, key=lambda one: (one.page.resource.address, one.page.part, one.language)
    )
    for (_, part, language), some in by_page:
        entries: dict[str, list[Accepted]] = {field: [] for field in FIELDS}
        listed = list(some)
        for one in listed:
            is_left = one.state is PassageState.STALE and not (one.is_edited or unedited)
            # What is left keeps its old hashes, so that it is stale in the next comparison too.
            if kept := one.now if chooses(one) and not is_left else one.accepted:
                entries[one.field].append(kept)
            if is_left and chooses(one):
                left.append(one)
        if any(one.state is not PassageState.MISSING for one in listed):
            ledgers.set_entries(listed[0].page.resource, part, language, entries)
    return left


def _list_changes(
    before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[str, int, int, int, int]]:
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


def _count_equal(pairs: Iterable[tuple[str, str]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


class _Field:
    """A field of a page in two languages, and the passages of it that were accepted."""

    def __init__(
        self,
        names: tuple[TranslatedPage, str, bool, str],
        text: LanguageText | None,
        known: Sequence[Accepted],
    ) -> None:
        page, *_, field = self._names = names
        self._sources = page.source.list_passages(field)
        self._translations = text.list_passages(field) if text else []
        self._known = known
        self._source_digests = [digest_text(one) for one in self._sources]
        self._digests = [digest_text(one) for one in self._translations]
        self._whole = digest_text("\n".join(self._translations))

    def compare(self) -> Iterator[TranslatedPassage]:
        """Every passage of the source, and those of the translation whose source is gone."""
        # The ledger has the order of the source when it was accepted. So a comparison of both
        # lists finds which passages came, went and changed, also where some of them are equal.
        before = [one.source for one in self._known]
        for kind, old, old_end, new, new_end in _list_changes(before, self._source_digests):
            for known, at in zip_longest(self._known[old:old_end], range(new, new_end)):
                if at is not None:
                    yield self._compare_passage(at, known, is_changed=kind != "equal")
                elif known.translation in {*self._digests, self._whole}:
                    yield self._name_leftover(known)

    def _compare_passage(
        self, at: int, known: Accepted | None, *, is_changed: bool
    ) -> TranslatedPassage:
        place = self._find_translation(at, known)
        digest = self._whole if place is None else self._digests[place]
        # A ledger that has nothing of the field says nothing of one that was added. With entries, a
        # passage that they lack and that has no place in the translation was added since.
        is_there = place is not None or (self._translations and not self._known)
        if not self._translations or not (known or is_there):
            state = PassageState.MISSING
        elif known is None:
            state = PassageState.UNACCEPTED
        else:
            state = PassageState.STALE if is_changed else PassageState.CURRENT
        return TranslatedPassage(
            *self._names,
            number=at + 1,
            state=state,
            source=self._sources[at],
            translation="" if place is None else self._translations[place],
            accepted=known,
            now=Accepted(self._source_digests[at], digest) if self._translations else None,
            is_edited=digest not in {one.translation for one in self._known},
        )

    def _name_leftover(self, known: Accepted) -> TranslatedPassage:
        place = self._find_translation(None, known)
        text = "" if place is None else self._translations[place]
        return TranslatedPassage(
            *self._names, 0, PassageState.STALE, "", text, known, None, is_edited=False
        )

    def _find_translation(self, at: int | None, known: Accepted | None) -> int | None:
        """The place of the translation: that of the source where both have equally many passages,
        else the place of what was accepted."""
        if at is not None and len(self._sources) == len(self._translations):
            return at
        if known and known.translation in self._digests:
            return self._digests.index(known.translation)
        return None
