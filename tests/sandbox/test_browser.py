"""A browser on the same machine: pages of other sites neither read the sandbox nor change it."""

import http.client
import json
from contextlib import closing

import pytest

from lmssync.sandbox import run_sandbox
from lmssync.sandbox.http_messages import Refusal
from lmssync.sandbox.request_gateway import OriginGuard
from lmssync.vocabulary.routes import ROUTES

PING = ROUTES["ping"].path
EVERYWHERE = [
    PING,
    "/_sandbox/dump",
    "/_sandbox/keys",
    "/",
    "/catalog/x",
    "/requests",
    "/oauth/token",
    "/nowhere",
]
REBOUND = ["evil.example", "evil.example:8800", "localhost.evil.example", "127.0.0.1.nip.io:80"]
REBOUND += ["0.0.0.0", "192.168.1.5", "[2001:db8::1]:8800", "sandbox", "localhost@evil.example"]
OWN = ["127.0.0.1", "127.0.0.1:9000", "localhost", "LOCALHOST:1", "localhost.", "a.localhost:80"]
OWN += ["[::1]", "[::1]:8800", "127.1.2.3", "[::ffff:127.0.0.1]:8800"]
LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
FORM = "application/x-www-form-urlencoded"


def asked(platform, path, *, method="GET", body=None, **headers):
    """Status and headers of the answer, and its body, to a request with exactly these headers."""
    address = platform.ready["baseUrl"].removeprefix("http://")
    with closing(http.client.HTTPConnection(address, timeout=300)) as connection:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


@pytest.mark.parametrize("host", REBOUND)
def test_other_names_are_refused(served, host):
    """A name that somebody makes lead here reads nothing, with words and on every path."""
    for path in EVERYWHERE:
        status, _, body = asked(served, path, Host=host, Authorization=f"Bearer {served.key}")
        assert (path, 403) == (path, status)
        assert b"is not a name of this sandbox" in body


@pytest.mark.parametrize("host", OWN)
def test_own_names_are_heard(served, host):
    """Every loopback name and address, in any case and with any port: tunnels have their own."""
    statuses = [asked(served, path, Host=host)[0] for path in ("/", "/_sandbox/clock")]
    assert [200, 200] == statuses


@pytest.mark.parametrize(
    ("served_on", "host", "heard"),
    [
        ("sandbox", "sandbox:8800", True),
        ("Sandbox", "sandbox", True),
        ("sandbox", "other", False),
        ("192.168.1.5", "192.168.1.5:80", True),
        ("192.168.1.5", "192.168.1.6", False),
        ("0.0.0.0", "192.168.1.5:8800", True),
        ("::", "[2001:db8::1]:8800", True),
        ("0.0.0.0", "0.0.0.0:8800", True),
        ("0.0.0.0", "evil.example", False),
        ("::1", "localhost", True),
    ],
)
def test_names_by_what_is_served(served_on, host, heard):
    """The host of `--host`; on every interface any address, which nobody can rebind."""
    door = OriginGuard(served_on, is_page=lambda _path: False)
    scope = {"headers": [(b"host", host.encode())]}
    if heard:
        door.require_origin(scope)
    else:
        with pytest.raises(Refusal):
            door.require_origin(scope)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "http://127.0.0.1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {**LINK, "Sec-Fetch-Dest": "iframe"},
        {**LINK, "Sec-Fetch-Mode": "no-cors"},
        {**LINK, "Origin": "https://evil.example"},
    ],
)
def test_pages_of_other_sites_are_refused(served, headers):
    """Also those of other ports of this machine, pages without an origin, and frames."""
    key = {"Authorization": f"Bearer {served.key}"}
    for path in EVERYWHERE:
        status, told, _ = asked(served, path, **headers, **key)
        assert (path, 403) == (path, status)
        assert not [name for name in told if name.lower().startswith("access-control")]


@pytest.mark.parametrize("kind", [None, FORM, "text/plain", "multipart/form-data; boundary=x"])
@pytest.mark.parametrize("order", ["reset", "faults", "keys", "school", "learners", "clock"])
def test_forms_of_other_sites_change_nothing(served, order, kind):
    """What a browser sends without asking first is refused, with a body and without."""
    kinds = {"Content-Type": kind} if kind else {}
    before = served.dump("courses")
    for body in (b"", b"{}", b"advanceSeconds=1"):
        headers = {"Origin": "https://evil.example", **kinds}
        assert 403 == asked(served, f"/_sandbox/{order}", method="POST", body=body, **headers)[0]
    assert before == served.dump("courses")


def test_what_is_no_browser_is_not_asked(platform):
    """curl and httpx may send orders, with and without a body."""
    statuses = [
        asked(platform, "/_sandbox/reset", method="POST", body=b"")[0],
        asked(platform, "/_sandbox/reset", method="POST", body=b"", Content_Type=FORM)[0],
        platform.http.post("/_sandbox/reset", json={}).status_code,
        platform.http.post("/_sandbox/reset").status_code,
    ]
    assert [200, 200, 200, 200] == statuses


def test_a_form_is_no_order(platform):
    """A body that is not JSON is refused from any client."""
    status = asked(platform, "/_sandbox/clock", method="POST", body=b"{}", Content_Type=FORM)[0]
    assert 415 == status


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_own_pages_are_heard(served, site):
    """The page that loads itself again, and an address that somebody typed."""
    assert 200 == asked(served, "/", **{"Sec-Fetch-Site": site})[0]
    assert 200 == asked(served, "/_sandbox/dump", **{"Sec-Fetch-Site": site})[0]


def test_a_link_leads_to_the_page(served):
    """From a handbook, say: the site of the link sees nothing of it. It leads to no order."""
    found = [asked(served, path, **LINK)[0] for path in ("/", "/?tag=x", "/_sandbox/dump", PING)]
    assert [200, 200, 403, 403] == found


def test_own_origin_is_heard(served):
    """A POST with the origin of our own page is accepted."""
    base = served.ready["baseUrl"]
    answer = asked(served, "/_sandbox/clock", method="GET", Origin=base)
    assert 200 == answer[0]


def test_refusals_speak_as_the_path_does(served):
    """`errors` on the control plane, the envelope of the route elsewhere, and it is logged."""
    bodies = [
        json.loads(asked(served, path, Host="evil.example")[2])
        for path in ("/_sandbox/dump", PING, "/v3/x")
    ]
    assert [["errors"], ["error", "message"]] == [list(body) for body in bodies[:2]]
    assert 403 == bodies[2]["statusCode"]
    newest = served.control("requests", limit="1")["requests"][-1]
    assert (403, "/v3/x") == (newest["status"], newest["path"])


@pytest.mark.parametrize("path", ["/", "/catalog/x", "/requests"])
def test_headers_of_the_pages(served, path):
    """No script, no frame around them, no type but the one told, nothing kept."""
    told = {name.lower(): value for name, value in asked(served, path)[1].items()}
    policy = dict(
        part.strip().partition(" ")[::2] for part in told["content-security-policy"].split(";")
    )
    assert ("'none'", "'none'", None) == (
        policy["default-src"],
        policy["frame-ancestors"],
        policy.get("script-src"),
    )
    assert ("DENY", "nosniff", "same-origin", "no-referrer", "no-store") == (
        told["x-frame-options"],
        told["x-content-type-options"],
        told["cross-origin-resource-policy"],
        told["referrer-policy"],
        told["cache-control"],
    )


@pytest.mark.parametrize("name", ["dump", "keys", "openapi.json", "nothing"])
def test_headers_of_the_control_plane(served, name):
    """What it tells is JSON, for nobody's script, and kept by no browser."""
    told = {name.lower(): value for name, value in asked(served, f"/_sandbox/{name}")[1].items()}
    assert ("nosniff", "same-origin", "no-store") == (
        told["x-content-type-options"],
        told["cross-origin-resource-policy"],
        told["cache-control"],
    )


def test_served_by_name():
    """A sandbox served under a name answers to that name."""
    with run_sandbox() as ready:
        address = ready["baseUrl"].removeprefix("http://")
        with closing(http.client.HTTPConnection(address)) as connection:
            connection.request("GET", "/_sandbox/clock")
            assert 200 == connection.getresponse().status
