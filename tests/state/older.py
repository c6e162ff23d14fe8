"""States as older versions have left them."""

import sqlite3

_LOG = """
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    op TEXT NOT NULL,
    fence INTEGER NOT NULL,
    type TEXT NOT NULL,
    time TEXT NOT NULL,
    data TEXT NOT NULL
)"""
_QUIET = "('begin', 'claim', 'forms', 'lease', 'prove', 'snapshot')"


def as_format_6(db: sqlite3.Connection) -> None:
    """Takes out of a state what format 7 has added."""
    db.execute("DROP TABLE list_row")
    db.execute("PRAGMA user_version = 6")
    db.commit()


def as_format_5(db: sqlite3.Connection) -> None:
    """Takes out of a state what formats 6 and 7 have added."""
    if db.execute("PRAGMA user_version").fetchone() != (7,):
        return
    as_format_6(db)
    # the letters of the oldest format count
    db.execute(_LOG)
    db.execute(
        "INSERT INTO journal (op, fence, type, time, data) SELECT op, fence, type, time, data"
        f" FROM entry WHERE type NOT IN {_QUIET} ORDER BY seq"
    )
    db.execute("DELETE FROM meta WHERE key = 'people key digest'")
    db.execute("DELETE FROM seal WHERE part = 'meta' AND key = 'people key digest'")
    for statement in ("DROP TABLE entry", "DROP TABLE replica", "PRAGMA user_version = 5"):
        db.execute(statement)
    db.commit()
