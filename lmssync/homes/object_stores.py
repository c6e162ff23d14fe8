"""Opens an object store by its URL, with the credentials of the usual variables of its cloud."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from obstore.exceptions import BaseError
from obstore.store import ObjectStore, from_url

from ..errors import WrongUse
from ..hosts import NoHost, site
from ..secrets import redact, register
from ..visible import visible
from .bucket import Bucket
from .objects import Objects

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig

_EXAMPLE = "it is written like s3://bucket/prefix; gs:// and az:// have the same parts"
_VARIABLES = "set the variables of its cloud (AWS_..., GOOGLE_... or AZURE_...): see docs/state.md"
_ENDPOINTS = {
    "s3": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
    "gs": ("GOOGLE_BASE_URL",),
    "az": ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"),
}
_ALLOWS_HTTP = {"s3": "AWS_ALLOW_HTTP", "gs": "GOOGLE_ALLOW_HTTP", "az": "AZURE_ALLOW_HTTP"}
_CLOUDS = ("AWS_", "GOOGLE_", "AZURE_")
_SECRETS = ("SECRET", "KEY", "TOKEN", "SAS", "PASSWORD")
_CLIENT: "ClientConfig" = {"connect_timeout": "10s", "timeout": "120s"}
_RETRIES: "RetryConfig" = {"max_retries": 4, "retry_timeout": timedelta(seconds=60)}


def connect(url: str, environment: str, env: Mapping[str, str]) -> Objects:
    """The log below `PREFIX/NAME` of a bucket; `NAME` stands after `#`, or is the environment."""
    parts = urlsplit(url)
    if not parts.hostname or parts.username or parts.query:
        raise WrongUse("the address of the state has no bucket, or more than that", _EXAMPLE)
    _hide(env)
    bucket = f"{parts.scheme}://{parts.netloc}"
    name = unquote(parts.fragment) or environment
    prefix = "/".join(part for part in (*parts.path.split("/"), name) if part)
    store = _store(bucket, _client(parts.scheme, env))
    return Objects(Bucket(store, prefix, visible(f"{bucket}/{prefix}")))


def _store(bucket: str, client: "ClientConfig") -> ObjectStore:
    try:
        return from_url(bucket, client_options=client, retry_config=_RETRIES)
    except (BaseError, ValueError) as error:
        reason = visible(redact(str(error).partition("\n")[0]))
        raise WrongUse(f"{bucket} cannot be opened: {reason}", _VARIABLES) from None


def _client(scheme: str, env: Mapping[str, str]) -> "ClientConfig":
    """So that nobody reads along, http is for this machine, unless the cloud's variable allows it.

    Raises `WrongUse` where the address of the store is another.
    """
    set_ones = (name for name in _ENDPOINTS[scheme] if env.get(name))
    if (name := next(set_ones, None)) is None:
        return _CLIENT
    try:
        there = site(env[name])
    except NoHost as error:
        raise WrongUse(f"the address in {name} {error}") from None
    if there.is_clear and env.get(_ALLOWS_HTTP[scheme], "").lower() != "true":
        raise WrongUse(
            f"{name} is {there.url}, and everybody on the way could read and change the state",
            f"use https, or set {_ALLOWS_HTTP[scheme]}=true",
        )
    return {**_CLIENT, "allow_http": there.scheme == "http"}


def _hide(env: Mapping[str, str]) -> None:
    """What a store says may quote what it was asked with."""
    for name, value in env.items():
        if name.startswith(_CLOUDS) and any(word in name for word in _SECRETS):
            register(value)
