"""PostgreSQL as the backend of a state: what it is told, what it refuses, and a way that breaks."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import pytest

from lmssync.errors import LmssyncError, StateError, WrongUse
from lmssync.state.backends import Snapshot, StateBackend, open_backend
from tests.patience import wait_for_exit

from .postgresql_server import Server, standby_of
from .way import Way

psycopg = pytest.importorskip("psycopg")
pytestmark = pytest.mark.xdist_group("postgresql")


@contextmanager
def opened(url: str, **env: str) -> Iterator[StateBackend]:
    with closing(open_backend(url, Path(), "staging", env)) as backend:
        yield backend


def refused(url: str) -> str:
    """What is said of the first use of a backend, with the hint."""
    with pytest.raises(LmssyncError) as caught, opened(url) as backend:
        backend.append(1, b"1")
    return f"{caught.value.message}; {caught.value.hint}"


@contextmanager
def administering(server: Server, database: str = "postgres") -> Iterator["psycopg.Connection"]:
    url = server.url("", database=database).partition("#")[0]
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        yield connection


@pytest.fixture
def database(postgresql: Server) -> Iterator[str]:
    """A database of its own, with nothing in it."""
    name = f"database_{uuid4().hex}"
    with administering(postgresql) as administrator:
        administrator.execute(f"CREATE DATABASE {name}")
    yield name
    with administering(postgresql) as administrator:
        administrator.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_one_database_has_the_logs_of_many_states(postgresql: Server, database: str):
    """By the name after `#`, which is that of the environment if there is none."""
    urls = [postgresql.url(name, database=database) for name in ("a%2Fb", "{environment}-2", "")]
    for url in urls:
        with opened(url) as backend:
            backend.append(1, backend.place.encode())
    with administering(postgresql, database) as administrator:
        rows = administrator.execute("SELECT state FROM lmssync_segments ORDER BY 1").fetchall()
    assert [("a/b",), ("staging",), ("staging-2",)] == rows


def test_the_tables_can_stand_in_a_schema(postgresql: Server, database: str):
    """Which is made as well, whatever its name."""
    url = postgresql.url("x", database=database, schema=quote('our "state"'))
    with opened(url) as backend:
        backend.append(1, b"1")
        backend.keep_snapshot(Snapshot(1, b"1"))
    with administering(postgresql, database) as administrator:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'our \"state\"' ORDER BY 1"
        names = administrator.execute(tables).fetchall()
    assert ["lmssync_notes", "lmssync_segments", "lmssync_snapshots"] == [name for (name,) in names]


def test_reading_makes_nothing(postgresql: Server, database: str):
    """A plan may have a role that can only read."""
    with opened(postgresql.url("x", database=database)) as backend:
        assert ([], None) == (list(backend.read()), backend.snapshot())
    with administering(postgresql, database) as administrator:
        tables = administrator.execute("SELECT FROM pg_tables WHERE tablename LIKE 'lmssync%'")
        assert [] == tables.fetchall()


def test_ten_may_make_the_tables_at_once(postgresql: Server, database: str):
    """All of them append to a log of their own in a new schema."""
    urls = [postgresql.url(f"{n}", database=database, schema="new") for n in range(10)]

    def append(url: str) -> bool:
        with opened(url) as backend:
            return backend.append(1, b"1")

    with ThreadPoolExecutor(10) as pool:
        assert [True] * 10 == list(pool.map(append, urls))


def test_an_append_is_durable_whatever_the_role_has_set(postgresql: Server, database: str):
    """The commit waits for the disk also where `synchronous_commit` is off."""
    seen = "SELECT max(content) FROM seen"
    with administering(postgresql, database) as administrator:
        administrator.execute(f"ALTER DATABASE {database} SET synchronous_commit = off")
        with opened(postgresql.url("x", database=database)) as backend:
            backend.append(1, b"1")
        administrator.execute("CREATE TABLE seen (content text)")
        administrator.execute(
            "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen"
            " VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$"
        )
        administrator.execute(
            "CREATE CONSTRAINT TRIGGER see AFTER INSERT ON lmssync_segments"
            " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION see()"
        )
        with opened(postgresql.url("x", database=database)) as backend:
            backend.append(2, b"2")
        assert ("on",) == administrator.execute(seen).fetchone()


def test_a_missing_segment_is_missed(postgresql: Server, database: str):
    """Nobody reads past the gap."""
    with opened(postgresql.url("x", database=database)) as backend:
        for number in (1, 2, 3):
            backend.append(number, b"%d" % number)
        with administering(postgresql, database) as administrator:
            administrator.execute("DELETE FROM lmssync_segments WHERE number = 2")
        with pytest.raises(StateError, match=r"segment 2 of the state .* is missing"):
            list(backend.read())


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:pa#55word@host/db",
        "postgresql://me:pa55word@host:port:x/db?y=1",
        "postgresql://host/db?schemas=x",
        "postgresql://[::1/db",
    ],
)
def test_a_wrong_address_is_refused(url: str):
    """Without repeating a password."""
    with pytest.raises(WrongUse) as caught, opened(url) as backend:
        backend.append(1, b"1")
    assert "55word" not in caught.value.message + caught.value.hint


def test_an_address_may_have_no_host():
    """As libpq writes it: a folder of sockets, or PGHOST, says where the server is."""
    with opened("postgresql:///content?host=/run/none#shop") as backend:
        assert "postgresql:///content#shop" == backend.place


def test_the_place_shows_neither_user_nor_password():
    """Host, port, database and name are what people need."""
    url = "postgresql://me:pa55word@db.example:5433/lmssync?sslmode=verify-full&schema=x#{environment}"
    with opened(url) as backend:
        assert "postgresql://db.example:5433/lmssync#staging" == backend.place


def test_a_name_that_no_column_can_hold_is_told(postgresql: Server):
    """With what the database says of it."""
    assert "(0x00)" in refused(postgresql.url("%00"))


def test_no_server_is_told(tmp_path: Path):
    """With what libpq says."""
    words = refused(f"postgresql:///postgres?host={tmp_path}")
    assert "cannot be reached: connection" in words
    assert "No such file or directory" in words


def test_a_wrong_password_is_told(postgresql: Server):
    """And is not repeated."""
    with administering(postgresql) as administrator:
        administrator.execute("DROP ROLE IF EXISTS locked")
        administrator.execute("CREATE ROLE locked LOGIN PASSWORD 'right-one'")
    words = refused(postgresql.url("x", user="locked", password="wrong-one"))
    assert "refuses the login" in words
    assert "PGPASSWORD" in words
    assert "wrong-one" not in words


def test_the_password_may_come_from_libpq(
    postgresql: Server, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """From its variable or from its file."""
    with administering(postgresql) as administrator:
        administrator.execute("DROP ROLE IF EXISTS locked")
        administrator.execute("CREATE ROLE locked LOGIN PASSWORD 'right-one'")
    url = postgresql.url("x", user="locked", database=database)
    with monkeypatch.context() as patch, opened(url) as backend:
        patch.setenv("PGPASSWORD", "right-one")
        assert [] == list(backend.read())
    file = tmp_path / "pgpass"
    file.write_text("*:*:*:locked:right-one\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    with opened(url) as backend:
        assert [] == list(backend.read())


def test_a_missing_database_is_told(postgresql: Server):
    """With its name."""
    assert 'database "none" does not exist' in refused(postgresql.url("x", database="none"))


def test_a_role_without_rights_is_told_which_it_needs(postgresql: Server, database: str):
    """It may not make the tables."""
    with administering(postgresql) as administrator:
        administrator.execute("DROP ROLE IF EXISTS weak")
        administrator.execute("CREATE ROLE weak LOGIN")
    words = refused(postgresql.url("x", database=database, user="weak", schema="theirs"))
    assert "permission denied" in words
    assert "the role needs SELECT, INSERT and UPDATE" in words


def test_encryption_that_is_demanded_is_not_waived(way: Way):
    """This server has none."""
    words = refused(f"postgresql://lmssync@127.0.0.1:{way.port}/postgres?sslmode=require")
    assert "server does not support SSL" in words


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("disk_full", "has no space left"),
        ("read_only_sql_transaction", "add target_session_attrs=read-write"),
        ("internal_error", "cannot be read or written"),
    ],
)
def test_what_the_server_cannot_do_is_told(
    postgresql: Server, database: str, answer: str, words: str
):
    """In words, and with the server's own."""
    url = postgresql.url("x", database=database)
    with opened(url) as backend:
        backend.append(1, b"1")
    with administering(postgresql, database) as administrator:
        administrator.execute(
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE {answer} USING MESSAGE = 'as the server says'; END $$"
        )
        administrator.execute(
            "CREATE TRIGGER fail BEFORE INSERT ON lmssync_segments EXECUTE FUNCTION fail()"
        )
    said = refused(url)
    assert words in said
    assert "as the server says" in said


def test_an_old_server_is_told(postgresql: Server, monkeypatch: pytest.MonkeyPatch):
    """With its version, and the first that will do."""
    monkeypatch.setattr("lmssync.state.backends.postgresql._OLDEST", 990_000)
    assert "99 or newer is needed" in refused(postgresql.url("x"))


@pytest.mark.slow
def test_a_standby_can_be_read_and_is_told_to_be_one(postgresql: Server):
    """A plan may read there; an append needs the primary."""
    name = uuid4().hex
    with opened(postgresql.url(name)) as backend:
        backend.append(1, b"1")
    with standby_of(postgresql) as standby, opened(standby.url(name)) as backend:
        assert [b"1"] == list(backend.read())
        with pytest.raises(StateError, match="is read-only, as a standby is") as caught:
            backend.append(2, b"2")
    assert "target_session_attrs=read-write" in caught.value.hint


APPENDING = """\
import sys
from itertools import count
from pathlib import Path
from lmssync.state.backends import open_backend

backend, left = open_backend(sys.argv[1], Path(), "test", {}), 20
for number in count(1):
    left -= backend.append(number, b"%d of %s" % (number, sys.argv[2].encode()))
    if not left:
        break
backend.close()
"""


@pytest.mark.slow
def test_ten_pipelines_append_at_once(postgresql: Server):
    """Ten processes take the next free number until each has taken twenty."""
    url = postgresql.url(uuid4().hex)
    command = [sys.executable, "-c", APPENDING, url]
    started = [subprocess.Popen([*command, f"{n}"]) for n in range(10)]
    assert [0] * 10 == [wait_for_exit(process) for process in started]
    with opened(url) as backend:
        pairs = [segment.split(b" of ") for segment in backend.read()]
    assert list(range(1, 201)) == [int(number) for number, _ in pairs]
    assert {b"%d" % n: 20 for n in range(10)} == Counter(writer for _, writer in pairs)


def test_a_connection_that_broke_is_made_again(postgresql: Server):
    """Also where it was idle for long, and the server has closed it."""
    with opened(postgresql.url(uuid4().hex, application_name="idle")) as backend:
        backend.append(1, b"1")
        with administering(postgresql) as administrator:
            administrator.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE application_name = 'idle'"
            )
        assert backend.append(2, b"2")
        assert [b"1", b"2"] == list(backend.read())


def test_a_server_that_is_killed_in_an_append_is_told(postgresql: Server, database: str):
    """Afterwards the log says whether it was kept, and goes on over the same backend."""
    with opened(postgresql.url("x", database=database)) as backend, ThreadPoolExecutor(1) as pool:
        backend.append(1, b"1")
        with administering(postgresql, database) as administrator:
            administrator.execute("BEGIN; LOCK TABLE lmssync_segments IN EXCLUSIVE MODE")
            appending = pool.submit(backend.append, 2, b"2")
            waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            while not administrator.execute(waits).fetchall():
                pass
            try:
                postgresql.stop("immediate")
                with pytest.raises(StateError, match="the state postgresql://"):
                    appending.result()
            finally:
                postgresql.start()
        assert [b"1"] == list(backend.read())
        assert backend.append(2, b"2")
        assert [b"1", b"2"] == list(backend.read())


@pytest.mark.parametrize("direction", ["there", "back"])
@pytest.mark.parametrize("size", range(0, 1_300, 13))
def test_a_cut_connection_neither_loses_nor_doubles(
    postgresql: Server, way: Way, direction: str, size: int
):
    """After any number of bytes: what was acknowledged is there, and the same append goes on."""
    name = uuid4().hex
    url = f"postgresql://lmssync@127.0.0.1:{way.port}/postgres?sslmode=disable#{name}"
    with opened(url) as backend, opened(postgresql.url(name)) as other:
        backend.append(1, b"1")
        segment = bytes(range(256)) * 2
        way.cut_after(**{direction: size})
        try:
            kept = backend.append(2, segment)
        except StateError:
            kept = None
        segments = list(other.read(1))
        assert segments == [segment] if kept else segments in ([], [segment])
        way.cut_after()
        assert backend.append(2, segment)
        assert [b"1", segment] == list(other.read())


def test_a_server_that_never_answers_is_given_up(
    postgresql: Server, way: Way, monkeypatch: pytest.MonkeyPatch
):
    """libpq would wait for it; afterwards the same backend goes on."""
    url = f"postgresql://lmssync@127.0.0.1:{way.port}/postgres?sslmode=disable#{uuid4().hex}"
    with opened(url) as backend:
        backend.append(1, b"1")
        monkeypatch.setattr("lmssync.state.backends.postgresql._PATIENCE", 0.2)
        with way.held(), pytest.raises(StateError, match=r"no answer came in 0\.2 seconds"):
            backend.append(2, b"2")
        monkeypatch.undo()
        assert backend.append(2, b"2")
        assert [b"1", b"2"] == list(backend.read())
