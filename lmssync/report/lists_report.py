"""What a list of the platform holds, as a table, JSON, YAML or CSV, and how far its jobs are."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

import orjson

from ..platform.client import JobEnd
from ..platform.list_declarations import PlatformList
from ..platform.list_reading import Items, ListQuery, value_at
from ..support.invisible_characters import in_json
from ..vocabulary.routes import FURTHER_ROUTES
from .evidence_text import moment_text
from .field_words import CENTS, spell_amount
from .terminal_style import wrap_lines
from .text_tables import fit_table, join_csv_line
from .value_words import join_some

_HEAD = ("id", "status", "since", "resources", "description", "message")
_SHOWN = 3


class ShownJob(NamedTuple):
    """A job, with what the state says of the call that it belongs to."""

    end: JobEnd
    route: str = ""
    since: str = ""
    addresses: Sequence[str] = ()

    @property
    def about(self) -> str:
        """`course.a, course.b and 7 more`."""
        return join_some(self.addresses, _SHOWN)


def jobs_text(jobs: Sequence[ShownJob], width: int | None) -> str:
    if not jobs:
        return "The state has no open job.\n"
    rows = [
        (
            one.end.id,
            one.end.status,
            moment_text(one.since) if one.since else "",
            one.about,
            one.end.description,
            one.end.message,
        )
        for one in jobs
    ]
    return fit_table(_HEAD, rows, width)[0]


def jobs_json(jobs: Iterable[ShownJob]) -> dict[str, Any]:
    return {"format": "lmssync.jobs/1", "jobs": [job_json(one) for one in jobs]}


def job_json(job: ShownJob) -> dict[str, Any]:
    end = job.end
    return {
        "id": end.id,
        "status": end.status,
        "description": end.description,
        "errorMessage": end.message,
        "route": job.route,
        "since": job.since,
        "resources": list(job.addresses),
    }


def job_line(job: ShownJob) -> str:
    """`7d1c…  failed  client.acme: Clone client (the slug is taken)`."""
    what = ": ".join(filter(None, (job.about, job.end.description)))
    why = f" ({job.end.message})" if job.end.message else ""
    return f"{job.end.id}  {job.end.status:<10}  {what}{why}".rstrip()


FORMAT = "lmssync.list/1"
_ROW = orjson.OPT_INDENT_2
_MOMENT = re.compile(r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$")
"""A moment as the platform writes it: a table shows the day and the minute."""
_ORDER = re.compile(r"^\s*::", re.MULTILINE)
"""How a line begins that a build server takes for an order."""


class ShownList(NamedTuple):
    """A list that is read while it is written."""

    query: ListQuery
    items: Items
    columns: Sequence[str]
    """Fields that somebody asked for; empty: those of the list."""
    unseen: set[str]
    """Those of them that no item has had."""
    fields: set[str]
    """The fields that items have had so far."""

    @classmethod
    def of(cls, query: ListQuery, items: Items, columns: Sequence[str]) -> "ShownList":
        declared = (*query.list.columns, *query.list.further)
        prices = {name.removesuffix(CENTS): name for name in declared}
        named = [prices.get(name, name) for name in columns]
        return cls(query, items, named, {*named}, set())

    @property
    def unknown(self) -> Set[str]:
        """Columns that neither the list declares nor an item has had; none without any item."""
        declared = {*self.query.list.columns, *self.query.list.further}
        return self.unseen - declared if self.fields else frozenset()

    @property
    def rows(self) -> Iterator[Mapping[str, Any]]:
        """The items, once."""
        for item in self.items:
            self.fields.update(item)
            self.unseen.difference_update(
                [name for name in self.unseen if name.partition(".")[0] in item]
            )
            yield item


def table_of(listed: ShownList, width: int | None, currency: str = "") -> tuple[str, Sequence[str]]:
    """The table, no wider than `width`, and which columns had no room in it. Prices are amounts of
    the currency."""
    columns = listed.columns or listed.query.list.columns
    rows = [
        [
            spell_amount(name, value := value_at(item, name), currency)
            or _MOMENT.sub(r"\1 \2Z", format_cell(value))
            for name in columns
        ]
        for item in listed.rows
    ]
    return fit_table([name.removesuffix(CENTS) for name in columns], rows, width)


def csv_of(listed: ShownList) -> Iterator[bytes]:
    """A list as CSV: the names of the fields first; each line ends with a line feed."""
    declared = listed.query.list
    columns = listed.columns or (*declared.columns, *declared.further)
    yield join_csv_line(columns)
    for item in listed.rows:
        values = [value_at(item, name) for name in columns]
        yield join_csv_line(v if type(v) in {int, float} else format_cell(v) for v in values)


def json_of(listed: ShownList) -> Iterator[bytes]:
    """One document; what there is of each item stands in it as it came."""
    yield f'{{\n  "format": "{FORMAT}",\n  "list": "{listed.query.name}",\n  "items": ['.encode()
    between = b"\n    "
    for item in listed.rows:
        lines = orjson.dumps(_choose_columns(item, listed.columns), option=_ROW).decode()
        yield between + in_json(lines).replace("\n", "\n    ").encode()
        between = b",\n    "
    end = b"]" if between == b"\n    " else b"\n  ]"
    yield end + f',\n  "more": {str(listed.items.more).lower()}\n}}\n'.encode()


def yaml_of(listed: ShownList) -> Iterator[bytes]:
    """A list as YAML, with the document of its JSON."""
    from ..catalog.manifests.yaml import write_items

    yield f"format: {FORMAT}\nlist: {listed.query.name}\nitems:".encode()
    empty = True
    for item in listed.rows:
        chosen = _choose_columns(item, listed.columns)
        rows = write_items([chosen], 2)
        if _ORDER.search(rows):  # in JSON, which is YAML too, no line of a text begins a line
            rows = f"  - {in_json(orjson.dumps(chosen).decode())}"
        yield f"\n{rows}".encode("utf-8", "replace")
        empty = False
    yield f"{' []' * empty}\nmore: {str(listed.items.more).lower()}\n".encode()


def _choose_columns(item: Mapping[str, Any], columns: Sequence[str]) -> Mapping[str, Any]:
    return {name: value_at(item, name) for name in columns} if columns else dict(item)


def format_cell(value: Any) -> str:
    """A value on one line: lists of plain values with commas, other structures as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return orjson.dumps(value).decode()


def overview_of(lists: Mapping[str, PlatformList], width: int | None) -> str:
    """The lists that can be asked for: a line each, with what has to be named, and its filters."""
    lines: list[str] = []
    column = max(map(len, lists)) + 2
    for name, declared in lists.items():
        lines.append(f"{name:<{column}}{declared.meaning}{_needs(declared)}")
        lines += [f"{'':<{column}}  {line}" for line in _list_choices(declared)]
    return "".join(f"{line}\n" for line in wrap_lines(lines, width))


def _list_choices(declared: PlatformList) -> Iterator[str]:
    """Below the name of a list: its addresses, `--filter assetType=VALUE`, and the sorting."""
    if declared.addresses:
        yield f"{', '.join(declared.addresses)}  the address of a recorded resource"
    for one in declared.filters:
        words = f": {', '.join(one.words)}" if one.words else ""
        yield f"--filter {one.name}=VALUE  {one.meaning}{words}"
    if declared.sort:
        yield "--sort FIELD, or --sort -FIELD"


def _needs(declared: PlatformList) -> str:
    """What is to be named, and whether an instance may lack the route."""
    who = declared.takes
    words = f"{who.noun.upper().replace(' ', '-')}..."
    needs = f"needs `{declared.route}`" if declared.route in FURTHER_ROUTES else ""
    alone = f"or name {words}" if declared.single and needs else ""
    named = f"; name {words}" if declared.owner or not declared.route else ""
    if who.lookup:
        named = f"; name {words} or none for all"
    conditions = ", ".join(filter(None, (needs, alone)))
    return named + (f" ({conditions})" if conditions else "")


PIECES = {"json": json_of, "yaml": yaml_of, "csv": csv_of}
