"""What a look at the platform has found: what differs from its record, and what is not managed.

A line for each finding, as text, JSON or Markdown.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..kind import LivePart, part_name
from ..planning.diff import Drift, explain_places
from ..resource import Address
from ..support.invisible_characters import escape_invisible
from ..sync.drift import Drifted, DriftResult, LostHolding, Survey, Unmanaged
from .changes import one_line
from .evidence_text import SayMoment, coverage_line, describe_age, describe_noticed
from .field_words import name_field, name_part, word_value
from .markdown_escape import escape_text
from .terminal_style import PLAIN, Colour, TextStyle
from .text_tables import list_below_names
from .value_words import count_noun, join_some, join_words, markdown_cell, name_with_title

_GIVEN_BACK = (
    "A license that was taken away by hand is not given again by an apply: give it in the admin "
    "interface, or take these people out of the list."
)
_NAMES = 5
"""How many addresses a line names."""


def unmanaged_text(survey: Survey, style: TextStyle = PLAIN) -> str:
    """Kind, id and title of each, what it belongs to, and what could not be listed."""
    width = max((len(item.kind) for item in survey.items), default=0)
    lines = [
        escape_invisible(f"{item.kind:<{width}}  {item.id}  {_describe_item(item)}")
        for item in survey.items
    ]
    lines.append(style(_summary(survey), Colour.BOLD))
    return "\n".join([*lines, *_unlisted_lines(survey)]) + "\n"


def unmanaged_markdown(survey: Survey) -> str:
    lines = [f"**{_summary(survey)}**", ""]
    if survey.items:
        lines += ["| Kind | Id | Title |", "| --- | --- | --- |"]
        lines += [
            f"| {item.kind} | {item.id} | {markdown_cell(_describe_item(item))} |"
            for item in survey.items
        ]
        lines.append("")
    return "\n".join([*lines, *_unlisted_lines(survey)]) + "\n"


def unmanaged_json(survey: Survey, environment: str) -> dict[str, Any]:
    return {
        "format": "lmssync.unmanaged/1",
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
    return f"{number:,} {are} not managed here ({count_noun(survey.calls, 'call')})."


def _unlisted_lines(survey: Survey) -> Iterator[str]:
    """One sentence for all kinds that the instance cannot list, one for those it may not."""
    if survey.unlisted:
        nouns = join_words(survey.unlisted)
        yield f"This instance has no list of every {nouns}, so unmanaged ones were not looked for."
    if survey.refused:
        nouns = join_words(survey.refused)
        yield f"The key may not list every {nouns}, so unmanaged ones were not looked for."


class _Line(NamedTuple):
    """One finding: which resource, by its title, what it is about, and what is there."""

    resource: str
    field: str
    text: str


def drift_text(look: DriftResult, style: TextStyle = PLAIN, currency: str = "") -> str:
    """A line for each finding, what was not looked at, and how much is proven."""
    found = (_spell_line(line, style) for line in _list_lines(look, currency))
    lines = [*list_below_names(found)]
    lines.append(style(summarize_drift(look), Colour.BOLD))
    lines += [*_closed_lines(look), *_rest(look), *_truth_lines(look, describe_age)]
    return "\n".join(lines) + "\n"


def drift_markdown(look: DriftResult, currency: str = "") -> str:
    """The findings as a table, for a comment or a page."""
    lines = [f"**{summarize_drift(look)}**", ""]
    findings = list(_list_lines(look, currency))
    if findings:
        lines += ["| Resource | Field | Finding |", "| --- | --- | --- |"]
        lines += [f"| {' | '.join(escape_text(text) for text in line)} |" for line in findings]
        lines.append("")
    lines += [*_closed_lines(look), *_rest(look), *_truth_lines(look, None)]
    return "\n".join(lines) + "\n"


def _truth_lines(look: DriftResult, say: SayMoment | None) -> Iterator[str]:
    line = coverage_line(look.truth, say, unmoved=look.unmoved_fields, unread=look.unread)
    yield from [line] if line else []


def drift_json(look: DriftResult, environment: str) -> dict[str, Any]:
    """The findings with their whole values."""
    return {
        "format": "lmssync.drift/1",
        "environment": environment,
        "summary": {
            "looked": look.looked,
            "changed": sum(not one.missing for one in look.findings),
            "missing": sum(one.missing for one in look.findings),
            "unseen": len(look.unseen),
            "unclear": len(look.unclear),
            "left": len(look.left),
            "unlisted": len(look.unlisted),
            "unmoved": len(look.unmoved),
        },
        "findings": [_finding(one) for one in look.findings],
        "closedSteps": [
            {"address": str(one.address), **one.manual._asdict(), "since": one.since}
            for one in look.closed
        ],
        "left": [str(address) for address in look.left],
        "unclear": [str(address) for address in look.unclear],
        "unlisted": [str(address) for address in look.unlisted],
        "timesBehind": [str(address) for address in look.belied],
        "undescribed": [
            {"address": str(address), "parts": list(parts)}
            for address, parts in look.beyond.items()
        ],
        "calls": look.calls,
        "truth": {**look.truth._asdict(), "unmoved": look.unmoved_fields, "unread": look.unread},
    }


def _finding(one: Drifted) -> dict[str, Any]:
    return {
        "address": str(one.address),
        "title": one.title,
        "missing": one.missing,
        "gone": list(one.gone),
        "came": [part_json(part) for part in one.came],
        "fields": [
            {
                "path": drift.path,
                "recorded": drift.recorded,
                "live": drift.live,
                **({"noticedAt": drift.noticed_at} if drift.noticed_at else {}),
                **({"places": dict(drift.places)} if drift.places else {}),
            }
            for drift in one.drift
        ],
        "losses": [
            {"held": loss.what or None, "people": list(loss.people), "where": loss.where}
            for loss in one.losses
        ],
        "aged": [
            {"path": aged.path, "by": aged.by, "on": aged.on, "updatedAt": aged.changed_at}
            for aged in one.aged
        ],
    }


def summarize_drift(look: DriftResult) -> str:
    """`3 of 40 resources were changed on the platform, 1 is not there any more (12 calls).`"""
    missing = sum(one.missing for one in look.findings)
    changed = len(look.findings) - missing
    resources = count_noun(look.looked + len(look.unmoved), "resource")
    read = f"{look.looked:,} read, " if look.unmoved else ""
    calls = read + count_noun(look.calls, "call")
    if not look.findings:
        return f"No drift in {resources} ({calls})."
    numbers = [f"{changed:,} of {resources} changed on the platform"] * bool(changed)
    numbers += [f"{missing:,} not there any more"] * bool(missing)
    return f"Drift: {', '.join(numbers)} ({calls})."


def _closed_lines(look: DriftResult) -> Iterator[str]:
    for step in look.closed:
        text = f"Done by hand, as a read shows: {step.address}: {step.manual.text}"
        yield escape_invisible(text)


def _rest(look: DriftResult) -> Iterator[str]:
    if look.left:
        why = "the look was stopped" if look.error else "the calls of --budget were used up"
        yield f"Not looked at, because {why}: {join_some(look.left, _NAMES)}."
    if look.unmoved:
        yield (
            f"Not read: {count_noun(len(look.unmoved), 'resource')}. Lists show no change "
            "there since the last read; `lmssync drift --refresh all` reads everything."
        )
    if look.belied:
        names = join_some(look.belied, _NAMES)
        yield (
            f"Everything was read, because a list shows an old time for what has changed: {names}. "
            "If that happens again a minute later, this instance does not update its times with "
            "every change: remove `content.times` from `platform.capabilities` in lmssync.yaml."
        )
    if look.unseen:
        yield f"No route of this instance shows {count_noun(len(look.unseen), 'resource')}."
    if look.unclear:
        yield (
            f"Not compared, because no read shows which id belongs to which resource: "
            f"{join_some(look.unclear, _NAMES)}. If they were just created, look again; "
            "otherwise record the id from the admin interface: `lmssync adopt ADDRESS=ID`."
        )
    for address, parts in look.beyond.items():
        yield (
            f"Not compared in {address}, because a manifest of its kind has no place for it: "
            f"{join_some(parts, _NAMES)}."
        )
    if look.unlisted:
        lists = count_noun(len(look.unlisted), "list")
        yield f"The licenses of the people in {lists} were not compared: {look.why_unlisted}."
    if any(one.losses for one in look.findings):
        yield _GIVEN_BACK


def _list_lines(look: DriftResult, currency: str) -> Iterator[_Line]:
    for one in look.findings:
        name = name_with_title(one.title, one.address)
        if one.missing:
            yield _Line(name, "", "is not on the platform any more")
        paths = {part_name(path): path for path in one.part_titles}
        gone = (path for path in one.gone if path.rpartition("/")[0] not in one.gone)
        for path in gone:
            part = name_part(paths.get(path, path), one.part_titles)
            yield _Line(name, part, "was deleted on the platform")
        for came in one.came:
            yield _Line(name, name_part(came.path, one.part_titles), _explain_arrival(one, came))
        for drift in one.drift:
            field = name_field(drift.path, one.part_titles)
            yield _Line(name, field, _spell_values(one.address, drift, currency))
        yield from (_Line(name, "", _lost(loss)) for loss in one.losses)
        for aged in one.aged:
            part = name_part(aged.path, one.part_titles)
            yield _Line(name, part, f"{aged.in_words}: look at it, then attest it again")


def _lost(one: LostHolding) -> str:
    """`gave license.staff to 2 people who do not hold it: staff.csv:6-7`"""
    people, alone = f"{len(one.people):,} people", len(one.people) == 1
    people = "1 person" if alone else people
    if not one.what:
        return f"names {people} for whom the platform lists no account any more: {one.where}"
    do = "does" if alone else "do"
    return f"gave {one.what} to {people} who {do} not have it now: {one.where}"


def _spell_values(address: Address, one: Drift, currency: str) -> str:
    """The recorded and the live value on one line, or those of several places."""
    if one.places:
        return explain_places(address, one)
    if one.noticed_at:
        return describe_noticed(one.noticed_at)
    return one_line(
        word_value(one.path, one.recorded, currency), word_value(one.path, one.live, currency)
    )


def _spell_line(line: _Line, style: TextStyle) -> tuple[str, str]:
    name = style(escape_invisible(line.resource), Colour.YELLOW)
    return name, escape_invisible(f"{line.field}: {line.text}" if line.field else line.text)


def _explain_arrival(one: Drifted, part: LivePart) -> str:
    """`was moved here on the platform, from lesson “Welcome” in “Start”`."""
    if not part.was:
        return "was added on the platform"
    around = part.was.rpartition(".")[0]
    place = f", from {name_part(around, one.part_titles)}" if around else ""
    return f"was moved here on the platform{place}"


def part_json(part: LivePart) -> dict[str, Any]:
    """Its path, and that of where it was; `after` is the id of the part in front of it."""
    return {
        "part": part.path,
        "type": part.noun,
        "title": part.title,
        "after": part.ahead[0] if part.ahead else None,
        "was": part.was or None,
    }
