"""Checks addresses: which the platform can use, and which it probably cannot fetch."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

from ...problems import Finding, Rule, warning_rule
from ...resource import Path
from .html_elements import REMEDY, is_local
from .text_characters import check_clean, find_odd_characters, path_name
from .text_roles import Role, refusal_error, show_text

NOT_A_URL = Rule(
    "url",
    "The value is not an http or https address.",
    "Write the full address. No route takes a file: upload it in the admin interface, or put "
    "it on a web server.",
    wrong="asset: tile.png",
    right="asset: https://media.example.com/tile.png",
)
URL_PRIVATE = warning_rule(
    "url-private",
    "The platform cannot fetch the file: the address works only in your own network.",
    "Put it where everyone can fetch it.",
    wrong="asset: http://files.local/tile.png",
    right="asset: https://media.example.com/tile.png",
)
URL_SECRET = warning_rule(
    "url-secret",
    "An address contains a password, a key or a signature.",
    "Use an address that needs none: everyone who can read the repository can read this one.",
    wrong="asset: https://me:secret@media.example.com/tile.png",
    right="asset: https://media.example.com/tile.png",
)
URL_ENDING = warning_rule(
    "url-ending",
    "The address ends like that of a file of another type.",
    "Use the address of the file itself: PNG, JPEG or GIF for pictures, .zip for packages.",
    source="spec 2.2",
    wrong="asset: https://media.example.com/tile.pdf",
    right="asset: https://media.example.com/tile.png",
)


LENGTH_MOST = 8_192
"""No server is known to read a longer one."""
_SCHEME = re.compile(r"https?:", re.IGNORECASE)
_START = re.compile(r"https?://[^\s/]+", re.IGNORECASE)
_USER = re.compile(r"(?<=//)[^/?#\s]*@")
# An address of IPv6 in brackets, or labels with dots between them. Names with letters beyond ASCII
# pass: whoever fetches the address encodes them.
_HOST = re.compile(r"\[[0-9A-Fa-f:.]+\]|(?!\.)[^\s.:/?#@\[\]]+(\.[^\s.:/?#@\[\]]+)*\.?")
_NAME = re.compile(r"[\w-]+(\.[\w-]+)+([:/?#]|$)")
_FILE = re.compile(r"[^/]*\.(png|jpe?g|gif|svg|webp|zip|pdf|mp4|mov|html?|md)", re.IGNORECASE)
_WRONG = re.compile(r"\s|[<>\"\\]|\{\{|\}\}|\$\{")
_GIVE_ACCESS = """
    access_token api_key apikey password secret sig signature token x-amz-signature x-goog-signature
"""
_SECRETS = frozenset(_GIVE_ACCESS.split())
"""Parameters of a query that give access for a time to anyone who knows them."""
_NOT_PUBLIC = ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp")
_ENDING = re.compile(r"\.([A-Za-z][A-Za-z0-9]{1,4})$")
_ENDINGS = {
    Role.IMAGE: ({"png", "jpg", "jpeg", "gif"}, "a PNG, JPEG or GIF"),
    Role.PACKAGE: ({"zip"}, "a package ending in .zip"),
    Role.PDF: ({"pdf"}, "a PDF"),
}
_PAGES = frozenset({"htm", "html", "php", "asp", "aspx", "jsp", "md"})
FETCHED_ROLES = frozenset({Role.IMAGE, Role.POSTER, Role.PACKAGE, Role.PDF, Role.VIDEO})


def check_url_text(text: str) -> str:
    """`text`, if it is an http or https address with a host."""
    if mistaken := _find_wrong(check_clean(text)):
        wrong, hint = mistaken
        raise refusal_error(NOT_A_URL, f"is `{_show_url(text)}`, which {wrong}", hint)
    return text


def _find_wrong(text: str) -> tuple[str, str] | None:
    """What is wrong with an address, and what to do; None if nothing is."""
    if not text.strip():
        return "is empty", "write the full address, or delete the field"
    if not _START.match(text.strip()):
        return "is not an http or https address", _url_remedy(text.strip())
    if len(text) > LENGTH_MOST:
        return f"has {len(text):,} characters; an address has {LENGTH_MOST:,} at most", "shorten it"
    if refused := _WRONG.search(text):
        return _holds_wrong(refused[0])
    hint = "copy the address from a browser"
    return None if _has_host(text) else ("does not have a valid host or port", hint)


def _has_host(text: str) -> bool:
    try:
        parts = urlsplit(text)
        host = parts.netloc.rpartition("@")[2]
        # `urlsplit` reads a port only when it is asked for it, and raises `ValueError` then. What
        # is left after a colon without a number is cut off below.
        if parts.port is not None:
            host = host.rpartition(":")[0]
    except ValueError:
        return False
    return bool(_HOST.fullmatch(host.removesuffix(":")))


def _holds_wrong(wrong: str) -> tuple[str, str]:
    if wrong.isspace():
        return "has a space in it", "delete it, or write %20 if it belongs to a name"
    if wrong in {"{{", "}}", "${"}:
        hint = "only files named `.yaml.j2` are templates; write the address out here"
        return "still has a placeholder in it", hint
    if wrong == "\\":
        return "has a backslash in it", "use forward slashes: /"
    return f"has the character {wrong} in it", f"write %{ord(wrong):02X} in its place"


def _url_remedy(text: str) -> str:
    """How to write what was probably meant."""
    if text.startswith("//"):
        return f"write https:{_show_url(text)}"
    if _SCHEME.match(text):
        return "write two slashes and a host: https://example.com/..."
    if _NAME.match(text) and not _FILE.fullmatch(text):
        return f"write https://{_show_url(text)}"
    return REMEDY if is_local(text) else "write the full address; it begins with https://"


def _show_url(text: str) -> str:
    """An address fit for a message, without a password."""
    return show_text(_USER.sub("...@", text))


def check_url(path: Path, text: str, role: Role) -> Iterator[Finding]:
    """Finds what may be wrong with a well-formed address."""
    parts = urlsplit(text)
    name = path_name(path)
    yield from find_odd_characters(path, text)
    yield from _find_secret(path, name, text, parts.query)
    if role not in FETCHED_ROLES:
        return
    if not is_public_host(parts.hostname or ""):
        message = f"`{name}` is at `{parts.hostname}`, which only your own network can reach"
        yield URL_PRIVATE.at(path, message, "put the file where the platform can fetch it")
    yield from _check_ending(path, name, parts.path, role, known=not parts.query)


def _find_secret(path: Path, name: str, text: str, query: str) -> Iterator[Finding]:
    keys = (key for key, _ in parse_qsl(query, keep_blank_values=True))
    if _USER.search(text):
        yield URL_SECRET.at(path, f"`{name}` contains a user name or password")
    elif secret := next((key for key in keys if key.lower() in _SECRETS), None):
        message = f"`{name}` contains the secret `{secret}`, which may also expire"
        yield URL_SECRET.at(path, message)


def is_public_host(host: str) -> bool:
    """False for what only a machine or a network itself can reach."""
    import ipaddress  # few manifests have an address that the platform fetches

    try:
        # An address of IPv6 comes without its brackets here: `hostname` takes them off.
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return host.rstrip(".").rpartition(".")[2].lower() not in _NOT_PUBLIC


def _check_ending(
    path: Path, name: str, file: str, role: Role, *, known: bool
) -> Iterator[Finding]:
    """Finds an ending that names another type than the address needs."""
    match = _ENDING.search(file)
    ending = match[1].lower() if match else ""
    allowed, words = _ENDINGS.get(role, (set(), "the file itself"))
    if ending in allowed or (not ending and not (role is Role.PACKAGE and known)):
        return
    if not allowed and ending not in _PAGES:
        return
    yield URL_ENDING.at(
        path,
        f"`{name}` {f'ends in `.{ending}`' if ending else 'has no ending'}; it should be {words}",
        "use the address of the file itself, not of a page about it"
        if ending in _PAGES
        else "check the address",
    )
