"""`postgresql://host/database?schema=lmssync#name` taken apart; what else is in it is libpq's."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

import psycopg
from psycopg.conninfo import conninfo_to_dict

from ...errors import WrongUse
from ...support.secrets import register_secret
from ...support.visible import escape_invisible
from .postgresql import PostgresqlBackend
from .postgresql_session import Session

_EXAMPLE = "it is written like postgresql://host/database?sslmode=verify-full&schema=lmssync#name"
_DEFAULTS = (
    ("PGCONNECT_TIMEOUT", "connect_timeout", 10),
    ("PGAPPNAME", "application_name", "lmssync"),
)


def connect_postgresql(url: str, environment: str, env: Mapping[str, str]) -> PostgresqlBackend:
    """The log of the state that is named after `#`, or of that of the environment.

    Nothing is asked before it is read or appended to. What the address leaves open, libpq takes
    from its variables and from `~/.pgpass`.
    """
    address, _, name = url.partition("#")  # a URL of libpq may have no host
    if "@" in name:
        raise WrongUse(
            "a `#` in the address of the state begins its name", "in a password it is %23"
        )
    address, schema = _without_schema(address)
    given = _connection_parameters(address)
    for word in (given.get("password"), given.get("sslpassword"), env.get("PGPASSWORD")):
        register_secret(word or "")
    state = unquote(name) or environment
    missing = {option: value for variable, option, value in _DEFAULTS if variable not in env}
    return PostgresqlBackend(Session({**missing, **given}), state, schema, _place_of(given, state))


def _without_schema(address: str) -> tuple[str, str | None]:
    head, _, query = address.partition("?")
    options = [option for option in query.split("&") if option]
    schemas = [option for option in options if option.startswith("schema=")]
    rest = "&".join(option for option in options if option not in schemas)
    schema = unquote(schemas[-1].removeprefix("schema=")) if schemas else None
    return f"{head}?{rest}" if rest else head, schema


def _connection_parameters(address: str) -> dict[str, Any]:
    try:
        return conninfo_to_dict(address)
    except psycopg.ProgrammingError as error:
        # libpq quotes the address where it cannot read it, and nobody knows what is a password.
        reason = str(error).strip() if "query parameter" in str(error) else "it cannot be read"
        raise WrongUse(
            f"the address of the state is wrong: {escape_invisible(reason)}", _EXAMPLE
        ) from None


def _place_of(given: Mapping[str, Any], state: str) -> str:
    host = ":".join(str(given[part]) for part in ("host", "port") if part in given)
    shown = "" if host.startswith("/") else host
    return escape_invisible(f"postgresql://{shown}/{given.get('dbname', '')}#{state}")
