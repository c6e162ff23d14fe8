"""What the platform has and the catalog does not: a line for each, as text, JSON or Markdown."""

from collections.abc import Iterator
from typing import Any

from ..drift import Survey
from ..visible import escape_invisible
from . import words
from .ink import PLAIN, Colour, Ink

FORMAT = "lmssync.unmanaged/1"


def unmanaged_text(survey: Survey, ink: Ink = PLAIN) -> str:
    """Kind, id and title of each, and what could not be listed."""
    width = max((len(item.kind) for item in survey.items), default=0)
    lines = [
        escape_invisible(f"{item.kind:<{width}}  {item.id}  {item.title}{_was(item.forgotten)}")
        for item in survey.items
    ]
    lines.append(ink(_summary(survey), Colour.BOLD))
    return "\n".join([*lines, *_unlisted_lines(survey)]) + "\n"


def unmanaged_markdown(survey: Survey) -> str:
    lines = [f"**{_summary(survey)}**", ""]
    if survey.items:
        lines += ["| Kind | Id | Title |", "| --- | --- | --- |"]
        lines += [
            f"| {item.kind} | {item.id} | {words.cell(item.title + _was(item.forgotten))} |"
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
                "forgotten": str(item.forgotten) if item.forgotten else None,
            }
            for item in survey.items
        ],
        "unlisted": list(survey.unlisted),
        "calls": survey.calls,
    }


def _was(address: object) -> str:
    return f" (it was {address}, which has left the catalog)" if address else ""


def _summary(survey: Survey) -> str:
    number = len(survey.items)
    are = "thing on the platform is" if number == 1 else "things on the platform are"
    return f"{number:,} {are} not managed here ({words.count_noun(survey.calls, 'call')})."


def _unlisted_lines(survey: Survey) -> Iterator[str]:
    for noun in survey.unlisted:
        yield f"No list of this instance shows every {noun}: none of them is looked for."
