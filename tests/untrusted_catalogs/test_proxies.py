"""The way to the platform is said by the variables of the run, and no key leaves it."""

import ssl
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from .conftest import KEY, Listener, Pipeline

USAGE, ERROR, UNREACHABLE = 64, 1, 8
CERTIFICATE = Path(__file__).parents[1] / "platform" / "client" / "own-authority.pem"
FAR = "https://learning.example.invalid"


@pytest.fixture(autouse=True)
def _project(pipeline: Pipeline) -> None:
    """The run says where the platform is."""
    pipeline.put("lmssync.yaml", "version: 1\n")


@pytest.fixture
def proxy() -> Iterator[Listener]:
    """A proxy that writes down what it is asked, and lets nothing through."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.heard.append(f"{self.requestline}\n{self.headers}")
            self.send_error(502)

        do_CONNECT = do_POST = do_GET  # noqa: N815 - names of the library

        def log_message(self, *_: object) -> None:
            """Silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found = Listener(server.server_address[1])
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield found
        server.shutdown()


def test_https_goes_through_the_proxy_unread(pipeline: Pipeline, proxy: Listener) -> None:
    """A proxy and its log see the host name but not what is sent."""
    address = f"http://me:pass-word@127.0.0.1:{proxy.port}"

    done = pipeline.run("plan", LMSSYNC_BASE_URL=FAR, HTTPS_PROXY=address)

    assert UNREACHABLE == done.code
    assert f"through the proxy http://***@127.0.0.1:{proxy.port}" in done.err
    assert proxy.heard[0].startswith("CONNECT learning.example.invalid:443 ")
    assert "Proxy-Authorization" in proxy.heard[0]
    assert [] == proxy.keys
    assert "pass-word" not in done.out + done.err


def test_a_write_that_a_proxy_refuses_was_not_sent(pipeline: Pipeline, proxy: Listener) -> None:
    """A write that a proxy refuses is known to be unsent."""
    from lmssync.platform.client import DeliveryStatus, Writer

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        with Writer(FAR, KEY) as writer:
            ended = writer.send_write("course.create", {}, {})
    assert DeliveryStatus.UNSENT is ended.fate
    assert 1 == len(proxy.heard)


@pytest.mark.parametrize("how", ["NO_PROXY", "loopback"])
def test_what_is_near_is_asked_directly(pipeline: Pipeline, proxy: Listener, how: str) -> None:
    """Loopback and the hosts of NO_PROXY are reached without a proxy."""
    env = {"ALL_PROXY": f"http://127.0.0.1:{proxy.port}", "NO_PROXY": "example.invalid"}
    address = FAR if how == "NO_PROXY" else "https://127.0.0.1:1"

    done = pipeline.run("plan", LMSSYNC_BASE_URL=address, **env)

    assert (UNREACHABLE, []) == (done.code, proxy.heard)


@pytest.mark.parametrize(
    "proxy", ["socks5://me:pass-word@127.0.0.1:1", "http://me:pass-word@:1", "http://h:99999"]
)
def test_a_proxy_that_cannot_be_used_is_told(pipeline: Pipeline, proxy: str) -> None:
    """The error says what to set and hides the proxy's password."""
    done = pipeline.run("plan", LMSSYNC_BASE_URL=FAR, HTTPS_PROXY=proxy)
    assert USAGE == done.code
    assert "error: the environment names a proxy that cannot be used: " in done.err
    assert "pass-word" not in done.err


@pytest.fixture
def secure() -> Iterator[str]:
    """A platform by https, with a certificate that nobody knows; it knows no key."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Silent."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Whoever does not believe the certificate hangs up."""

    with Server(("127.0.0.1", 0), Handler) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"https://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_certificate_that_nobody_knows_is_not_believed(pipeline: Pipeline, secure: str) -> None:
    """The hint says how to trust an authority of one's own."""
    done = pipeline.run("plan", LMSSYNC_BASE_URL=secure)
    assert UNREACHABLE == done.code
    assert "CERTIFICATE_VERIFY_FAILED" in done.err
    assert "set SSL_CERT_FILE to the file of that authority" in done.err


def test_an_authority_of_ones_own_is_believed(
    pipeline: Pipeline, secure: str, tmp_path: Path
) -> None:
    """A trusted authority, as a file or an OpenSSL folder, lets the request through."""
    hashed = tmp_path / "authorities"
    hashed.mkdir()
    (hashed / "f05b7b20.0").symlink_to(CERTIFICATE)

    for env in ({"SSL_CERT_FILE": str(CERTIFICATE)}, {"SSL_CERT_DIR": str(hashed)}):
        done = pipeline.run("plan", LMSSYNC_BASE_URL=secure, **env)
        assert "does not accept the API key" in done.err


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_authorities_that_are_not_there_are_told(
    pipeline: Pipeline, secure: str, name: str
) -> None:
    """A wrong variable is reported as wrong use, not as a bug."""
    done = pipeline.run("plan", LMSSYNC_BASE_URL=secure, **{name: "/proc/none"})
    assert USAGE == done.code
    assert (
        f"error: {name} is /proc/none, which cannot be used: No such file or directory" in done.err
    )
