"""Which host an address leads to: keys and requests use the same reading of it.

Programs differ in how they read an unusual address, and a key that is checked for one host must
not travel to another. So only what all of them read alike is an address here, and requests go to
the spelling that was checked.
"""

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address
from typing import NamedTuple

PORTS = {"https": 443, "http": 80}
_ADDRESS = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\x00-\x20\x7f\s/:@?#\\\[\]%]+)"
    r"(:(?P<port>[0-9]{1,5}))?"
    r"(?P<below>/[^\x00-\x20\x7f\s?#\\\ud800-\udfff]*)?",
    re.IGNORECASE | re.ASCII,
)
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LENGTH_MOST, _PORT_MOST = 253, 65_535
_LOOPBACK = IPv4Network("127.0.0.0/8")


class NoHost(ValueError):
    """The address is invalid, or programs read it in different ways; the message says why."""


class Site(NamedTuple):
    """The address that requests go to, taken apart, every part in its one spelling."""

    scheme: str
    host: str
    """In small ASCII letters, without a dot at its end; IPv6 without brackets."""
    port: int
    path: str = ""

    @property
    def name(self) -> str:
        """Host and port; no port for https at its usual one."""
        usual = (self.scheme, self.port) == ("https", PORTS["https"])
        return self._bracketed_host if usual else f"{self._bracketed_host}:{self.port}"

    @property
    def url(self) -> str:
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self._bracketed_host}{port}{self.path}"

    @property
    def origin(self) -> "Site":
        """The address without its path: keys are bound to that."""
        return self._replace(path="")

    @property
    def _bracketed_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def is_loopback(self) -> bool:
        """True for this very machine: nothing sent there goes over a network."""
        if self.host in {"localhost", "::1"}:
            return True
        return _ends_in_a_number(self.host) and IPv4Address(self.host) in _LOOPBACK

    @property
    def is_clear(self) -> bool:
        """True if others on the network can read along."""
        return self.scheme == "http" and not self.is_loopback


def parse_site(address: str) -> Site:
    """The parts of an http or https address; raises `NoHost`."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise NoHost(_why_not(address))
    scheme = found["scheme"].lower()
    port = int(found["port"] or PORTS[scheme])
    if not 0 < port <= _PORT_MOST:
        raise NoHost("has an impossible port")
    return Site(scheme, _spell_host(found["host"]), port, (found["below"] or "").rstrip("/"))


def _why_not(address: str) -> str:
    if re.match(r"[^/?#]*[/\\]*[^/?#]*@", address):
        return "contains a user or a password"
    if re.match(r"https?://[^\s?#]+[?#]", address, re.IGNORECASE):
        return "has a `?` or a `#` in it"
    return "is not an http or https address"


def _spell_host(host: str) -> str:
    """The one spelling of a host."""
    try:
        if host.startswith("["):
            return str(IPv6Address(host[1:-1]))
        name = (host if host.isascii() else _ascii_host(host)).lower().removesuffix(".")
        if _ends_in_a_number(name):  # 127.1 and 2130706433 are read in different ways
            return str(IPv4Address(name))
    except ValueError:
        raise NoHost("has no valid host name") from None
    if len(name) > _LENGTH_MOST or not all(map(_LABEL.fullmatch, name.split("."))):
        raise NoHost("has no valid host name")
    return name


def _ends_in_a_number(name: str) -> bool:
    return bool(_NUMBER.fullmatch(name.rpartition(".")[2]))


def _ascii_host(host: str) -> str:
    import idna  # most hosts are ASCII

    return idna.encode(host.lower()).decode("ascii")
