"""One reading of an address."""

import pytest

from lmssync.support.hosts import NoHost, Site, parse_site


@pytest.mark.parametrize(
    ("address", "url", "name"),
    [
        ("https://Learning.Example.COM.", "https://learning.example.com", "learning.example.com"),
        ("HTTPS://h:443/a/b/", "https://h/a/b", "h"),
        ("https://h:8443", "https://h:8443", "h:8443"),
        ("http://h", "http://h", "h:80"),
        ("http://h:443", "http://h:443", "h:443"),
        ("https://MÜLLER.example", "https://xn--mller-kva.example", "xn--mller-kva.example"),
        ("http://[0:0::1]:8800", "http://[::1]:8800", "[::1]:8800"),
        ("http://localhost\u3002example.com", "http://localhost.example.com", None),
    ],
)
def test_an_address_has_one_spelling(address: str, url: str, name: str | None):
    """Case, the dot at the end, the usual port, letters of other scripts."""
    found = parse_site(address)
    assert url == found.url
    assert name in {None, found.name}


@pytest.mark.parametrize(
    "address",
    [
        "",
        "h",
        "ftp://h",
        "http\u017f://h",
        "http://",
        "http:///h",
        "http:/h",
        "http://a b",
        "http://h\n",
        "http://h/\udcff",
        "http://h:0",
        "http://h:65536",
        "http://h:x",
        "http://h:",
        "http://u@h",
        "http://127.0.0.1@evil.example/",
        "http://127.0.0.1\\@evil.example/",
        "http://127.0.0.1%2f@evil.example",
        "http://evil.example?127.0.0.1",
        "http://evil.example#127.0.0.1",
        "http://evil.example\\.127.0.0.1",
        "http://127.1",
        "http://2130706433",
        "http://0x7f000001",
        "http://0177.0.0.1",
        "http://1.2.3.4.5",
        "http://127.0.0.256",
        "http://\uff11\uff12\uff17.0.0.1",
        "http://[::1",
        "http://[::1]x",
        "http://[fe80::1%25eth0]",
        "http://[127.0.0.1]",
        "http://-h",
        "http://a..b",
        f"http://{'a' * 64}.example",
    ],
)
def test_what_is_read_in_different_ways_is_no_address(address: str):
    """Nor what names no host at all."""
    with pytest.raises(NoHost):
        parse_site(address)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.255.0.9", True),
        ("localhost", True),
        ("LOCALHOST.", True),
        ("[::1]", True),
        ("128.0.0.1", False),
        ("0.0.0.0", False),
        ("[::]", False),
        ("[::ffff:127.0.0.1]", False),
        ("[::ffff:7f00:1]", False),
        ("localhost.example.com", False),
        ("127.0.0.1.example.com", False),
        ("x.localhost", False),
        ("xn--localhost-", False),
    ],
)
def test_loopback_is_this_machine_and_nothing_like_it(host: str, expected: bool):
    """A name that a server elsewhere could answer for is not."""
    try:
        found = parse_site(f"http://{host}:8800")
    except NoHost:
        found = Site("http", host, 8800)
    assert expected is found.is_loopback
