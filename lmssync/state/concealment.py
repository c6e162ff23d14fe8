"""Takes the identifiers of people out of a state that an older lmssync has written."""

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from ..address import Address
from ..kind import Concealed
from ..kinds import KINDS
from ..persons import bare, scrubbed
from ..resource import canonical, fingerprint, pack, unpack
from .codes import Codes
from .register import RegisterContent


def conceal(db: sqlite3.Connection, codes: Codes, *, keep: bool) -> None:
    """Puts codes into records, open calls, answers and the journal, and `keep`s who is behind those
    of the records; to be called inside a transaction of a state whose key is there."""
    db.execute("PRAGMA secure_delete = ON")
    upgrade = _Upgrade(db, codes)
    upgrade.forms("resource", "address")
    upgrade.forms("member", "op, position")
    upgrade.journal()
    if keep:
        upgrade.keep()


def wipe(db: sqlite3.Connection) -> None:
    """Removes every trace of the old contents from the file and its log."""
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


class _Upgrade:
    """One state on its way; remembers everybody in it."""

    def __init__(self, db: sqlite3.Connection, codes: Codes) -> None:
        self._db, self._codes = db, codes
        self._people: dict[str, str] = {}
        """Identifiers by code."""
        self._forms: dict[str, str] = {}

    def _swap(self, value: Any) -> Any:
        if isinstance(value, str):
            self._people[self._codes.code(value)] = value
        return self._codes.swap(value)

    def forms(self, table: str, key: str) -> None:
        """The forms of a table, and their fingerprints where it has some."""
        query = f"SELECT address, form, {key} FROM {table}"
        for address, form, *where in self._db.execute(query).fetchall():
            concealed = _of(address)
            if concealed is None:
                continue
            text = canonical(concealed.form(unpack(form), self._swap))
            change = f"UPDATE {table} SET form = ? WHERE ({key}) = ({', '.join('?' * len(where))})"
            self._db.execute(change, (pack(text), *where))
            if table == "resource":
                self._fingerprint(address, fingerprint(text))

    def _fingerprint(self, address: str, after: str) -> None:
        query = "SELECT fingerprint FROM resource WHERE address = ?"
        ((before,),) = self._db.execute(query, (address,))
        self._forms[self._codes.of_manifest(before)] = after
        change = "UPDATE resource SET fingerprint = ? WHERE address = ?"
        self._db.execute(change, (after, address))

    def journal(self) -> None:
        """Answers, and whatever the platform said, of the calls that were about people."""
        about: dict[str, Concealed] = {}
        lines: list[tuple[int, str, Any]] = []
        for seq, op, data in self._db.execute("SELECT seq, op, data FROM entry ORDER BY seq"):
            line = json.loads(data)
            concealed = next(filter(None, map(_of, line.get("addresses", ()))), None)
            if op and concealed:
                about[op] = concealed
            if op in about:
                lines.append((seq, op, line))
        answers = [self._answered(about[op], line) for _, op, line in lines]
        known = {text.strip().lower(): bare(code) for code, text in self._people.items()}
        for (seq, _, _), line in zip(lines, answers, strict=True):
            text = json.dumps(self._scrubbed(line, known))
            self._db.execute("UPDATE entry SET data = ? WHERE seq = ?", (text, seq))
        for op, concealed in about.items():
            self._operation(op, concealed, known)

    def _answered(self, concealed: Concealed, line: dict[str, Any]) -> dict[str, Any]:
        if "answer" not in line:
            return line
        return line | {"answer": concealed.answer(line["answer"], self._swap)}

    def _operation(self, op: str, concealed: Concealed, known: Mapping[str, str]) -> None:
        (row,) = self._db.execute("SELECT answer FROM operation WHERE op = ?", (op,)).fetchall()
        answer = concealed.answer(json.loads(row[0] or "null"), self._swap)
        text = json.dumps(self._scrubbed(answer, known))
        self._db.execute("UPDATE operation SET answer = ? WHERE op = ?", (text, op))

    def _scrubbed(self, value: Any, known: Mapping[str, str]) -> Any:
        if isinstance(value, dict):
            return {key: self._scrubbed(item, known) for key, item in value.items()}
        if isinstance(value, list):
            return [self._scrubbed(item, known) for item in value]
        return scrubbed(value, known, self._codes.hide) if isinstance(value, str) else value

    def keep(self) -> None:
        """Who is behind the codes is known to nobody else any more; too many are kept, and the
        next apply leaves out whoever is not recorded."""
        if self._people:
            self._codes.register.write(RegisterContent(self._people))
        if self._forms:
            self._codes.keep(self._forms)


def _of(address: str) -> Concealed | None:
    kind = KINDS.get(Address.parse(address).kind)
    return kind.concealed if kind else None
