"""What an author does all day needs nothing that only POSIX has."""

import json
import os
import subprocess
from contextlib import closing

import pytest

from lmssync.state import open_store

from .conftest import COURSE, PROJECT, Elsewhere

MISSING = [
    *("import fcntl", "import resource", "import pwd", "os.geteuid()", "os.O_NOFOLLOW"),
    *("os.open('.', 0, dir_fd=0)", "os.killpg(0, 0)", "signal.SIGKILL", "signal.setitimer(0, 0)"),
    "file = open('lmssync.yaml'); os.unlink(file.name)",
]
TRY = """
import os, signal, sys
for code in sys.argv[3:]:
    try:
        exec(code)
        print(code)
    except (ImportError, AttributeError, NotImplementedError, PermissionError): pass
"""
SERVE = """
import httpx
from lmssync.sandbox import run_sandbox
with run_sandbox() as where:
    print(httpx.get(f"{where['baseUrl']}/_sandbox/dump").status_code)
"""
as_on_windows = pytest.mark.skipif(os.name == "nt", reason="nothing need be taken away there")


@as_on_windows
def test_posix_is_missing(elsewhere: Elsewhere):
    """Otherwise the other tests of this file would say nothing."""
    assert ("", 0) == ((done := elsewhere.run("-c", TRY, *MISSING)).out, done.code), done.err


@pytest.mark.slow
def test_a_catalog_is_begun(elsewhere: Elsewhere):
    """From nothing to manifests that validate, in the canonical form, with schemas beside them."""
    for args in (
        ("init", "new"),
        ("new", "-C", "new", "license", "acme"),
        ("fmt", "-C", "new", "--check"),
        ("schema", "--out", "schemas"),
    ):
        done = elsewhere.run(*args)
        assert ("", 0) == (done.err if done.code else "", done.code), args
    assert (elsewhere.root / "new/licenses/acme.yaml").is_file()


@pytest.mark.slow
def test_a_catalog_is_applied(served: Elsewhere):
    """Planned, saved, applied, exported; and then there is nothing left to do."""
    for args in (
        ("plan", "--out", "plan.json"),
        ("show", "plan.json"),
        ("apply", "plan.json", "--yes"),
        ("plan", "--detailed-exitcode"),
        ("state", "list"),
        ("export", "--out", "copy"),
    ):
        done = served.run(*args)
        assert ("", 0) == (done.err if done.code else "", done.code), args
    assert "safety" in "".join(
        file.read_text("utf-8") for file in served.root.glob("copy/**/*.yaml")
    )


@pytest.mark.slow
def test_two_runs_at_once(served: Elsewhere):
    """The second is refused, and told who holds the state."""
    url = "sqlite:///.lmssync/state.db"
    with closing(open_store(url, served.root, "sandbox")) as store, store.hold_state():
        done = served.run("apply", "--yes")
    assert (6, True) == (done.code, f"(process {os.getpid()})" in done.err)


@pytest.mark.slow
def test_an_older_state_is_noticed(served: Elsewhere):
    """What remembers it is not the file that is locked: nobody could read that."""
    assert 0 == served.run("apply", "--yes").code
    for file in served.root.glob(".lmssync/state.db*"):
        if file.suffix in {".db", ".db-wal", ".db-shm"}:
            file.unlink()
    done = served.run("plan")
    assert (1, True) == (done.code, "is not the state that was here before" in done.err)


@pytest.mark.slow
def test_line_ends_change_nothing(served: Elsewhere):
    """Git checks files out with those of Windows; the platform gets the same text."""
    assert 0 == served.run("apply", "--yes").code
    for file in served.root.glob("**/*.*"):
        if file.suffix in {".yaml", ".md"}:
            file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert (0, 0) == (served.run("validate").code, served.run("plan", "--detailed-exitcode").code)


def test_paths_have_forward_slashes(elsewhere: Elsewhere):
    """A name that only Windows reads is refused on every system."""
    elsewhere.put("courses/texts/hello.md", "Good morning")
    elsewhere.put("courses/safety.yaml", COURSE.replace("hello.md", "texts\\hello.md"))
    done = elsewhere.run("validate")
    assert (3, True) == (done.code, "write it with forward slashes" in done.out), done.out


@pytest.mark.slow
def test_manifests_are_put_in_order(elsewhere: Elsewhere):
    """With the line ends that `fmt` writes everywhere."""
    file = elsewhere.put("courses/safety.yaml", COURSE.replace("\n", "\r\n"))
    assert (0, 0) == (elsewhere.run("fmt").code, elsewhere.run("fmt", "--check").code)
    assert COURSE.encode() == file.read_bytes()


@pytest.mark.slow
def test_everything_can_be_written(elsewhere: Elsewhere):
    """The encoding of the system knows neither arrows nor Chinese; what we write is UTF-8."""
    elsewhere.put("courses/safety.yaml", COURSE.replace("courseGroup", "Kurs → 安全"))
    told, shown = (elsewhere.run("validate", *form) for form in (["--json"], []))
    assert (3, 3) == (told.code, shown.code)
    assert "Kurs → 安全" in json.loads(told.out)["problems"][0]["message"]
    assert "Kurs → 安全" in shown.out


@pytest.mark.slow
def test_what_is_remembered_lies_with_the_user(elsewhere: Elsewhere):
    """In the folder that Windows has for that; a damaged one is begun anew."""
    assert 0 == elsewhere.run("validate").code
    (cache,) = (elsewhere.root.parent / "localappdata" / "lmssync").glob("*/cache.db")
    cache.write_bytes(b"x" * 8192)
    assert 0 == elsewhere.run("validate").code
    assert b"SQLite" == cache.read_bytes()[:6]


@pytest.mark.slow
def test_the_keys_of_a_person(elsewhere: Elsewhere):
    """They lie in the folder of settings, which other users of the machine cannot open."""
    file = elsewhere.root.parent / "appdata" / "lmssync" / "credentials.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("hosts:\n  learning.example.com: {env: LMSSYNC_OTHER_KEY}\n")
    elsewhere.put(
        "lmssync.yaml", PROJECT.replace("http://127.0.0.1:1", "https://learning.example.com")
    )
    done = elsewhere.run("plan")
    assert (64, True) == (done.code, "LMSSYNC_OTHER_KEY" in done.err)


@pytest.mark.slow
def test_what_has_changed(elsewhere: Elsewhere):
    """Git is asked, and compares no line ends."""
    git = (
        "git",
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.com",
        "-c",
        "init.defaultBranch=m",
    )
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "a"]):
        subprocess.run([*git, *words], cwd=elsewhere.root, check=True)
    file = elsewhere.put("courses/safety.yaml", COURSE.replace("courseGroup", "x"))
    assert 3 == elsewhere.run("validate", "--changed-since", "HEAD").code
    file.write_bytes(COURSE.replace("\n", "\r\n").encode())
    assert 0 == elsewhere.run("validate", "--changed-since", "HEAD").code


@pytest.mark.slow
def test_a_template_is_rendered(elsewhere: Elsewhere):
    """In a process of its own, here too."""
    text = (
        "{% for n in [1, 2] %}\n---\n" + COURSE.replace("safety", "safety-{{ n }}") + "{% endfor %}"
    )
    elsewhere.put("courses/more.yaml.j2", text)
    done = elsewhere.run("validate")
    assert (0, True) == (done.code, "3 resources" in done.out + done.err), done


@pytest.mark.slow
def test_a_sandbox_is_served(elsewhere: Elsewhere):
    """It has nothing of POSIX either."""
    done = elsewhere.run("-c", SERVE)
    assert (0, "200\n") == (done.code, done.out), done.err


@pytest.mark.exhaustive
def test_it_all_works(elsewhere: Elsewhere):
    """The demo."""
    done = elsewhere.run("demo", "--dir", "demo")
    assert (0, True) == (done.code, "The next plan is empty" in done.out)
