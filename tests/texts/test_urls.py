"""Addresses: refused, taken, and taken with a warning."""

import pytest
from hypothesis import given, strategies as st

from lmssync.kinds import field_types as types
from lmssync.problems import Finding
from lmssync.texts.values import web_addresses
from lmssync.texts.values.html_elements import REMEDY
from lmssync.texts.values.text_roles import Role
from tests.kinds.test_types import refused, taken

WHOLE = "write the full address; it begins with https://"


@pytest.mark.parametrize(
    "text",
    [
        "https://media.example.com/a.png",
        "HTTPS://A.EXAMPLE",
        "http://a.example:8080/x?y=z&a[]=b#top",
        "https://user:secret@a.example/",
        "https://[2001:db8::1]/a",
        "https://größe.example/straße.png",
        "https://a_b.example./x;y,z'(w)!*|^",
        "https://x",
        "https://a.example/" + "x" * (web_addresses.LENGTH_MOST - len("https://a.example/")),
    ],
)
def test_addresses_are_kept(text: str):
    """Byte for byte: nothing is escaped and no slash is added."""
    assert text == taken(types.Url, text)


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("", "is empty", "write the full address, or delete the field"),
        ("ftp://x", "is not an http or https address", WHOLE),
        ("data:image/png;base64,x", "is not an http or https address", WHOLE),
        ("file:///a", "is not an http or https address", WHOLE),
        ("a.png", "is not an http or https address", REMEDY),
        ("media/a.PNG", "is not an http or https address", REMEDY),
        ("../films/tour.mp4", "is not an http or https address", REMEDY),
        ("C:\\tour.zip", "is not an http or https address", REMEDY),
        ("file:///home/ana/a.pdf", "is not an http or https address", REMEDY),
        ("ftp://example.com/a.png", "is not an http or https address", WHOLE),
        ("a.example:80", "is not an http or https address", "write https://a.example:80"),
        (
            "www.example.com/a",
            "is not an http or https address",
            "write https://www.example.com/a",
        ),
        ("//a.example/a", "is not an http or https address", "write https://a.example/a"),
        (
            "https:/a",
            "is not an http or https address",
            "write two slashes and a host: https://example.com/...",
        ),
        ("https://", "is not an http or https address", None),
        ("https:///a", "is not an http or https address", None),
        ("https://a b", "has a space in it", "delete it, or write %20 if it belongs to a name"),
        (" https://a", "has a space in it", "delete it, or write %20 if it belongs to a name"),
        ("https://a\n", "has a space in it", "delete it, or write %20 if it belongs to a name"),
        ("https://a\u00a0b", "has a space in it", None),
        ("https://a/{{ x }}", "still has a placeholder in it", None),
        ("https://a/{{x}}", "still has a placeholder in it", None),
        ("https://a/${x}", "still has a placeholder in it", None),
        ("https://a\\b", "has a backslash in it", "use forward slashes: /"),
        ("https://a/<b>", "has the character < in it", "write %3C in its place"),
        ("https://a..b", "does not have a valid host or port", None),
        ("https://?x", "does not have a valid host or port", None),
        ("https://:80", "does not have a valid host or port", None),
        ("https://a:99999", "does not have a valid host or port", None),
        ("https://[::1", "does not have a valid host or port", None),
    ],
)
def test_what_is_no_address(text: str, said: str, hint: str | None):
    """Each mistake has words of its own, and a remedy where one can be guessed."""
    found = refused(types.Url, text)
    assert ("url", True) == (found["rule"].id, found["said"].endswith(f", which {said}"))
    assert hint in {None, found["hint"]}


def test_an_endless_address_is_refused():
    """No server reads it; the message does not show it."""
    found = refused(types.Url, "https://a.example/" + "x" * web_addresses.LENGTH_MOST)
    assert found["said"].endswith("has 8,210 characters; an address has 8,192 at most")
    assert len(found["said"]) < 150


def test_a_password_is_not_repeated():
    """What should not be in git need not be in a log as well."""
    assert "secret" not in refused(types.Url, "https://user:secret@a b")["said"]


def odd(text: str, role: Role = Role.IMAGE) -> list[Finding]:
    return list(web_addresses.check_url(("asset",), text, role))


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("https://media.example.com/a.png", Role.IMAGE),
        ("https://media.example.com/a.JPEG?width=800", Role.IMAGE),
        ("https://media.example.com/a", Role.IMAGE),
        ("https://media.example.com/v1.2/a", Role.IMAGE),
        ("http://8.8.8.8/a.gif", Role.IMAGE),
        ("https://localhost.example.com/a.gif", Role.IMAGE),
        ("https://media.example.com/a.zip", Role.PACKAGE),
        ("https://media.example.com/get?package=4", Role.PACKAGE),
        ("https://media.example.com/a.pdf", Role.PDF),
        ("https://media.example.com/get", Role.PDF),
        ("https://media.example.com/a.mov", Role.VIDEO),
        ("https://media.example.com/a.webp", Role.POSTER),
        ("http://localhost/a.html?key=4", Role.LINK),
    ],
)
def test_addresses_without_a_doubt(text: str, role: Role):
    """A link may lead anywhere; what is fetched has a public host and an ending that fits."""
    assert [] == odd(text, role)


@pytest.mark.parametrize(
    ("text", "role", "code"),
    [
        ("https://media.example.com/a.svg", Role.IMAGE, "url-ending"),
        ("https://media.example.com/a.webp", Role.IMAGE, "url-ending"),
        ("https://media.example.com/a.bmp?x=y", Role.IMAGE, "url-ending"),
        ("https://media.example.com/a", Role.PACKAGE, "url-ending"),
        ("https://media.example.com/a.html", Role.PACKAGE, "url-ending"),
        ("https://media.example.com/a.docx", Role.PDF, "url-ending"),
        ("https://media.example.com/watch.html", Role.VIDEO, "url-ending"),
        ("https://localhost/a.png", Role.IMAGE, "url-private"),
        ("https://LOCALHOST:8080/a.png", Role.IMAGE, "url-private"),
        ("https://127.0.0.1/a.png", Role.IMAGE, "url-private"),
        ("https://10.1.2.3/a.png", Role.IMAGE, "url-private"),
        ("https://192.168.0.1/a.zip", Role.PACKAGE, "url-private"),
        ("https://172.16.0.1/a.pdf", Role.PDF, "url-private"),
        ("https://[::1]/a.mp4", Role.VIDEO, "url-private"),
        ("https://[fd00::1]/a.png", Role.POSTER, "url-private"),
        ("https://files.corp/a.png", Role.IMAGE, "url-private"),
        ("https://user@media.example.com/a.png", Role.IMAGE, "url-secret"),
        ("https://user:pw@media.example.com/", Role.LINK, "url-secret"),
        ("https://media.example.com/a.png?Signature=x&Expires=1", Role.IMAGE, "url-secret"),
        ("https://media.example.com/?access_token=", Role.LINK, "url-secret"),
        ("https://media.example.com/a\u200b.png", Role.IMAGE, "invisible-character"),
    ],
)
def test_addresses_with_a_doubt(text: str, role: Role, code: str):
    """Each is taken, and told."""
    assert [code] == [finding.code for finding in odd(text, role)]


def test_a_secret_is_not_repeated():
    """The warning names the parameter and not what it holds."""
    (found,) = odd("https://media.example.com/a.png?token=hunter2")
    assert "`asset` contains the secret `token`, which may also expire" == found.message
    assert "hunter2" not in found.message + found.hint


@given(st.text("htps:/.@[]?#%{}<>\\ a1\n", max_size=30).map("https://{}".format))
def test_any_address_gets_an_answer(text: str):
    """Refused with words, or taken and looked at."""
    try:
        web_addresses.check_url_text(text)
    except ValueError:
        return
    assert all(
        finding.message for role in Role for finding in web_addresses.check_url(("a",), text, role)
    )
