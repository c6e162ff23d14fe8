"""What a move changes in the state: the record itself, and every form that mentions it.

Forms are looked at in their canonical spelling, in which a reference has one shape only and
quotes inside texts are escaped: so an address is found and replaced without parsing anything.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import StateError
from ..resource import Address, canonical_spelling, fingerprint_of, pack_text
from . import proofs, steps

_NODE = re.compile(rb'"\$ref":"([^"\\]*)"')

Names = Mapping[bytes, bytes]
"""Old addresses to new ones, as they are spelled in a form."""


def spell_moves(pairs: Mapping[Address, Address]) -> Names:
    return {str(old).encode(): str(new).encode() for old, new in pairs.items()}


def rename_in_form(packed: bytes, known_as: Names) -> bytes:
    """A packed form whose references say the new addresses; the same bytes if none is meant."""
    text = canonical_spelling(packed)
    spelled_anew = _rename_in_text(text, known_as)
    return packed if spelled_anew == text else pack_text(spelled_anew)


def _rename_in_text(text: bytes, known_as: Names) -> bytes:
    return _NODE.sub(lambda node: b'"$ref":"%s"' % known_as.get(node[1], node[1]), text)


def move_rows(
    db: sqlite3.Connection, pairs: Mapping[Address, Address], time: str, *, manage: bool
) -> None:
    """Moves records, old to new; to be called inside a transaction, which an error undoes."""
    for old, new in pairs.items():
        _move_rows(db, str(old), str(new), time)
        if manage:
            db.execute("UPDATE resource SET forgotten = 0 WHERE address = ?", (str(new),))
    known_as = spell_moves(pairs)
    resources = _rows_mentioning(db.execute("SELECT form, address FROM resource"), known_as)
    db.executemany(
        "UPDATE resource SET form = ?, fingerprint = ? WHERE address = ?",
        [(pack_text(text), fingerprint_of(text), *key) for text, key in resources],
    )
    # A call that waits for a decision is looked for by what its form refers to.
    parts = _rows_mentioning(db.execute("SELECT form, op, position FROM member"), known_as)
    db.executemany(
        "UPDATE member SET form = ? WHERE op = ? AND position = ?",
        [(pack_text(text), *key) for text, key in parts],
    )


def _move_rows(db: sqlite3.Connection, old: str, new: str, time: str) -> None:
    done = db.execute("UPDATE resource SET address = ? WHERE address = ?", (new, old))
    if done.rowcount != 1:
        raise StateError(f"{old} is not recorded, so it cannot move to {new}", "plan again")
    db.execute("UPDATE OR REPLACE protected SET address = ? WHERE address = ?", (new, old))
    steps.move_steps(db, old, new)
    proofs.move_proofs(db, old, new)
    db.execute("INSERT INTO moved VALUES (?, ?, ?)", (old, new, time))


def _rows_mentioning(
    rows: Iterable[tuple[Any, ...]], known_as: Names
) -> Iterator[tuple[bytes, list[Any]]]:
    """New spelling and key of each row whose form mentions an old address."""
    for form, *key in rows:
        text = canonical_spelling(form)
        spelled_anew = _rename_in_text(text, known_as)
        if spelled_anew != text:
            yield spelled_anew, key
