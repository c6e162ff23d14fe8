"""Makes the proof of a look at a record, and says how far the fields of a change are known."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any

import orjson

from ...platform import live
from ...platform.live import (
    NOTICED,
    Binder,
    Certainty,
    LiveState,
    Unchanged,
    is_declared,
    leaf_paths,
    list_patterns,
    readable_fields,
)
from ...resource import Address, Form, is_within
from ...state import Counts, Proof, Record
from ...support.disk_buffer import DiskBuffer, read_kept_bytes
from .field_paths import FieldChange


class ProofBuffer:
    """Proofs in the order in which they came, each of another resource."""

    def __init__(self) -> None:
        self.counts: dict[Address, Counts] = {}
        self._spill = DiskBuffer()
        self._rest: list[bytes | Callable[[], bytes]] = []
        """Everything else about each, as JSON."""

    def add(self, proof: Proof) -> None:
        self.counts[proof.address] = proof.counts
        rest = proof.fingerprint, proof.readings, proof.proved_at, dict(proof.marks)
        self._rest.append(self._spill.keep_bytes(orjson.dumps(rest)))

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Proof]:
        for (address, counts), rest in zip(self.counts.items(), self._rest, strict=True):
            text = read_kept_bytes(rest)
            fingerprint, readings, proved_at, marks = orjson.loads(text)
            yield Proof(address, fingerprint, tuple(readings), proved_at, marks, counts)


def make_proof(
    record: Record, seen: LiveState | Unchanged, routes: Set[str], *, form: Form | None = None
) -> Proof:
    """The proof of a record that a look has found; `form` is its own, if it is unpacked already."""
    if isinstance(seen, Unchanged):
        marks, counts = seen.marks, seen.counts
    else:
        marks = {**seen.marks, **dict.fromkeys(seen.noticed, NOTICED)}
        counts = count_proven(record, routes, seen, form=form)
    return Proof(record.address, record.fingerprint, seen.readings, marks=marks, counts=counts)


def proof_of_new(
    binder: Binder, record: Record, form: Form, answer: Any, routes: Set[str]
) -> Proof | None:
    """The proof of something that was just made, by the answer that has shown it; `form` is that of
    the record. None if the answer proves nothing."""
    seen = live.shown_by(binder, record, form, answer, routes)
    return make_proof(record, seen, routes, form=form) if seen and seen.present else None


def count_proven(record: Record, routes: Set[str], seen: LiveState, *, form: Form | None) -> Counts:
    """How many fields of a record are proven by a look, or could be."""
    form = record.form if form is None else form
    shown, fields = readable_fields(record.address.kind, routes), leaf_paths(form)
    rest = [path for path in fields if not is_proven(path, seen.proven)]
    noticed = [path for path in rest if _is_noticed(path, seen)] if seen.noticed else []
    unseen = {*rest}.difference(noticed)
    unverifiable = sum(not is_declared(shown, path) for path in unseen)
    return Counts(len(fields), len(fields) - len(rest), len(noticed), unverifiable)


def count_form_fields(kind: str, form: Form, routes: Set[str]) -> Counts:
    """How many fields a form has, and how many of them no route shows."""
    shown = readable_fields(kind, routes)
    # A course has thousands of fields and a dozen patterns.
    patterns = Counter(list_patterns(form))
    unshown = (count for name, count in patterns.items() if not is_declared(shown, name))
    return Counts(patterns.total(), unverifiable=sum(unshown))


def find_evidence(
    record: Record, fields: Iterable[FieldChange], routes: Set[str], seen: LiveState | None
) -> Mapping[str, Certainty]:
    """How far the fields are known that git changes; not those of new parts."""
    shown = readable_fields(record.address.kind, routes)
    return {
        field.path: _certainty_of(field.path, shown, seen)
        for field in fields
        if not field.path.endswith("]")
    }


def _certainty_of(path: str, shown: Set[str], seen: LiveState | None) -> Certainty:
    if seen and is_proven(path, seen.proven):
        return Certainty.PROVEN
    if seen and _is_noticed(path, seen):
        return Certainty.NOTICED
    listed = path.endswith(".order")
    return Certainty.UNREAD if listed or is_declared(shown, path) else Certainty.UNVERIFIABLE


def is_proven(path: str, proven: Set[str]) -> bool:
    """True for a field that was compared, by itself or with the mapping that it belongs to."""
    if path in proven:
        return True
    outer = path.rpartition(".")[0]
    return bool(outer) and not outer.endswith("]") and outer in proven


def _is_noticed(path: str, seen: LiveState) -> bool:
    """True if a field may have changed with its part."""
    # No part gives a sign of a field that no read shows.
    if any(is_within(path, one) for one in seen.unshown):
        return False
    return any(is_within(path, part) for part in seen.noticed)
