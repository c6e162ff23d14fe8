"""The key for the host of an environment, or the error that explains why there is none."""

from collections.abc import Mapping
from pathlib import Path

from ..errors import WrongUse
from ..hosts import Site
from ..settings import BASE_URL, PLAN_KEY, Environment
from .bindings import VARIABLE, bindings
from .own_file import own_key


def key(environment: Environment, env: Mapping[str, str], root: Path) -> str:
    """The API key for `environment`; raises `WrongUse` if there is none, or none for its host.

    A key in a variable goes to this machine, to the host that LMSSYNC_BASE_URL names, and to those
    that LMSSYNC_KEY_HOSTS names. Else the person's own file decides.
    """
    site, name = environment.site, environment.apiKey.env
    if name == PLAN_KEY:
        raise WrongUse(
            f"`apiKey` names {PLAN_KEY}, which signs plans and is sent to nobody",
            "name the variable that holds the API key",
        )
    given = env.get(name, "")
    if given and _belongs(site, name, env):
        return _whole(name, given)
    own = own_key(site, env, root)
    if own and own.key:
        return _whole(f"your file for {site.name}", own.key)
    if own and own.env:
        name, given = own.env, env.get(own.env, "")
    if not given:
        raise WrongUse(f"the environment variable {name} is not set", _wanted(site, name))
    if own:
        return _whole(name, given)
    raise _withheld(site, name, env)


def _wanted(site: Site, name: str) -> str:
    if site.is_loopback:
        return f"export {name}=KEY; `lmssync sandbox serve` prints the key of a sandbox"
    return "it holds the API key of the platform; `export` it, or set LMSSYNC_API_KEY"


def _belongs(site: Site, name: str, env: Mapping[str, str]) -> bool:
    if site.is_loopback or env.get(BASE_URL):
        return True
    return any(binding.fits(site, name) for binding in bindings(env))


def _withheld(site: Site, name: str, env: Mapping[str, str]) -> WrongUse:
    hosts = [*env.get(VARIABLE, "").replace(",", " ").split(), site.name]
    value = f"'{' '.join(hosts)}'" if len(hosts) > 1 else hosts[0]
    return WrongUse(
        f"only lmssync.yaml says that the key in {name} is for {site.name}, so it was not sent",
        f"a pull request can change lmssync.yaml; if the host is right: export {VARIABLE}={value}",
    )


def _whole(where: str, value: str) -> str:
    """The key, if it can stand in a header."""
    if not (value.isascii() and value.isprintable()):
        raise WrongUse(
            f"the key of {where} holds a line break or a character that no key has",
            "copy the key again; a key is one line of plain characters",
        )
    return value
