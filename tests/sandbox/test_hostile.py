"""Hostile input over every route: always an answer of the platform's shape, never a failure."""

import http.client
import json
import socket
from itertools import repeat
from pathlib import Path

import pytest

from lmssync.sandbox.control.control_plane import COMMANDS
from lmssync.sandbox.http_messages import BODY_MOST
from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.routes import ROUTES

from .. import patient_http
from .process import memory, serving

NAMES = sorted(HANDLERS)
WRITES = [name for name in NAMES if not ROUTES[name].reads]
READS = [name for name in NAMES if ROUTES[name].reads]
JSON = "application/json"
IN_A_PATH = [
    *("..%2f..%2fetc%2fpasswd", "%2e%2e", "%00", "%ff%fe", "%ED%A0%80", "%", "%zz", "%2F", "a/b"),
    *("'%20OR%201=1", "%F0%9F%98%80", "-1", "9" * 400, "a" * 5000, "%0d%0aX:%20y", ";", "//"),
    *(
        "{id}",
        "null",
        "00000000-0000-0000-0000-000000000000",
        "7D1C0000-0000-4000-8000-000000000301",
    ),
]
PARAMETERS = [
    *("cursor", "perPage", "page", "limit", "sort", "query", "search", "filters", "filters[label]"),
    *("tagIds", "assetType", "updatedAfter", "startDate", "endDate", "types[]", "kind", "jwt"),
    *("notifiableId", "userId", "archived"),
]
IN_A_QUERY = [
    *("%", "%ff%fe", "%00", "%ED%A0%80", "%u0041", "a" * 5000, "9" * 400, "-1", "0", "1e9", "NaN"),
    *("[]", "{", '{"label":[[]]}', "%27%22%3B--", "%F0%9F%98%80", "", "&&&==", "0x10", "1_0", "٣"),
]
DEEP = 200
BODIES = [
    *(b"[" * 100_000, b'{"a":' * 100_000, b"nul", b"NaN", b"\x00", b"\xef\xbb\xbf{}", b"{}\x00"),
    *(b'"text"', b"7", b"[]", b"null", b'{"a":1e999}', b'{"a":' + b"9" * 5_000 + b"}"),
    *(b'{"a":"\\ud800"}', b'{"a":"\xed\xa0\x80"}', b'{"\\u0000":1}', b"\xff\xfe{\x00}\x00"),
    b'{"courseAttributes":[],"courseAttributes":{}}',
    b'{"courseAttributes":' + b"[" * DEEP + b"]" * DEEP + b"}",
    b'{"users":[{"id":"\\u0000"}],"criteria":[[]],"name":{},"slug":[],"label":{},"userId":[]}',
    b'{"courseAttributes":[{"title":{},"kind":[],"sections":{"a":1},"priceInCents":1e300}]}',
    b'{"clientId":9223372036854775808,"name":-9223372036854775809,"seatsLimit":18446744073709551615}',
]


def quoted(text):
    return text.encode().decode("latin-1") if not text.isascii() else text


def exchange(platform, method, target, *, body=None, kind=JSON, key=True):
    """Status, content type and body of one request whose target is sent as it is."""
    address = platform.ready["baseUrl"].removeprefix("http://")
    connection = http.client.HTTPConnection(address, timeout=300)
    connection._encode_request = lambda request: request.encode("latin-1")
    connection._validate_path = lambda _url: None
    headers = {"Content-Type": kind} if kind else {}
    if key:
        headers["Authorization"] = f"Bearer {platform.key}"
    try:
        connection.request(method, target, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader("content-type"), answer.read()
    finally:
        connection.close()


def wrong(status, kind, content):
    """What is wrong with an answer; None if it has the platform's shape."""
    if status >= 500:
        return f"{status}: {content[:300]!r}"
    if not content:
        return None if status < 400 or status == 401 else f"{status} without a word"
    if kind != JSON:
        return f"{status} of type {kind}"
    return None if status < 400 or _is_envelope(json.loads(content)) else content


def _is_envelope(body):
    if "errors" in body:
        listed = body["errors"]
        return bool(listed) and (
            all(isinstance(error, str) for error in listed)
            or all(list(error) == ["message"] for error in listed)
        )
    return "message" in body if "code" in body else isinstance(body.get("error"), str)


def target_of(name, value="x"):
    path = ROUTES[name].path
    for parameter in ("{id}", "{lessonId}", "{contentId}", "{slug}", "{kind}"):
        path = path.replace(parameter, value)
    return path


@pytest.mark.parametrize("name", NAMES)
def test_paths(platform, name):
    """Encoded slashes, dots, NULs, surrogates and long ids in the place of every parameter."""
    method = ROUTES[name].method
    body = None if ROUTES[name].reads else b"{}"
    found = {
        value: wrong(*exchange(platform, method, target_of(name, quoted(value)), body=body))
        for value in IN_A_PATH
    }
    assert {} == {value: said for value, said in found.items() if said}


@pytest.mark.parametrize("name", READS)
def test_queries(platform, name):
    """Bad encodings, huge numbers and wrong types in every parameter that some route has."""
    pairs = [(parameter, value) for parameter in PARAMETERS for value in IN_A_QUERY]
    texts = ["&".join(f"{p}={v}" for p, v in pairs if v == value) for value in IN_A_QUERY]
    texts += [f"{parameter}={value}" for parameter, value in pairs[:: len(IN_A_QUERY) // 3]]
    found = {
        text: wrong(*exchange(platform, "GET", f"{target_of(name)}?{quoted(text)}"))
        for text in texts
    }
    assert {} == {text: said for text, said in found.items() if said}


@pytest.mark.parametrize("name", WRITES)
def test_bodies(platform, name):
    """Nesting, NULs, surrogates, doubled keys, numbers without end, other encodings."""
    method, target = ROUTES[name].method, target_of(name)
    found = {body: wrong(*exchange(platform, method, target, body=body)) for body in BODIES}
    assert {} == {body[:60]: said for body, said in found.items() if said}


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "multipart/form-data", ""])
def test_content_types(platform, kind):
    """Whatever a body is said to be, every route that takes one answers 415 (spec 4 json)."""
    said = {
        exchange(platform, ROUTES[name].method, target_of(name), body=b"{}", kind=kind)[0]
        for name in WRITES
    }
    assert {415} == said


@pytest.mark.parametrize("name", NAMES)
def test_without_a_key_nothing_is_told(platform, name):
    """Nonsense without a key is 401 on every route (spec 5 401)."""
    method, target = ROUTES[name].method, target_of(name, "%00")
    body = None if ROUTES[name].reads else b"[" * 1000
    status, kind, content = exchange(platform, method, target, body=body, key=False)
    assert (401, None) == (status, wrong(status, kind, content))


@pytest.mark.parametrize("order", sorted(COMMANDS))
def test_orders(platform, order):
    """The control plane answers nonsense with words too."""
    found = {
        body: wrong(*exchange(platform, "POST", f"/_sandbox/{order}", body=body)) for body in BODIES
    }
    platform.http.delete("/_sandbox/faults")
    assert {} == {body[:60]: said for body, said in found.items() if said}


@pytest.mark.parametrize(
    "target",
    [
        *(
            "/incoming/v2/..%2fping",
            "//incoming/v2/ping",
            "/incoming//v2/ping",
            "/incoming/v2/ping/",
        ),
        *("/incoming/v2/./ping", "/INCOMING/v2/ping", "/v3/../incoming/v2/ping", "*", "/" * 3000),
        *("/_sandbox/..%2f..", "/v3/%00", "/incoming/v2", "/incoming/v2/events/%6eothing"),
    ],
)
def test_tricks_lead_nowhere(platform, target):
    """A path is taken as it stands: no dots, slashes or cases are made right (spec 7 404)."""
    status, kind, content = exchange(platform, "GET", target)
    assert (404, None) == (status, wrong(status, kind, content))


@pytest.mark.parametrize(
    "head",
    [
        b"GET /incoming/v2/ping?" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\n\r\n",
        b"POST /incoming/v2/licenses HTTP/1.1\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n",
        b"POST /incoming/v2/licenses HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"NONSENSE\r\n\r\n",
    ],
)
def test_what_is_no_http_is_400(platform, head):
    """A request that is not HTTP gets the general envelope and a closed connection (spec 7 C)."""
    host, _, port = platform.ready["baseUrl"].removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=300) as peer:
        peer.sendall(head)
        answer = http.client.HTTPResponse(peer)
        answer.begin()
        body = json.loads(answer.read())
    assert (400, "bad_request") == (answer.status, body["error"])


@pytest.mark.parametrize("name", WRITES)
def test_too_large_a_body_is_refused_before_it_is_sent(platform, name):
    """A 413 comes from the declared length alone."""
    host, _, port = platform.ready["baseUrl"].removeprefix("http://").partition(":")
    head = f"{ROUTES[name].method} {target_of(name)} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    head += f"Content-Type: {JSON}\r\nContent-Length: {BODY_MOST + 1}\r\n"
    head += f"Authorization: Bearer {platform.key}\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=300) as peer:
        peer.sendall(head.encode())
        answer = http.client.HTTPResponse(peer)
        answer.begin()
        status, kind, content = answer.status, answer.getheader("content-type"), answer.read()
    assert (413, None) == (status, wrong(status, kind, content))


def test_doubled_key_is_taken_once(platform):
    """Of two values for one key the last counts, in one reading for all rules."""
    entry = '{"title": "First", "title": "Last", "kind": "microCourse", "kind": "courseGroup"}'
    body = f'{{"courseAttributes": [{entry}]}}'.encode()
    status, _, content = exchange(platform, "POST", target_of("course.create"), body=body)
    course = platform.read(json.loads(content)["courseIds"][0])
    assert (200, "Last", []) == (status, course["title"], course["sections"])


def test_long_paths_are_logged_in_part(platform):
    """The log of requests does not grow with long paths."""
    exchange(platform, "GET", "/" + "a" * 60_000)
    newest = platform.control("requests", limit="1")["requests"][-1]
    assert 2_000 == len(newest["path"])


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_hundred_megabytes_leave_no_trace(tmp_path):
    """A body that is refused for its length is neither kept nor read."""
    with (
        serving(tmp_path) as (server, ready),
        patient_http.client(base_url=ready["baseUrl"]) as http,
    ):
        http.headers.update({"Authorization": f"Bearer {ready['apiKey']}", "Content-Type": JSON})
        before = memory(server)
        body = b" " * 100 * 1024 * 1024
        statuses = [
            http.request(ROUTES[name].method, target_of(name), content=body).status_code
            for name in WRITES[:1]
        ]
        after = memory(server)
    assert ([413], True) == (statuses, after - before < 10)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_endless_body_is_cut_off(tmp_path):
    """A body that does not say its length is read to the limit and no further."""
    with serving(tmp_path) as (server, ready):
        before = memory(server)
        content = repeat(b" " * 1024 * 1024, 200)
        answer = patient_http.post(
            ready["baseUrl"] + target_of("course.create"),
            content=content,
            headers={"Content-Type": JSON},
        )
        after = memory(server)
    assert (413, True) == (answer.status_code, after - before < BODY_MOST / 2**20 + 20)


VALUES = b'{"a":[' + b"[]," * 19_000_000 + b"[]]}"
"""Fifty-seven megabytes, for which a reader of JSON needs more than a gigabyte."""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize(
    ("key", "size", "status"),
    [("wrong", len(VALUES), 401), ("", len(VALUES), 413), ("", 8_000_000, 401)],
)
def test_a_body_without_a_valid_key_is_not_parsed(tmp_path, key, size, status):
    """A body is not even read before its key is known, unless the key can only stand in it."""
    headers = {"Content-Type": JSON} | ({"Authorization": f"Bearer {key}"} if key else {})
    with serving(tmp_path) as (server, ready):
        before = memory(server)
        url = ready["baseUrl"] + target_of("course.create")
        answer = patient_http.post(url, content=VALUES[:size], headers=headers)
        after = memory(server)
    assert (status, True) == (answer.status_code, after - before < size / 2**20 * 3 + 10)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_more_values_than_are_worth_making(tmp_path):
    """A body with too many values is refused before it fills the memory."""
    with serving(tmp_path) as (server, ready):
        before = memory(server)
        answer = patient_http.post(
            ready["baseUrl"] + target_of("course.create"),
            content=VALUES,
            headers={"Content-Type": JSON, "Authorization": f"Bearer {ready['apiKey']}"},
        )
        after = memory(server)
    assert (413, True) == (answer.status_code, after - before < len(VALUES) / 2**20 * 3 + 10)
    assert "holds too many values" in answer.text


def test_a_large_body_may_bring_its_key(platform):
    """A key inside a large body is found (spec 5)."""
    entry = {"title": "T", "kind": "courseGroup", "description": "x" * 9_000}
    body = {"courseAttributes": [entry] * 99, "secretKey": platform.key, "x": "y" * 10**6}
    answer = platform.http.post(target_of("course.create"), json=body)
    assert (400, True) == (answer.status_code, "description" in answer.text)


def test_a_request_for_a_token_is_short(platform):
    """A long request for a token is refused, since the caller is unknown (spec 5)."""
    form = {"grant_type": "client_credentials", "x": "y" * 100_000}
    assert 413 == platform.http.post("/oauth/token", data=form).status_code
