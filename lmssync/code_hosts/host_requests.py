"""Requests to a code host: asked again where that is safe, and refused in words."""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..errors import CodeHostFailed
from ..platform.client import HttpAnswer, NoAnswer, OtherHost
from .ci_job import TOKENS, CiJob, Host

_SECONDS = 20.0
NAMES: Mapping[Host, str] = {"github": "GitHub", "gitlab": "GitLab"}
_PAUSES = (0.5, 2.0)
"""Seconds before a request is sent again, if the code host does not say how long."""
_PATIENCE = 60.0
"""Seconds that a run waits for a code host, all in all."""
_FORBIDDEN, _LIMITED, _FAILED, _FINE = 403, 429, 500, 300
PER_PAGE = 100
_PAGES_MOST = 100


class Unsure(Exception):
    """A write without an answer: it may have been carried out."""

    def __init__(self, failed: CodeHostFailed) -> None:
        super().__init__(failed.message)
        self.failed = failed


class CodeHostWire:
    """One code host, asked with the token of the run."""

    def __init__(self, name: str, host: OtherHost, say: Callable[[str], None]) -> None:
        self.name, self._host, self._say = name, host, say
        self._patience = _PATIENCE

    def ask(
        self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: Any = None
    ) -> HttpAnswer:
        """The answer, if it is a 2xx. Raises `CodeHostFailed`, and `Unsure` for a write."""
        for pause in (*_PAUSES, None):
            ended = self._send_once(method, path, query, body)
            if isinstance(ended, HttpAnswer):
                return ended
            wait = pause if ended.wait is None else ended.wait
            goes_on = pause is not None and self._wait_if_patient(wait or 0, ended.failed.message)
            # After the wait, not before it: whoever catches this asks whether the write was done,
            # which a code host that has just failed could not say.
            if ended.unsure:
                raise Unsure(ended.failed)
            if not goes_on:
                raise ended.failed
        raise AssertionError  # the last pause is none

    def pages(self, path: str, query: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """The entries of all pages of a list; raises `CodeHostFailed` if there are too many."""
        for page in range(1, _PAGES_MOST + 1):
            answer = self.ask("GET", path, query={**query, "per_page": PER_PAGE, "page": page})
            if not isinstance(answer.body, list):
                raise CodeHostFailed(
                    f"{self.name} answered {path} with something other than a list"
                )
            yield from (entry for entry in answer.body if isinstance(entry, dict))
            if not _has_next(answer.headers, len(answer.body)):
                return
        raise CodeHostFailed(f"{self.name} has more than {_PAGES_MOST} pages of {path}")

    def _send_once(
        self, method: str, path: str, query: Mapping[str, Any] | None, body: Any
    ) -> "HttpAnswer | _Ended":
        try:
            answer = self._host.send(method, path, query=query, body=body)
        except NoAnswer as broken:
            failed = CodeHostFailed(f"{self.name} cannot be reached: {broken}", broken.hint)
            return _Ended(failed, unsure=method != "GET")
        if answer.status < _FINE:
            return answer
        refused = f"{self.name} refused {method} {path}: {answer.words}"
        failed = CodeHostFailed(refused, status=answer.status)
        if _is_limited(answer):
            return _Ended(failed, answer.wait)
        if answer.status >= _FAILED:  # a gateway may answer so although the write was done
            wait = answer.wait if "retry-after" in answer.headers else None
            return _Ended(failed, wait, unsure=method != "GET")
        raise failed

    def _wait_if_patient(self, seconds: float, why: str) -> bool:
        """Waits if there is patience left for it."""
        if seconds > self._patience:
            return False
        self._patience -= seconds
        if seconds >= 1:
            self._say(f"waiting {seconds:,.0f} s: {why}")
        time.sleep(seconds)
        return True


class _Ended(NamedTuple):
    """A request that may be sent again."""

    failed: CodeHostFailed
    wait: float | None = None
    """Seconds that the code host asks to wait."""
    unsure: bool = False
    """It may have been carried out."""


def _request_headers(host: str, token: str) -> dict[str, str]:
    """What goes with each request; `Bearer` is how GitLab takes access tokens as well."""
    named = {"Authorization": f"Bearer {token}"} if token else {}
    if host == "github":
        named |= {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
    return named


def _is_limited(answer: HttpAnswer) -> bool:
    """A 429; or a 403 that is a limit, as GitHub has them."""
    if answer.status == _LIMITED:
        return True
    used_up = answer.headers.get("x-ratelimit-remaining") == "0"
    return answer.status == _FORBIDDEN and (used_up or "retry-after" in answer.headers)


def _has_next(given: Mapping[str, str], entries: int) -> bool:
    """Whether a list goes on; a full page may, where no header says so."""
    # GitHub sends `Link`, with no `next` on the last page; GitLab sends an empty `X-Next-Page`
    # there.
    if link := given.get("link"):
        return bool(re.search(r';\s*rel="?next"?', link))
    return bool(given.get("x-next-page", entries >= PER_PAGE))


@contextmanager
def connect_code_host(job: CiJob, say: Callable[[str], None]) -> Iterator[CodeHostWire]:
    """The code host of a job; raises `CodeHostFailed` where there is no token for it.

    The token goes to no host but the one that the variables of the job name.
    """
    if job.host is None:
        raise CodeHostFailed(
            "no code host runs this: neither GITHUB_REPOSITORY nor CI_API_V4_URL is set"
        )
    if not job.token:
        raise CodeHostFailed(f"there is no token for {NAMES[job.host]}", _TOKEN_HINTS[job.host])
    there = job.site
    if there.is_clear:
        say(f"{there.name} is reached over http, so others can read the token")
    with OtherHost(there.url, _request_headers(job.host, job.token), _SECONDS) as host:
        yield CodeHostWire(NAMES[job.host], host, say)


_TOKEN_HINTS: Mapping[Host, str] = {
    "github": f"set `env: {{{TOKENS['github']}: ${{{{ github.token }}}}}}` at the step",
    "gitlab": f"set {TOKENS['gitlab']} to an access token of the project with the scope `api`",
}
