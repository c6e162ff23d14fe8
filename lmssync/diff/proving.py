"""What a look has proven of a record, and how far the fields of a change are known."""

from collections.abc import Iterable, Mapping, Set

from ..decisions import is_within
from ..kinds import KINDS
from ..live import LiveState, declared, leaves
from ..resource import Form
from ..state import Counts, Proof, Record
from .change import Evidence
from .fields import FieldChange

NOTICED = ""
"""The mark of a part that somebody has changed unseen: it stays noticed until git wins."""


def still_noticed(seen: LiveState, before: Proof | None) -> LiveState:
    """The live state with the parts that an earlier look has noticed: our own later writes, which
    were about other fields, do not show what they hold."""
    old = {path for path, mark in before.marks.items() if mark == NOTICED} if before else set()
    return seen._replace(noticed=seen.noticed | (old & seen.marks.keys()))


def proof(record: Record, seen: LiveState, routes: Set[str]) -> Proof:
    """The proof of a record that a look has found."""
    noticed = dict.fromkeys(seen.noticed, NOTICED)
    marks = {**seen.marks, **noticed}
    counts = counted(record, routes, seen)
    return Proof(record.address, record.fingerprint, seen.readings, marks=marks, counts=counts)


def counted(record: Record, routes: Set[str], seen: LiveState | None = None) -> Counts:
    """How many fields of a record are proven by a look, or could be."""
    form = record.form
    shown = shown_by(record, form, routes)
    evidence = [_of(path, shown, seen) for path in leaves(form)]
    return Counts(
        len(evidence),
        evidence.count(Evidence.PROVEN),
        evidence.count(Evidence.NOTICED),
        evidence.count(Evidence.UNVERIFIABLE),
    )


def evidence(
    record: Record, fields: Iterable[FieldChange], routes: Set[str], seen: LiveState | None
) -> Mapping[str, Evidence]:
    """How far the fields are known that git changes; not those of new parts."""
    shown = shown_by(record, record.form, routes)
    return {
        field.path: _of(field.path, shown, seen) for field in fields if not field.path.endswith("]")
    }


def shown_by(record: Record, form: Form, routes: Set[str]) -> Set[str]:
    """The fields that the routes of an instance show, as kinds declare them."""
    shown: set[str] = set()
    for reading in KINDS[record.address.kind].reads.readings:
        request = reading.request(record.address, form)
        if request is not None and request.route in routes:
            shown |= reading.proves
    return shown


def _of(path: str, shown: Set[str], seen: LiveState | None) -> Evidence:
    if seen and _is_proven(path, seen.proven):
        return Evidence.PROVEN
    if seen and any(is_within(path, part) for part in seen.noticed):
        return Evidence.NOTICED
    listed = path.endswith(".order")
    return Evidence.UNREAD if listed or declared(shown, path) else Evidence.UNVERIFIABLE


def _is_proven(path: str, proven: Set[str]) -> bool:
    """True for a field that was compared, itself or with what it stands in."""
    outer = path.rpartition(".")[0]
    return path in proven or (bool(outer) and not outer.endswith("]") and outer in proven)
