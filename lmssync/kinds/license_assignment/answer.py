"""Reads what the platform's answer to a bulk assignment says, and what it leaves out (spec 4).

The answer names the people whom it could not find; no route shows what happened to each of the
others (sublicense rule 8), so they are recorded as done.
"""

from collections.abc import Iterator, Sequence, Set

from ...kind import ApplyResult, Ids, Json, RosterEntry
from ...resource import Form
from ...support.persons import bare_code, codes_in, spell_person
from .calls import licenses_of_person
from .form import ASKED, HOLDS, Row, in_order, spell_node
from .people import IDENTIFIERS, UNKNOWN, by_mark, given_identifiers, person_label, same_person


def assignment_jobs(answer: Json) -> list[str]:
    """The job that does the work (spec 4, sublicense rule 6)."""
    return [answer["data"]["jobId"]]


def account_identifiers(account: Json) -> Iterator[str]:
    """What a list may call somebody (spec 2.4)."""
    return (str(account[name]) for name in IDENTIFIERS if account.get(name))


def held_by(account: Json) -> list[str]:
    """The licenses of somebody (spec 2.4)."""
    return [held["licenseId"] for held in account.get("allocatedLicenses") or ()]


def roster_entries(form: Form) -> Iterator[RosterEntry]:
    """Everybody in a recorded list."""
    for row in form.get("users") or ():
        yield RosterEntry(
            [bare_code(code) for code in codes_in(given_identifiers(row))],
            licenses_of_person(row, form),
        )


def match_assignment(_form: Form, _marker: str | None, _live: Json, *_: object) -> Ids | None:
    """The platform has no id for it; it counts as made once its job has ended."""
    return Ids({})


def assignment_result(before: Form, after: Form, answer: Json) -> ApplyResult:
    """Leaves out the people whom the platform does not know: they keep what they had."""
    unknown = {str(name).strip().lower() for name in answer["data"].get(UNKNOWN) or ()}
    asked = set(after.get(ASKED) or map(person_label, after["users"]))
    form = {key: value for key, value in after.items() if key != ASKED}
    was = by_mark(before.get("users") or ())
    rows: list[Row] = []
    for row in after["users"]:
        old = same_person(row, was)
        if person_label(row) in asked - unknown:
            rows.append(row)
        elif old is not None:
            rows.append(_as_it_was(row, licenses_of_person(old, before), after))
    wanted = unknown & set(map(person_label, after["users"]))
    return ApplyResult(
        form | {"users": in_order(rows)},
        _join_names(wanted, "unknown to the platform, so they gain nothing"),
        _join_names(unknown - wanted, "unknown to the platform, so there is nothing to take away"),
    )


def _as_it_was(row: Row, licenses: Sequence[Json], form: Form) -> Row:
    same = set(map(spell_node, licenses)) == set(map(spell_node, licenses_of_person(row, form)))
    return row if same else {**row, HOLDS: licenses}


def _join_names(names: Set[str], what: str) -> str:
    return f"{', '.join(map(spell_person, sorted(names)))}: {what}" if names else ""
