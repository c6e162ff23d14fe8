"""Where identifiers of people stand in an assignment and in the platform's answers."""

from collections.abc import Iterator, Mapping

from ...kind import Concealed, Json, Listed
from ...persons import Swap
from ...resource import Form
from .form import ASKED, Row, in_order
from .people import UNKNOWN, identified, label, spot


def _form(form: Form, swap: Swap) -> Form:
    users = in_order(_row(row, swap) for row in form.get("users") or ())
    asked = {ASKED: [_label(name, swap) for name in form[ASKED]]} if ASKED in form else {}
    return form | {"users": users} | asked


def _row(row: Row, swap: Swap) -> Row:
    return {**row, **{name: swap(value) for name, value in identified(row).items()}}


def _label(name: str, swap: Swap) -> str:
    """As the rows are labelled."""
    return label({"id": swap(name.strip().lower())})


def _answer(answer: Json, swap: Swap) -> Json:
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get(UNKNOWN), list):
        return answer
    unknown = [_label(str(name), swap) for name in data[UNKNOWN]]
    return {**answer, "data": data | {UNKNOWN: unknown}}


def _listed(form: Form, facts: Mapping[str, Json]) -> Iterator[Listed]:
    lines = facts.get("lines") or [0] * len(form["users"])
    for row, line in zip(form["users"], lines, strict=True):
        for text in identified(row).values():
            yield Listed(text, spot(facts.get("list", ""), line))


CONCEALED = Concealed(
    _form,
    _answer,
    _listed,
    "the platform needs their identifiers to take anything away: write their old rows into a "
    "license assignment of their own with `licenses: []`, and delete it after the apply",
)
