"""Where identifiers of people stand in an assignment and in the platform's answers."""

from collections.abc import Iterator, Mapping

from ...kind import Concealed, Json, Listed
from ...resource import Form
from ...support.persons import Swap
from .form import ASKED, Row, in_order
from .people import UNKNOWN, given_identifiers, person_label, person_place


def _conceal_form(form: Form, swap: Swap) -> Form:
    users = in_order(_conceal_row(row, swap) for row in form.get("users") or ())
    asked = {ASKED: [_conceal_label(name, swap) for name in form[ASKED]]} if ASKED in form else {}
    return form | {"users": users} | asked


def _conceal_row(row: Row, swap: Swap) -> Row:
    return {**row, **{name: swap(value) for name, value in given_identifiers(row).items()}}


def _conceal_label(name: str, swap: Swap) -> str:
    """As the rows are labelled."""
    return person_label({"id": swap(name.strip().lower())})


def _conceal_answer(answer: Json, swap: Swap) -> Json:
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get(UNKNOWN), list):
        return answer
    unknown = [_conceal_label(str(name), swap) for name in data[UNKNOWN]]
    return {**answer, "data": data | {UNKNOWN: unknown}}


def _list_concealed(form: Form, facts: Mapping[str, Json]) -> Iterator[Listed]:
    lines = facts.get("lines") or [0] * len(form["users"])
    for row, line in zip(form["users"], lines, strict=True):
        for text in given_identifiers(row).values():
            yield Listed(text, person_place(facts.get("list", ""), line))


CONCEALED = Concealed(
    _conceal_form,
    _conceal_answer,
    _list_concealed,
    "the platform needs their identifiers to take anything away: write their old rows into a "
    "license assignment of their own with `licenses: []`, and delete it after the apply",
)
