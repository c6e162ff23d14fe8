"""Languages of a page: rows of a list that are known by a field, and change one by one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...catalog.manifests.export import Item, ListEdit, NewItem
from ...kinds import LANGUAGE
from ...resource import Origin
from ...texts.from_html import show_same_page
from ...texts.values import render_markdown

Row = Mapping[str, Any]


class RowEdits(NamedTuple):
    """What has to change so that a list of rows says what the platform has."""

    fields: Sequence[tuple[int, str, Any]]
    """Position of a row in the manifest, field and value; a body is HTML."""
    items: ListEdit | None
    """Set if rows came or went, or stand in another order."""
    new: list[dict[str, Any]]
    """Rows that came, as they stand in the edit of the list."""
    gone: Sequence[Row]
    """Rows of the manifest that leave it."""


def are_rows(value: Any) -> bool:
    """True for rows that are each known by a language of their own; at least one."""
    if not isinstance(value, list) or not value:
        return False
    names = [row.get(LANGUAGE) if isinstance(row, dict) else None for row in value]
    return None not in names and len(set(names)) == len(names)


def row_edits(
    place: Origin, rows: Sequence[Row], forms: Sequence[Row], shown: Sequence[Row]
) -> RowEdits:
    """Compares the rows of a manifest, with their forms, with those of the platform."""
    live = [_as_html(row) for row in shown]
    at = {row[LANGUAGE]: position for position, row in enumerate(rows)}
    new = [dict(row) for row in live if row[LANGUAGE] not in at]
    by_name = {row[LANGUAGE]: NewItem(row) for row in new}
    items = [
        Item(place.path, at[row[LANGUAGE]]) if row[LANGUAGE] in at else by_name[row[LANGUAGE]]
        for row in live
    ]
    there = {row[LANGUAGE]: row for row in live}
    fields = [
        (position, name, value)
        for position, form in enumerate(forms)
        if form[LANGUAGE] in there
        for name, value in _differing(form, there[form[LANGUAGE]])
    ]
    stays = list(there) == list(at)
    edit = None if stays else ListEdit(place.document, place.path, items)
    return RowEdits(fields, edit, new, [row for row in rows if row[LANGUAGE] not in there])


def _differing(form: Row, live: Row) -> Iterator[tuple[str, Any]]:
    """Fields of a row with what they shall say; None for one that the platform has emptied."""
    for name in dict.fromkeys([*form, *live]):
        mine, there = _html(form.get(name)) or None, live.get(name) or None
        if name == "body" and mine and there and show_same_page(mine, there):
            continue
        if mine != there:
            yield name, there


def _as_html(row: Row) -> Row:
    """A row that is as it was recorded may have its body as Markdown."""
    return {**row, "body": _html(row["body"])} if "body" in row else row


def _html(value: Any) -> Any:
    return render_markdown(value["$markdown"]) if isinstance(value, dict) else value
