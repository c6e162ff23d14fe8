"""One comment, whatever other runs, people and the code host do meanwhile."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from lmssync import code_hosts
from lmssync.code_hosts import Kept
from lmssync.errors import CodeHostFailed
from tests.platform.client.answering import Asked, Said

from .conftest import MARK, Keep
from .double import STRANGER, US, Double, Fault

BUSY = Said({"message": "busy"}, 503, {"retry-after": "0"})


def test_ten_runs_leave_one_comment(double: Double, keep: Keep):
    """The first writes it, and each further one changes it."""
    kept = [keep(f"plan {number}") for number in range(10)]
    assert [Kept.CREATED, *[Kept.UPDATED] * 9] == kept
    assert [f"{MARK}\nplan 9"] == double.shown


def test_nothing_is_sent_where_nothing_changed(double: Double, keep: Keep):
    """The same text again is no edit, though the code host writes line ends in its own way."""
    keep("a\nb\n")
    double.texts[double.comments][0]["body"] = f"{MARK}\r\na\r\nb"
    assert Kept.UNCHANGED == keep("a\nb\n")
    assert ["POST"] == double.writes()


def test_each_environment_has_its_own(double: Double, keep: Keep):
    """The marker names the environment and the folder of the catalog."""
    keep("a")
    for where in (("staging", ""), ("production", "content/")):
        assert Kept.CREATED == keep("b", mark=code_hosts.spell_marker("plan", *where))
    assert 3 == len(double.shown)


@pytest.mark.parametrize("environment", ["a --> b", "eu--west", "»"])
def test_no_name_ends_a_marker(environment: str):
    """Whatever an environment is called, the marker is one comment of HTML."""
    mark = code_hosts.spell_marker("plan", environment)
    assert (mark.index("-->"), 1) == (len(mark) - 3, mark[4:-3].count("--") + 1)


def test_a_comment_that_somebody_deleted_is_written_again(double: Double, keep: Keep):
    """The next run finds none and writes one."""
    keep("a")
    double.remove(double.last)
    assert Kept.CREATED == keep("b")
    assert [f"{MARK}\nb"] == double.shown


def test_a_comment_that_is_deleted_while_it_is_changed(double: Double, keep: Keep):
    """It was there when it was looked for: the run looks again."""
    keep("a")

    def delete(asked: Asked) -> None:
        if asked.method in {"PATCH", "PUT"} and double.shown:
            double.remove(double.last)

    double.before = delete
    assert Kept.CREATED == keep("b")
    assert [f"{MARK}\nb"] == double.shown


def test_two_runs_that_both_begin_one(double: Double, keep: Keep):
    """Both look before either writes; one comment is left, with a text of one of them."""
    both = Barrier(2, timeout=300)

    def begin_together(asked: Asked) -> None:
        if asked.method == "POST":
            both.wait()

    double.before = begin_together
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(keep, ("a", "b")))
    assert ["POST", "POST"] == double.writes()[:2]
    assert 1 == len(double.shown)
    assert double.shown[0] in {f"{MARK}\na", f"{MARK}\nb"}


def test_a_second_one_of_ours_is_removed(double: Double, keep: Keep):
    """A run that was stopped may have left one: the oldest stays."""
    for text in ("a", "b"):
        double.add(double.comments, f"{MARK}\n{text}", author=US)
    assert Kept.UPDATED == keep("c")
    assert [f"{MARK}\nc"] == double.shown


def test_the_comment_of_another_author_is_left_alone(double: Double, keep: Keep):
    """Anybody can copy a marker, and change the text of their own comment afterwards."""
    double.add(double.comments, f"{MARK}\nnothing changes")
    assert Kept.CREATED == keep("b")
    assert [f"{MARK}\nnothing changes", f"{MARK}\nb"] == double.shown


def test_the_comment_of_a_person(double: Double, keep: Keep):
    """Where the token is that of a person, only their comments are ours."""
    double.gets["/user"] = {"id": STRANGER}
    for author in (US, STRANGER):
        double.add(double.comments, f"{MARK}\na", author=author)
    assert Kept.UPDATED == keep("b")
    assert [f"{MARK}\na", f"{MARK}\nb"] == double.shown


@pytest.mark.parametrize("linked", [True, False])
def test_it_is_found_behind_many_others(double: Double, keep: Keep, *, linked: bool):
    """Comments come in pages of a hundred; a proxy may have taken the header with the next one."""
    double.links = linked
    for number in range(210):
        double.add(double.comments, f"comment {number}")
    keep("a")
    assert Kept.UPDATED == keep("b")
    assert 1 == double.shown.count(f"{MARK}\nb")


def test_what_was_written_though_the_answer_failed(double: Double, keep: Keep):
    """A 503 may come after the work: the run looks before it writes again."""
    double.faults = [Fault("POST", BUSY, does_it=True)]
    keep("a")
    assert [f"{MARK}\na"] == double.shown
    assert ["POST"] == double.writes()


def test_a_failure_that_passes(double: Double, keep: Keep):
    """Reads and writes are tried again after a 503."""
    double.faults = [Fault("GET", BUSY), Fault("POST", BUSY)]
    assert Kept.CREATED == keep("a")
    assert [f"{MARK}\na"] == double.shown


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_failure_that_stays(double: Double, keep: Keep, method: str):
    """After some tries it is said what the code host says."""
    double.faults = [Fault(method, BUSY)] * 20
    with pytest.raises(CodeHostFailed, match="busy"):
        keep("a")
    assert 12 > 20 - len(double.faults)


def test_nothing_is_begun_where_there_is_nothing_to_say(double: Double, keep: Keep):
    """Without `begin`, one that exists is changed, and none is written."""
    assert Kept.NONE == keep("a", begin=False)
    keep("a")
    assert Kept.UPDATED == keep("b", begin=False)
    assert [f"{MARK}\nb"] == double.shown


def test_what_is_not_wanted_any_more_ends(double: Double, keep: Keep):
    """Ours are deleted, and if another run has deleted them first, that is the same."""
    keep("a")
    double.faults = [Fault("DELETE", Said({"message": "Not Found"}, 404), does_it=True)]
    assert Kept.ENDED == keep(None)
    assert Kept.NONE == keep(None)
    assert [] == double.shown
