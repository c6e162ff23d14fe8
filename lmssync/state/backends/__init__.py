"""backends: where the log of a state is kept, so that a team and its pipelines share one state.

It keeps bytes under numbers and knows nothing of what is in them: see state. What speaks to a
backend is loaded where somebody asks for it.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from ...errors import WrongUse
from ...problems import suggest_near
from ...support.invisible_characters import UNSEEN, escape_invisible
from ...support.redaction import without_user
from .encrypted_backend import (
    EXTRA,
    EncryptedBackend,
    make_state_key as make_state_key,
    read_state_keys,
)
from .state_backend import (
    SharedState as SharedState,
    Snapshot as Snapshot,
    StateBackend as StateBackend,
)

ENVIRONMENT = "{environment}"
"""In a URL: the environment of the run."""


def open_backend(url: str, root: Path, environment: str, env: Mapping[str, str]) -> StateBackend:
    """The backend that a URL names: `git:origin#lmssync/{environment}`, `s3://bucket/prefix`.

    Nothing may have been asked of it when this returns. Raises `WrongUse` where the URL is none, or
    where what its scheme needs is not installed; other mistakes are `StateError`s.
    """
    scheme, colon, _ = url.partition(":")
    opened = _SCHEMES.get(scheme)
    if opened is None:
        raise WrongUse(
            _describe_unknown(url if not colon else f"{scheme}:"), suggest_near(scheme, _SCHEMES)
        )
    if UNSEEN.search(url):
        raise WrongUse(f"the address of the state, `{scheme}:...`, has invisible characters")
    keys = read_state_keys(env)
    try:
        backend = opened(url.replace(ENVIRONMENT, environment), root, environment, env)
    except ImportError as error:
        raise WrongUse(
            *_describe_missing(f"a state at `{scheme}:`", _EXTRAS[scheme], error)
        ) from None
    except ValueError:  # of the library: it may quote a password
        raise WrongUse(f"the address of the state, `{scheme}:...`, cannot be read") from None
    try:
        return EncryptedBackend(backend, keys)
    except ImportError as error:
        backend.close()
        raise WrongUse(*_describe_missing("an encrypted state", EXTRA, error)) from None


def _describe_unknown(what: str) -> str:
    allowed = ", ".join(f"`{scheme}:`" for scheme in _SCHEMES)
    shown = escape_invisible(without_user(what))
    return f"a shared state cannot be kept at `{shown}`; allowed are {allowed}"


def _describe_missing(what: str, extra: str, error: ImportError) -> tuple[str, str]:
    from ...support.installation import spell_extra_install

    return (
        f"{what} needs {error.name or 'a package'}, which is not installed",
        f"`{spell_extra_install(extra)}` installs it",
    )


def _open_git(url: str, root: Path, _environment: str, env: Mapping[str, str]) -> StateBackend:
    from .git_backend import open_git_backend

    return open_git_backend(url, root, env)


def _open_postgresql(
    url: str, _root: Path, environment: str, env: Mapping[str, str]
) -> StateBackend:
    from .postgresql import connect_postgresql

    return connect_postgresql(url, environment, env)


def _object_store(url: str, _root: Path, environment: str, env: Mapping[str, str]) -> StateBackend:
    from .object_stores import connect_objects

    return connect_objects(url, environment, env)


_Opening = Callable[[str, Path, str, Mapping[str, str]], StateBackend]
_STORES = ("s3", "gs", "az")
_SCHEMES: Mapping[str, _Opening] = {
    "git": _open_git,
    "postgresql": _open_postgresql,
    **dict.fromkeys(_STORES, _object_store),
}
_EXTRAS = {"postgresql": "postgres", **dict.fromkeys(_STORES, "objectstore")}
