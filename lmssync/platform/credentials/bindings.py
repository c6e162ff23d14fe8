"""The hosts of keys, as `LMSSYNC_KEY_HOSTS` names them."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...errors import WrongUse
from ...support.hosts import NoHost, Site, parse_site

VARIABLE = "LMSSYNC_KEY_HOSTS"
_ENTRY = re.compile(r"((?P<key>[A-Za-z_][A-Za-z0-9_]*)=)?(?P<where>.+)")
_PORT = re.compile(r".*:[0-9]+")


class Binding(NamedTuple):
    """A host that a key may be sent to."""

    host: str
    port: int
    scheme: str = ""
    """Empty: whatever the address says. A host without a port is https at its usual one."""
    key: str = ""
    """The variable of the only key that may be sent there; empty: every key."""

    def fits_site(self, site: Site, key: str) -> bool:
        return (
            (self.host, self.port) == (site.host, site.port)
            and self.scheme in {"", site.scheme}
            and self.key in {"", key}
        )


def read_bindings(env: Mapping[str, str]) -> Iterator[Binding]:
    """The hosts in the variable; raises `WrongUse` for an entry that names no host."""
    for entry in re.split(r"[\s,]+", env.get(VARIABLE, "").strip(" \t\r\n,")):
        if entry:
            yield _parse_binding(entry)


def _parse_binding(entry: str) -> Binding:
    match = _ENTRY.fullmatch(entry)
    try:
        return bind_host(match["where"], match["key"] or "") if match else bind_host("")
    except NoHost as wrong:
        shown = f" `{entry}`" if "@" not in entry else ""
        raise WrongUse(
            f"{VARIABLE} has an entry{shown} that {wrong}",
            f"write hosts with a space between them: {VARIABLE}='learning.example.com "
            "staging.example.com:8443'",
        ) from None


def bind_host(where: str, key: str = "") -> Binding:
    """The binding to `host`, `host:port` or a whole address; raises `NoHost`."""
    whole = "://" in where
    there = parse_site(where if whole else f"https://{where}")
    open_scheme = not whole and _PORT.fullmatch(where)
    return Binding(there.host, there.port, "" if open_scheme else there.scheme, key)
