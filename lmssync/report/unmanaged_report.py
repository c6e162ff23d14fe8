"""What the platform has and the catalog does not: a line for each, as text, JSON or Markdown."""

from collections.abc import Iterator
from typing import Any

from ..support.visible import escape_invisible
from ..sync.drift import Survey, Unmanaged
from . import words
from .ink import PLAIN, Colour, Ink

FORMAT = "lmssync.unmanaged/1"


def unmanaged_text(survey: Survey, ink: Ink = PLAIN) -> str:
    """Kind, id and title of each, what it belongs to, and what could not be listed."""
    width = max((len(item.kind) for item in survey.items), default=0)
    lines = [
        escape_invisible(f"{item.kind:<{width}}  {item.id}  {_describe_item(item)}")
        for item in survey.items
    ]
    lines.append(ink(_summary(survey), Colour.BOLD))
    return "\n".join([*lines, *_unlisted_lines(survey)]) + "\n"


def unmanaged_markdown(survey: Survey) -> str:
    lines = [f"**{_summary(survey)}**", ""]
    if survey.items:
        lines += ["| Kind | Id | Title |", "| --- | --- | --- |"]
        lines += [
            f"| {item.kind} | {item.id} | {words.cell(_describe_item(item))} |"
            for item in survey.items
        ]
        lines.append("")
    return "\n".join([*lines, *_unlisted_lines(survey)]) + "\n"


def unmanaged_json(survey: Survey, environment: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "environment": environment,
        "items": [
            {
                "kind": item.kind,
                "id": item.id,
                "title": item.title,
                "owner": item.owner or None,
                "forgotten": str(item.forgotten) if item.forgotten else None,
            }
            for item in survey.items
        ],
        "unlisted": list(survey.unlisted),
        "refused": list(survey.refused),
        "calls": survey.calls,
    }


def _describe_item(item: Unmanaged) -> str:
    """`Staff (of acme)`, and under which address it was managed once."""
    of = f" (of {item.owner})" if item.owner else ""
    was = f" (it was {item.forgotten}, which has left the catalog)" if item.forgotten else ""
    return f"{item.title}{of}{was}"


def _summary(survey: Survey) -> str:
    number = len(survey.items)
    are = "thing on the platform is" if number == 1 else "things on the platform are"
    return f"{number:,} {are} not managed here ({words.count_noun(survey.calls, 'call')})."


def _unlisted_lines(survey: Survey) -> Iterator[str]:
    """One sentence for all kinds that the instance cannot list, one for those it may not."""
    if survey.unlisted:
        nouns = words.join_words(survey.unlisted)
        yield f"No list of this instance shows every {nouns}: none of them is looked for."
    if survey.refused:
        nouns = words.join_words(survey.refused)
        yield f"The key may not read a list of every {nouns}: none of them is looked for."
