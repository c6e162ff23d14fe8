"""`--ca-bundle`: a platform behind TLS, with an authority of the company's own."""

import os
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from lmssync.errors import WrongUse
from lmssync.platform.client.network_settings import choose_way
from tests.served_catalog import Platform, Workspace

from .relay import Relay, relay

trustme = pytest.importorskip("trustme")
DONE, USAGE, UNREACHABLE = 0, 64, 8


@pytest.fixture
def bundle(
    work: Workspace, platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """The file of the authority; the catalog's platform is reached by https."""
    authority, file = trustme.CA(), tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    port = int(platform.base_url.rpartition(":")[2])
    monkeypatch.delenv("LMSSYNC_CA_BUNDLE", raising=False)
    with relay(Relay(port, tls=context)) as served:
        monkeypatch.setenv("LMSSYNC_BASE_URL", f"https://127.0.0.1:{served.port}")
        yield str(file)


def test_a_run_trusts_a_bundle(work: Workspace, platform: Platform, bundle: str) -> None:
    """Before the command or after it, for this run alone."""
    work.course("a")
    codes = [
        work.run("--ca-bundle", bundle, "plan").code,
        work.run("plan").code,
        work.run("apply", "--yes", "--ca-bundle", bundle).code,
    ]
    assert [DONE, UNREACHABLE, DONE] == codes
    assert "Title of a" in platform.titles()
    assert "LMSSYNC_CA_BUNDLE" not in os.environ


def test_a_bundle_that_is_not_there(work: Workspace) -> None:
    """It is wrong use of the command line."""
    done = work.run("--ca-bundle", "no.pem", "plan")
    assert (USAGE, True) == (done.code, "--ca-bundle: File 'no.pem' does not exist" in done.err)


def test_a_bundle_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device is not read: this one would fill the memory."""
    monkeypatch.setenv("LMSSYNC_CA_BUNDLE", "/dev/zero")
    with pytest.raises(WrongUse, match="cannot be used: it is a device"):
        choose_way("https://one.example.com")
