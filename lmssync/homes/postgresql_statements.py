"""The statements of a log in PostgreSQL; `{segments}` and `{snapshots}` are names of tables."""

from typing import LiteralString

ALONE: LiteralString = "SELECT pg_advisory_xact_lock(6010211)"
"""Two that make the tables at once would get in each other's way."""
HAS_SCHEMA: LiteralString = "SELECT FROM pg_namespace WHERE nspname = %s"
MAKE_SCHEMA: LiteralString = "CREATE SCHEMA {}"
MAKE_SEGMENTS: LiteralString = (
    "CREATE TABLE IF NOT EXISTS {segments} (state text, number bigint CHECK (number > 0),"
    " content bytea NOT NULL, PRIMARY KEY (state, number))"
)
MAKE_SNAPSHOTS: LiteralString = (
    "CREATE TABLE IF NOT EXISTS {snapshots} (state text PRIMARY KEY, number bigint NOT NULL,"
    " content bytea NOT NULL)"
)
APPEND: LiteralString = (
    "INSERT INTO {segments} SELECT %(state)s::text, %(number)s::bigint, %(content)b::bytea"
    " WHERE set_config('synchronous_commit', 'on', true) = 'on' AND (%(number)s = 1 OR EXISTS"
    " (SELECT FROM {segments} WHERE state = %(state)s AND number = %(number)s - 1))"
    " ON CONFLICT DO NOTHING RETURNING number"
)
"""A transaction in one round trip. The setting is in force when it commits: where a role or a
database has switched it off, a segment that was acknowledged could be lost."""
DIGEST: LiteralString = (
    "SELECT sha256(content) FROM {segments} WHERE state = %(state)s AND number = %(number)s"
)
READ: LiteralString = (
    "SELECT number, content FROM {segments} WHERE state = %(state)s AND number > %(number)s"
    " ORDER BY number LIMIT %(limit)s"
)
SNAPSHOT: LiteralString = "SELECT number, content FROM {snapshots} WHERE state = %(state)s"
KEEP_SNAPSHOT: LiteralString = (
    "INSERT INTO {snapshots} AS kept VALUES (%(state)s, %(number)s, %(content)b)"
    " ON CONFLICT (state) DO UPDATE SET number = excluded.number, content = excluded.content"
    " WHERE kept.number < excluded.number RETURNING number"
)
