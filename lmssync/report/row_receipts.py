"""What a list is about to do, and what became of each of its rows or people: text, CSV, JSON."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from ..applying.apply import PersonLine
from ..learners.operations.operation_kinds import Ended, OperationReport, RowResult
from ..support.invisible_characters import escape_invisible
from ..vocabulary.iso_dates import format_timestamp
from ..vocabulary.routes import ROUTES
from .text_tables import join_csv_line
from .value_words import count_noun, shorten_list, spell_value

_SHOWN = 20
_LINES = 12
_FREE_TEXT = frozenset({"gradeFeedback"})
"""Neither in what is printed nor in CSV: it may name people, and it tells no row from another."""
_UNKNOWN = (
    "Run the same command again: it looks for them in the feed and in profiles. Look up the "
    "rest on the platform yourself, then add --recorded LINES or --not-recorded LINES."
)
_COLUMNS = ("address", "file", "line", "person", "outcome", "reason")


def foreseen_text(report: OperationReport, place: str) -> str:
    """The rows that would be sent, without who they are about, and those that would not."""
    counts, route = report.count_ends, ROUTES[report.operation.route]
    sent = [one for one in report.results if one.ended is Ended.NOT_SENT]
    shown = [one.row for one in shorten_list(sent, _SHOWN, full=False)]
    lines = [
        f"  {place}:{row.line}  {_in_words(report.operation.showable_fields(row.body))}".rstrip()
        for row in shown
    ]
    lines += [f"  … {len(sent) - len(lines):,} more"] * (len(lines) < len(sent))
    head = f"{count_noun(len(sent), 'call')} of {route.method} {route.path}:"
    more = [
        f"{counts[ended]:,} {text}"
        for ended, text in (
            (Ended.UNCHANGED, f"{report.operation.done} already: not sent again"),
            (Ended.UNKNOWN, "sent before without a clear answer: looked for first"),
        )
        if counts[ended]
    ]
    return "\n".join([head, *map(escape_invisible, lines), *more]) + "\n"


def _in_words(fields: Mapping[str, Any]) -> str:
    shown = (name for name in fields if name not in _FREE_TEXT)
    return ", ".join(f"{name} {spell_value(fields[name])}" for name in shown)


def receipt_text(report: OperationReport, place: str) -> str:
    """The sum, and below it why rows were refused or are unknown, with their lines."""
    counts = report.count_ends
    numbers = [f"{counts[ended]:,} {_said(report, ended)}" for ended in Ended if counts[ended]]
    lines = [*_reasons(report, place), f"{', '.join(numbers)}."]
    if counts[Ended.UNKNOWN] and not report.operation.is_repeatable:
        lines.append(_UNKNOWN)
    elif counts[Ended.UNKNOWN]:
        lines.append("Run the same command again: a repeat does no harm here.")
    if counts[Ended.NOT_SENT]:
        lines.append("Stopped before the end: run the same command again to go on.")
    return "\n".join(lines) + "\n"


def _said(report: OperationReport, ended: Ended) -> str:
    texts = {
        Ended.DONE: report.operation.done,
        Ended.UNCHANGED: f"{report.operation.done} already",
        Ended.NOT_SENT: "not sent",
    }
    return texts.get(ended, str(ended))


def _reasons(report: OperationReport, place: str) -> Iterator[str]:
    """A line for each reason, without who it is about, with the lines that it applies to."""
    by_reason = defaultdict[tuple[Ended, str], list[int]](list)
    for one in report.results:
        if one.ended in {Ended.REFUSED, Ended.UNKNOWN}:
            by_reason[one.ended, _nameless(report, one)].append(one.row.line)
    for (ended, reason), lines in by_reason.items():
        some = shorten_list(lines, _LINES, full=False)
        more = f" and {len(lines) - len(some):,} more" * (len(some) < len(lines))
        yield escape_invisible(f"{place}:{','.join(map(str, some))}{more}: {ended}: {reason}")


def _nameless(report: OperationReport, one: RowResult) -> str:
    person = re.escape(str(one.row.body[report.operation.person]))
    return re.sub(person, "…", one.reason, flags=re.IGNORECASE)


def receipt_json(
    report: OperationReport, environment: str, *, dry_run: bool = False
) -> dict[str, Any]:
    """Everything, with who it is about: it is made for whoever has the list."""
    return {
        "format": "lmssync.receipt/1",
        "environment": environment,
        "operation": report.operation.name,
        "dryRun": dry_run,
        "summary": in_summary(report.count_ends),
        "rows": [
            {
                "line": one.row.line,
                "outcome": str(one.ended),
                "reason": one.reason or None,
                "at": _stamp(one.at),
                "fields": dict(one.row.body),
            }
            for one in report.results
        ],
        "error": report.error.message if report.error else None,
    }


def in_summary(counts: Mapping[Ended, int]) -> dict[str, int]:
    """Counts by the words of JSON."""
    names = {Ended.NOT_SENT: "notSent"}
    return {names.get(ended, str(ended)): count for ended, count in counts.items()}


def receipt_csv(report: OperationReport) -> Iterable[bytes]:
    """A row for each row of the list, in its order."""
    columns = [name for name in report.operation.row.model_fields if name not in _FREE_TEXT]
    yield join_csv_line(["line", "outcome", "reason", "at", *columns])
    for one in report.results:
        yield join_csv_line(
            [
                one.row.line,
                str(one.ended),
                one.reason,
                _stamp(one.at),
                *[one.row.body.get(name) for name in columns],
            ]
        )


def _stamp(at: int | None) -> str | None:
    return None if at is None else format_timestamp(at / 1000)


def receipt_bytes(form: str, report: OperationReport, environment: str) -> Iterable[bytes]:
    """A receipt as a file, `csv` or `json`."""
    if form == "csv":
        return receipt_csv(report)
    document = receipt_json(report, environment)
    return [orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)]


def people_bytes(form: str, people: Sequence[PersonLine], environment: str) -> Iterable[bytes]:
    """A receipt as a file, `csv` or `json`; it names people."""
    if form == "csv":
        return [join_csv_line(_COLUMNS), *(join_csv_line(_fields(one).values()) for one in people)]
    counts = Counter(one.ended for one in people)
    document = {
        "format": "lmssync.people-receipt/1",
        "environment": environment,
        "summary": in_summary({ended: counts[ended] for ended in Ended}),
        "people": [_fields(one) for one in people],
    }
    return [orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)]


def _fields(one: PersonLine) -> dict[str, Any]:
    file, line = (one.place.file, one.place.line) if one.place else (None, None)
    cells = (str(one.address), file, line, one.person, str(one.ended), one.reason or None)
    return dict(zip(_COLUMNS, cells, strict=True))
