"""`jobs`: the background jobs that the state waits for, and how they end."""

from contextlib import closing
from typing import Any

import orjson
import pytest

from lmssync.applying.apply import find_awaited_jobs
from lmssync.kind import CallPart
from lmssync.resource import Address, pack_form
from lmssync.state import CallStatus, Store, open_store
from tests.served_catalog import Platform, Workspace
from tests.state.test_journal import call

ERROR, PARTIAL, USAGE = 1, 7, 64
NOWHERE = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def job(work: Workspace, platform: Platform) -> str:
    """The id of a clone that is under way, and that a run has left without having seen its end."""
    platform.order("switches", {"jobSeconds": 3000})
    (source,) = [one["id"] for one in platform.dump("clients") if one["slug"] == "acme"]
    answer = platform.http.post(
        f"/incoming/v2/clients/{source}/clone",
        json={"name": "Riverside", "slug": "river"},
        headers={"Authorization": f"Bearer {platform.key}"},
    ).json()
    part = CallPart(Address("client", "river"), pack_form({}), adds=True, repeatable=False)
    sent = call("1", part)._replace(route="client.clone")
    opened = open_store("sqlite:///.lmssync/state.db", work.root, "sandbox")
    with closing(opened) as store, store.hold_state():
        store.write_intent(sent)
        store.write_outcome(sent.op, CallStatus.ACKNOWLEDGED, {"answer": answer})
    return str(answer["data"]["APICloneClient"]["id"])


def changes(work: Workspace, *args: str) -> tuple[int, list[Any]]:
    """The exit code of a watch, and the lines that it prints."""
    done = work.run("jobs", "watch", "--json", *args)
    return done.code, [orjson.loads(line) for line in done.out.splitlines()]


def test_open_jobs_are_named_by_their_addresses(
    work: Workspace, platform: Platform, job: str
) -> None:
    """A list shows what each is about and how far it is; a watch waits and says how it ended."""
    (shown,) = work.run("jobs", "list", "--json").json["jobs"]
    assert (job, ["client.river"]) == (shown["id"], shown["resources"])
    assert shown["status"] in {"queued", "processing"}
    assert "client.river" in work.run("jobs", "list").out
    early = work.run("jobs", "watch", "--timeout", "0")
    assert (ERROR, True) == (early.code, "it has not ended, and is still" in early.err)

    platform.order("clock", {"advanceSeconds": 6000})

    code, (line,) = changes(work)
    assert (0, "complete", ["client.river"]) == (code, line["status"], line["resources"])


def test_a_job_that_fails_says_why(work: Workspace, platform: Platform, job: str) -> None:
    """The exit code of a watch is that of something that was not done."""
    platform.delete("clients", slug="acme")
    platform.order("clock", {"advanceSeconds": 6000})
    code, (line,) = changes(work, job)
    assert (PARTIAL, "failed") == (code, line["status"])
    assert "no longer exists" in line["errorMessage"]


def test_a_job_that_nobody_knows(work: Workspace) -> None:
    """A watch does not wait for it; nor does one where the state waits for nothing."""
    done = work.run("jobs", "watch", NOWHERE)
    assert (USAGE, True) == (done.code, "does not know this job" in done.err)
    done = work.run("jobs", "watch")
    assert (0, "the state waits for no job\n") == (done.code, done.err)
    assert "The state has no open job.\n" == work.run("jobs", "list").out


def test_jobs_that_calls_have_left_behind(store: Store) -> None:
    """What is recorded is no part of its call any more; the journal says what it was about."""
    sent = call()._replace(answer={"backgroundJob": {"id": NOWHERE}})
    with store.hold_state():
        store.write_intent(sent)
        store.write_outcome(sent.op, CallStatus.ACKNOWLEDGED, {"answer": sent.answer})
        store.drop_parts(sent.op, {part.address: "recorded" for part in sent.parts})
        store.settle_call(sent.op, status=CallStatus.JOB)
    (waiting,) = find_awaited_jobs(store)
    assert (NOWHERE, ["course.a"]) == (waiting.id, waiting.addresses)


def test_what_is_no_uuid_is_refused(work: Workspace, platform: Platform) -> None:
    """The command line is wrong, and the platform is not asked."""
    before = len(platform.requests())
    done = work.run("jobs", "watch", "mine")
    assert (64, True) == (done.code, "`mine` is not a uuid" in done.err)
    assert before == len(platform.requests())
