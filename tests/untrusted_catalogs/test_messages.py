"""A stranger's pull request has nothing sent, chooses no place for it, and puts no secret in."""

import pytest

from tests.code_hosts.double import Double
from tests.platform.client.answering import answering
from tests.served_catalog import PROJECT, Workspace

CHAT = "notify: {chat: {webhook: {env: LMSSYNC_NOTIFY_CHAT}}}\n"
INVALID = 3


def test_in_the_job_of_a_pull_request_nothing_is_sent(
    work: Workspace, host: Double, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its catalog may be a stranger's, and so may the words of a message be."""
    work.write("lmssync.yaml", PROJECT + CHAT)
    work.course("a")
    with answering() as chat:
        monkeypatch.setenv("LMSSYNC_NOTIFY_CHAT", chat.base_url)
        done = work.apply()
        assert (0, 1, []) == (done.code, work.run("notify").code, chat.asked)
    assert "in the job of a pull request nobody is notified" in done.err


@pytest.mark.parametrize("line", ["webhook: https://chat.example.com/x", "mail: {to: a@b.example}"])
def test_no_address_is_written_in_the_project_file(work: Workspace, line: str) -> None:
    """Whoever changes that file in a pull request chooses no place to send anything to."""
    work.write("lmssync.yaml", f"{PROJECT}notify: {{chat: {{{line}}}}}\n")
    done = work.run("validate")
    assert (INVALID, True) == (done.code, "error[literal-secret]" in done.out)


@pytest.mark.parametrize("name", ["LMSSYNC_API_KEY", "LMSSYNC_STATE"])
def test_no_other_secret_can_be_named(work: Workspace, name: str) -> None:
    """The key of the platform is none that a message can carry."""
    work.write("lmssync.yaml", PROJECT + CHAT.replace("LMSSYNC_NOTIFY_CHAT", name))
    done = work.run("validate")
    assert (INVALID, True) == (done.code, "begins with LMSSYNC_NOTIFY_" in done.out)
