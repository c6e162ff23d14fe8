"""The languages of an article that exists: a person edits them.

They can be filled at creation (spec 2.2, O20). No read or write was seen to take them in an update
(O9), where what exists is changed and pages are added; the routes for translations have no shape.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

STEP = "edit the languages in the authoring interface; no route changes them"
Languages = Sequence[Mapping[str, Any]] | None


def language_step(before: Languages, after: Languages) -> str:
    """The step, and what to do language by language."""
    was, now = (_by_tag(languages) for languages in (before, after))
    done = [
        *(f"add `{tag}`" for tag in now if tag not in was),
        *(
            f"in `{tag}` change {_join_languages(fields)}"
            for tag, fields in _changed_languages(was, now)
        ),
        *(f"take `{tag}` away" for tag in was if tag not in now),
    ]
    if not done and list(was) == list(now):
        return STEP
    if not done:
        done = [f"put them into this order, {', '.join(f'`{tag}`' for tag in now)}"]
    return f"{STEP}: {_join_languages(done)}"


def _by_tag(languages: Languages) -> dict[str, Mapping[str, Any]]:
    return {one["language"]: one for one in languages or ()}


def _changed_languages(
    was: Mapping[str, Mapping[str, Any]], now: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, list[str]]]:
    """Languages that stay, with the fields that differ."""
    for tag in (tag for tag in now if tag in was):
        names = sorted({*was[tag], *now[tag]})
        if fields := [f"`{name}`" for name in names if was[tag].get(name) != now[tag].get(name)]:
            yield tag, fields


def _join_languages(items: Sequence[str]) -> str:
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last
