"""What waits for people: approvals of a plan, and calls of which nobody knows what they did.

For a call it says what to search for, and where, and gives the answers as commands.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from ..applying.apply import Undecided
from ..planning.approvals import FILE, Required
from ..support.invisible_characters import escape_invisible
from .changes import one_line
from .evidence_text import moment_text
from .field_words import name_field, word_value
from .terminal_style import PLAIN, Colour, TextStyle
from .value_words import count_noun, join_words

_NAMES = 5
"""Addresses that a line names."""
_WIDTH = 17
"""Of the words before what is to be looked for, and before each command."""


def approvals_text(needed: Sequence[Required], environment: str) -> str:
    """A line for each approval, the missing ones first."""
    missing = [one for one in needed if not one.given]
    given = [one for one in needed if one.given]
    lines = [line for one in (*missing, *given) for line in _lines(one)]
    if not needed:
        return escape_invisible(f"No approval is needed for {environment}.") + "\n"
    number = count_noun(len(needed), "approval")
    state = f"{len(missing):,} of {number} missing" if missing else f"{number} given"
    return "\n".join([*lines, escape_invisible(f"Approvals for {environment}: {state}.")]) + "\n"


def _lines(one: Required) -> Iterator[str]:
    teams = " or ".join(one.rule.teams)
    if one.given:
        yield escape_invisible(f"given    by {join_words(list(one.given))}")
    else:
        yield escape_invisible(f"missing  {teams} ({FILE}:{one.rule.line})")
    for address, effects in one.changes[:_NAMES]:
        yield escape_invisible(f"    {address}  {', '.join(effects)}")
    if len(one.changes) > _NAMES:
        yield f"    and {len(one.changes) - _NAMES:,} more"


def approvals_json(needed: Sequence[Required], environment: str) -> dict[str, Any]:
    return {
        "format": "lmssync.approvals/1",
        "environment": environment,
        "summary": {"required": len(needed), "missing": sum(not one.given for one in needed)},
        "required": [
            {
                "line": one.rule.line,
                "teams": list(one.rule.teams),
                "givenBy": list(one.given),
                "changes": [
                    {"address": str(address), "effects": list(effects)}
                    for address, effects in one.changes
                ],
            }
            for one in needed
        ],
    }


def undecided_text(
    waiting: Sequence[Undecided],
    options: str = "",
    style: TextStyle = PLAIN,
    currency: str = "",
    *,
    steps: int = 0,
) -> str:
    """A paragraph for each; `options` stand in the commands behind `lmssync resolve`. `steps` is
    how many manual steps are open."""
    if not waiting:
        are = "is" if steps == 1 else "are"
        more = f" {count_noun(steps, 'manual step')} {are} open: `lmssync status` says more."
        return f"Nothing waits for a decision.{more * bool(steps)}\n"
    count = count_noun(len(waiting), "resource")
    lines = [
        f"Calls for {count} were sent, but it is not known whether the platform carried them out."
    ]
    lines += [_advise_apply([one.findable for one in waiting])]
    differ = len({one.findable for one in waiting}) > 1
    for one in waiting:
        lines += ["", *_head(one, style), *_list_changes(one, currency)]
        if differ and not one.findable:
            lines.append(_row("lmssync apply", "cannot settle it: no read shows it without its id"))
        lines += [_row(label, command) for label, command in _answers(one, options)]
        lines.append(
            _row("not known yet", "leave it open: only this resource and those that need it wait")
        )
    return "".join(f"{line}\n" for line in lines)


def _advise_apply(findable: Sequence[bool]) -> str:
    """Whether an apply may settle some of what waits, so that a person need not look for it."""
    if all(findable):
        return "Run `lmssync apply` first: it checks the platform again, and often finds out."
    if any(findable):
        return "Run `lmssync apply` first: it checks the platform again, and finds what reads show."
    return "No read shows it without an id, so `lmssync apply` cannot settle it: a person has to."


def _head(one: Undecided, style: TextStyle) -> Iterator[str]:
    """Which call it was, what to search for, and where."""
    title = f"  “{one.title}”" if one.title else ""
    yield f"{style('?', Colour.YELLOW)} {escape_invisible(f'{one.address}{title}')}"
    call = one.call
    when = moment_text(call.started_at)
    yield escape_invisible(f"    {call.route} of {when} ({call.status})")
    yield _row("search for", _sought(one))
    yield _row("in", f"{one.place}, in the admin interface")


def _list_changes(one: Undecided, currency: str) -> Iterator[str]:
    """What a person compares: the values before the call and those that it sent."""
    for number, field in enumerate(one.changes[:_NAMES]):
        values = (word_value(field.path, it, currency) for it in (field.before, field.after))
        text = f"{name_field(field.path, one.part_titles)}: {one_line(*values)}"
        yield _row("" if number else "the call changes", text)
    if (more := len(one.changes) - _NAMES) > 0:
        yield _row("", f"and {more:,} more")


def _row(label: str, text: str) -> str:
    return escape_invisible(f"    {label:<{_WIDTH}}{text}")


def _sought(one: Undecided) -> str:
    """The mark, which nothing else carries; else the id or the name."""
    field, _, value = one.mark.partition("=")
    if value:
        return f"the {field} {value}"
    return f"the id {one.id}" if one.id else f"“{one.title or one.address.key}”"


def _answers(one: Undecided, options: str) -> Iterator[tuple[str, str]]:
    resolve = f"lmssync resolve{options} {one.address}"
    if one.makes_id:
        unread = "" if one.checkable else " --unverified"
        yield "it is there", f"{resolve} --adopt {one.id or 'ID'}{unread}"
        yield "it is not there", f"{resolve} --not-created"
    else:
        yield "it was done", f"{resolve} --done"
        yield "it was not done", f"{resolve} --not-created"


def undecided_json(waiting: Sequence[Undecided], environment: str) -> dict[str, Any]:
    return {
        "format": "lmssync.undecided/1",
        "environment": environment,
        "undecided": [_entry(one) for one in waiting],
    }


def _entry(one: Undecided) -> dict[str, Any]:
    field, _, value = one.mark.partition("=")
    call = one.call
    return {
        "address": str(one.address),
        "title": one.title,
        "route": call.route,
        "status": call.status,
        "since": call.started_at,
        "plan": call.plan,
        "commit": call.commit,
        "mark": {"field": field, "value": value} if value else None,
        "id": one.id or None,
        "changes": [field._asdict() for field in one.changes],
        "place": one.place,
        "answers": [command for _, command in _answers(one, "")],
    }
