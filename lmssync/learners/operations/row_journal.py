"""The rows of one list as the state knows them: each is written down before it is sent, and again
once its end is known.

A row is a keyed hash of what was sent, and who and what it is about is another one. The key follows
from that of people, so two machines that share a state call a row the same.
"""

import hmac
from collections.abc import Sequence
from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

import orjson

from ...state import ListRow, RowState, Store, digest_of_key

if TYPE_CHECKING:
    from .operation_kinds import Body, Operation

_PURPOSE = "key of lists"
_BYTES = 16
"""Bytes of each hash: among 100 million rows, two share one with a chance of 1 in 60 sextillion."""


class ListInfo(NamedTuple):
    """Which list is sent."""

    operation: "Operation"
    occasion: str = ""
    name: str = ""
    """The name of its file. One that may name somebody is left out: a state names nobody."""


class Journal:
    """The rows of one list; raises `StateError` where the key of people is not here."""

    def __init__(self, store: Store, info: ListInfo) -> None:
        self._store, self._occasion, self.operation = store, info.occasion, info.operation
        self._key = store.codes.derive_key(_PURPOSE)
        self._hashed_with = digest_of_key(self._key.hex())
        self._about = {
            "route": info.operation.route,
            "list": "" if "@" in info.name else info.name,
            "occasion": info.occasion,
        }
        self._op = token_hex(8)
        self._announced: dict[str, ListRow] = {}
        """Those of this run without an end."""
        self._ended: list[ListRow] = []
        """Those whose end is not written down yet."""

    def event_mark(self, person: str, about: str, action: str) -> str:
        """What an event has in common with the row that it came from."""
        name = self.operation.name
        return self._hash_bytes(orjson.dumps([name, person.lower(), about.lower(), action]))

    def _row_key(self, body: "Body") -> str:
        """The name of a row, by its content alone: its place in a list does not matter."""
        operation = self.operation
        # A list that spells an address with a capital today must not send everybody a second time.
        ids = {name: body[name].lower() for name in (operation.person, operation.about)}
        content = [operation.name, self._occasion, {**body, **ids}]
        return self._hash_bytes(orjson.dumps(content, option=orjson.OPT_SORT_KEYS))

    def _hash_bytes(self, content: bytes) -> str:
        return hmac.digest(self._key, content, "sha256")[:_BYTES].hex()

    def find_row(self, body: "Body") -> ListRow | None:
        """The record of a row, if it was announced before."""
        return self._store.list_row(self._row_key(body))

    def _make_row(self, key: str, body: "Body", at: int) -> ListRow:
        operation, action = self.operation, self.operation.action(body)
        mark = self.event_mark(body[operation.person], body[operation.about], action)
        named = operation.name, self._about["list"], self._about["occasion"]
        return ListRow(key, self._hashed_with, *named, action.value, mark, RowState.SENT, at)

    def announce_rows(self, bodies: Sequence["Body"], at: int) -> None:
        """Writes down that rows are about to be sent; on return everybody knows."""
        rows = [self._make_row(self._row_key(body), body, at) for body in bodies]
        new = sum(row.key not in self._announced for row in rows)
        self._announced |= {row.key: row for row in rows}
        self._write_rows([*self._ended, *rows], sent=new)

    def record_end(self, body: "Body", state: RowState, *, answered: bool = False) -> None:
        """Records the end of a row; `answered` where the platform itself said that it is done.

        It is on disk after the next `announce_rows` or `flush_ends`: one write is enough for both.
        """
        row = self._announced.pop(self._row_key(body))
        self._ended.append(row._replace(state=state, answered=answered))

    def flush_ends(self) -> None:
        if self._ended:
            self._write_rows(self._ended)

    def withdraw_unsent(self) -> None:
        """Writes down what has ended, and that what was announced and not sent was not done."""
        unsent = [row._replace(state=RowState.NOT_DONE) for row in self._announced.values()]
        self._announced.clear()
        self._ended += unsent
        self.flush_ends()

    def record_settled(self, ends: Sequence[tuple[ListRow, RowState]]) -> None:
        """Writes down what was found out of rows that earlier runs have sent."""
        self._ended += [row._replace(state=state) for row, state in ends]
        self.flush_ends()

    def _write_rows(self, rows: Sequence[ListRow], sent: int = 0) -> None:
        self._store.keep_rows(self._op, rows, {**self._about, "sent": sent})
        self._ended = []

    def list_answered(self, action: str, since: int) -> list[tuple[str, int]]:
        """Mark and time of the rows from a time on that the platform itself said are done."""
        about = self.operation.name, self._hashed_with, action, since
        return [(row.mark, row.at) for row in self._store.answered_rows(*about)]
