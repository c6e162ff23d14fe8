"""Changes of an assignment as calls, and what the answers say (spec 2.7, 4).

The answer names the people whom the platform could not find. No route shows what happened to each
of the others (sublicense rule 8), so they are recorded as done.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ...kind import (
    ApplyResult,
    CallPart,
    Effect,
    FormChange,
    Json,
    PermanentLoss,
    Removal,
    RosterEntry,
    UpdatePlan,
)
from ...resource import Address, Form
from ...support.persons import bare_code, codes_in, spell_person
from ...vocabulary.limits import USERS_PER_SUBLICENSE
from .assigned_people import (
    ASKED,
    IDENTIFIERS,
    MISSED,
    UNKNOWN,
    Row,
    by_mark,
    given_identifiers,
    order_people,
    person_label,
    same_person,
)
from .assignment_manifest import HOLDS, spell_node


def assignment_losses(before: Form, after: Form) -> Iterator[PermanentLoss]:
    """Said when the word is new: from then on each person who leaves the list loses as much."""
    options = (form.get("enrollmentOptions") or {} for form in (before, after))
    was, now = (given.get("preserveProgress") for given in options)
    if now is False and was is not False:
        yield PermanentLoss(
            "`preserveProgress: false`: anyone who loses a license through this assignment, now or "
            "later, also loses progress, attempts and submissions, which cannot be restored",
            Effect.PROGRESS,
            later=True,
        )


ASSIGN = "sublicense.assign"
ADD, REMOVE, OPTIONS = "licenseIdsToAdd", "licenseIdsToRemove", "enrollmentOptions"
ENROLLMENTS, PROGRESS = "preserveEnrollments", "preserveProgress"
MINUS = "\N{MINUS SIGN}"

FATES = {
    (True, True): "what only these licenses opened becomes a direct enrollment: "
    "access and progress stay",
    (False, True): "access to what only these licenses opened is lost; progress stays, except in "
    "courses that restart progress on re-enrollment",
    (False, False): "access to what only these licenses opened is lost, and progress, attempts "
    "and submissions there are permanently deleted",
}
"""What losing a license takes away, by preserveEnrollments and preserveProgress (spec 3)."""
UNTOUCHED = (
    "what another license, a learning path or a purchase opens stays, and so do certificates"
)
"""Of the same people, whatever the options say (spec 3)."""


class Turn(NamedTuple):
    """One person whose licenses change: the row before and the row after."""

    old: Row | None
    new: Row | None
    gains: Sequence[Json]
    loses: Sequence[Json]
    keeps: Sequence[Json]
    """Everything that is held afterwards."""


def create_assignment_part(address: Address, form: Form, _marker: str | None) -> CallPart:
    """The first people, as many as fit in one call; `update_assignment` does the rest.

    A repeat does no harm: anybody who already holds the licenses is left alone (spec 4, rule 7).
    """
    # Without licenses there is nothing to give to anybody.
    users = form["users"] if form["licenses"] else []
    first = users[:USERS_PER_SUBLICENSE]
    body = {"users": [given_identifiers(row) | {ADD: form["licenses"]} for row in first]}
    after = None if len(first) == len(users) else form | {"users": first}
    return CallPart.describe_part(address, ASSIGN, body, after, adds=True, rank=2)


def update_assignment(change: FormChange) -> UpdatePlan:
    """The difference, in as few calls as the limit allows; losses first, for they free seats."""
    turns = sorted(_list_turns(change.before, change.after), key=lambda turn: not turn.loses)
    losing = sum(bool(turn.loses) for turn in turns)
    gaining = sum(bool(turn.gains) for turn in turns)
    options = _enrollment_options(change.after)
    # The platform would decide by its default; what people lose is for the author to say.
    if losing and options is None:
        people = _count_people(losing)
        return UpdatePlan(
            undecided=f"{people} will lose licenses, but the manifest does not say what "
            "happens to their enrollments: write "
            f"`{OPTIONS}: {{{ENROLLMENTS}: true, {PROGRESS}: true}}` to keep both"
        )
    again = sum(person_label(turn.new or {}) in change.before.get(MISSED, ()) for turn in turns)
    reasons = [f"{_count_people(gaining - again)} will gain licenses"] if gaining > again else []
    if again:
        reasons.append(
            f"the platform did not know {_count_people(again)} at the last apply: they gain "
            "licenses only if it knows them by now"
        )
    effect, losses = None, []
    if losing and options:
        fate = (options[ENROLLMENTS], options[PROGRESS])
        lost = f"{_count_people(losing)} will lose licenses: {FATES[fate]}; {UNTOUCHED}"
        reasons.append(lost)
        # Progress that is deleted cannot be restored: that is graver than a loss of access.
        if fate == (False, False):
            effect, losses = Effect.PROGRESS, reasons[-1:]
    reasons += _come_and_gone(turns)
    calls = list(_make_calls(change, turns, options))
    return UpdatePlan(calls, reasons=reasons, effect=effect, losses=losses)


def remove_assignment(form: Form) -> Removal:
    """A list that is left out takes nothing away; an empty list does."""
    if not (form["users"] and form["licenses"]):
        return Removal(Effect.COSMETIC, "it gives no licenses to anybody")
    return Removal(
        Effect.ACCESS,
        "everybody in it keeps their licenses; to take them away, "
        "put it back with `users: []` and apply that first",
    )


def _count_people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"


def _come_and_gone(turns: Sequence[Turn]) -> list[str]:
    """People who were not in the list before, and people who are no longer in it."""
    come = [turn.new for turn in turns if turn.new is not None and turn.old is None]
    gone = [turn.old for turn in turns if turn.old is not None and turn.new is None]
    both = [
        f"{sign}{_count_people(len(rows))} "
        f"({', '.join(spell_person(person_label(row)) for row in rows)})"
        for sign, rows in (("+", come), (MINUS, gone))
        if rows
    ]
    return [", ".join(both)] if both else []


def _enrollment_options(form: Form) -> dict[str, bool] | None:
    given = {name: value for name, value in (form.get(OPTIONS) or {}).items() if value is not None}
    # An option that is left out counts as true (spec 2.7).
    return {ENROLLMENTS: True, PROGRESS: True} | given if given else None


def licenses_of_person(row: Row, form: Form) -> list[Json]:
    licenses: list[Json] = row.get(HOLDS, form.get("licenses") or [])
    return licenses


def list_holders(form: Form) -> Iterator[tuple[str, Json]]:
    """Yields every person in a list, once for each of their licenses."""
    for row in form.get("users") or ():
        yield from ((person_label(row), license_) for license_ in licenses_of_person(row, form))


def _list_turns(before: Form, after: Form) -> Iterator[Turn]:
    """Everybody whose licenses differ; rows that share an identifier are the same person."""
    was = by_mark(before.get("users") or ())
    for new in after["users"]:
        old = same_person(new, was)
        yield from _make_turn(
            old, new, licenses_of_person(old, before) if old else [], licenses_of_person(new, after)
        )
    # Who shares one identifier with a row of the new list has only been renamed.
    stay = by_mark(after["users"])
    for old in before.get("users") or ():
        if same_person(old, stay) is None:
            yield from _make_turn(old, None, licenses_of_person(old, before), [])


def _make_turn(
    old: Row | None, new: Row | None, had: Sequence[Json], has: Sequence[Json]
) -> Iterator[Turn]:
    earlier, later = {spell_node(one) for one in had}, {spell_node(one) for one in has}
    gains = [one for one in has if spell_node(one) not in earlier]
    loses = [one for one in had if spell_node(one) not in later]
    if gains or loses:
        yield Turn(old, new, gains, loses, has)


def _make_calls(
    change: FormChange, turns: Sequence[Turn], options: Mapping[str, bool] | None
) -> Iterator[CallPart]:
    size = USERS_PER_SUBLICENSE
    for start in range(0, len(turns), size):
        now, waiting = turns[start : start + size], turns[start + size :]
        after = _form_halfway(change, waiting) if waiting else change.after
        body: dict[str, Json] = {"users": [_turn_entry(turn) for turn in now]}
        # Only a call that takes something away has the options: they mean nothing to the others.
        if any(turn.loses for turn in now):
            body[OPTIONS] = options
        asked = [person_label(turn.new or turn.old or {}) for turn in now]
        # What only frees seats goes before what may need them, and what only takes some, after it.
        rank = 1 + any(turn.gains for turn in now) - any(turn.loses for turn in now)
        sent = after | {ASKED: asked}
        yield CallPart.describe_part(change.address, ASSIGN, body, sent, rank=rank)


def _turn_entry(turn: Turn) -> dict[str, Json]:
    entry: dict[str, Json] = dict(given_identifiers(turn.new or turn.old or {}))
    if turn.gains:
        entry[ADD] = turn.gains
    if turn.loses:
        # A license may have been named by uuid then and by key now: what is kept is not removed.
        entry[REMOVE] = {"$less": [turn.loses, turn.keeps]} if turn.keeps else turn.loses
    return entry


def _form_halfway(change: FormChange, waiting: Sequence[Turn]) -> Form:
    """The form between two calls, when these people still have their previous licenses."""
    # Rows are told apart by identity, since mappings cannot be in a set.
    new = {id(turn.new) for turn in waiting if turn.new is not None}
    done = [row for row in change.after["users"] if id(row) not in new]
    left = [
        dict(turn.old) | {HOLDS: licenses_of_person(turn.old, change.before)}
        for turn in waiting
        if turn.old
    ]
    return change.after | {"users": order_people([*done, *left])}


def account_identifiers(account: Json) -> Iterator[str]:
    """The identifiers of an account by which a list may call its owner (spec 2.4)."""
    return (str(account[name]) for name in IDENTIFIERS if account.get(name))


def held_by(account: Json) -> list[str]:
    """The licenses that the owner of an account has (spec 2.4)."""
    return [held["licenseId"] for held in account.get("allocatedLicenses") or ()]


def roster_entries(form: Form) -> Iterator[RosterEntry]:
    """Yields everybody in a recorded list."""
    for row in form.get("users") or ():
        codes = [bare_code(code) for code in codes_in(given_identifiers(row))]
        yield RosterEntry(codes, licenses_of_person(row, form))


def assignment_result(before: Form, after: Form, answer: Json) -> ApplyResult:
    """Leaves out the people whom the platform does not know: they keep what they had."""
    unknown = {str(name).strip().lower() for name in answer["data"].get(UNKNOWN) or ()}
    asked = set(after.get(ASKED) or map(person_label, after["users"]))
    form = {key: value for key, value in after.items() if key not in {ASKED, MISSED}}
    was = by_mark(before.get("users") or ())
    rows: list[Row] = []
    for row in after["users"]:
        old = same_person(row, was)
        if person_label(row) in asked - unknown:
            rows.append(row)
        elif old is not None:
            rows.append(_as_it_was(row, licenses_of_person(old, before), after))
    listed = set(map(person_label, after["users"]))
    wanted = unknown & listed
    # Whoever was missed before and was not in this call is missed still.
    missed = wanted | (set(before.get(MISSED, ())) & listed - asked)
    return ApplyResult(
        form | {"users": order_people(rows)} | ({MISSED: sorted(missed)} if missed else {}),
        _join_names(wanted, "unknown to the platform, so they gain nothing"),
        _join_names(unknown - wanted, "unknown to the platform, so there is nothing to take away"),
    )


def _as_it_was(row: Row, licenses: Sequence[Json], form: Form) -> Row:
    same = set(map(spell_node, licenses)) == set(map(spell_node, licenses_of_person(row, form)))
    return row if same else {**row, HOLDS: licenses}


def _join_names(names: Set[str], what: str) -> str:
    return f"{', '.join(map(spell_person, sorted(names)))}: {what}" if names else ""
