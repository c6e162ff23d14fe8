"""Requests to a code host, from the job that runs there: asked again where that is safe, and
refused in words. Which job that is, the variables say that GitHub and GitLab set for it.
"""

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from ..errors import CodeHostFailed
from ..platform.client import HttpAnswer, NoAnswer, OtherHost
from ..support.hosts import NoHost, Site, parse_site
from ..support.redaction import register_secret

Host = Literal["github", "gitlab"]
TOKENS: Mapping[Host, str] = {"github": "GITHUB_TOKEN", "gitlab": "GITLAB_TOKEN"}
"""The variable that holds the token, by code host."""
_EVENT_MOST = 32 * 1024 * 1024
_REPOSITORY = {"github": r"[\w.-]+/[\w.-]+", "gitlab": r"[0-9]+"}
_NUMBER = re.compile(r"[0-9]{1,18}")


class CiJob(NamedTuple):
    """One job, and where what it has to say can be shown."""

    host: Host | None
    """None: neither GitHub nor GitLab runs it."""
    api: str = ""
    repository: str = ""
    """`owner/name` on GitHub, the number of the project on GitLab."""
    number: int | None = None
    """The number of the pull request that it is for, if it is for one."""
    head: str = ""
    """The last commit of that pull request, where the code host says it."""
    token: str = ""
    summary: Path | None = None
    """The file that GitHub shows on the page of the run."""
    output: Path | None = None
    """The file in which GitHub takes outputs of the step."""
    page: str = ""
    """The address of the page of the run, where the code host says it."""

    @property
    def site(self) -> Site:
        """Where the interface is; raises `CodeHostFailed`."""
        try:
            return parse_site(self.api)
        except NoHost as wrong:
            raise CodeHostFailed(f"the address of the interface {wrong}: {self.api}") from None


def find_ci_job(env: Mapping[str, str]) -> CiJob:
    """The job of this run; its token is a secret from now on."""
    for name in (*TOKENS.values(), "GH_TOKEN", "CI_JOB_TOKEN"):
        register_secret(env.get(name, ""))
    if env.get("CI_API_V4_URL"):
        return CiJob(
            "gitlab",
            env.get("CI_API_V4_URL", ""),
            env.get("CI_PROJECT_ID", ""),
            _parse_number(env.get("CI_MERGE_REQUEST_IID")),
            env.get("CI_COMMIT_SHA", ""),
            env.get(TOKENS["gitlab"], ""),
            page=env.get("CI_JOB_URL", ""),
        )
    return _find_github_job(env) if env.get("GITHUB_REPOSITORY") else CiJob(None)


def _find_github_job(env: Mapping[str, str]) -> CiJob:
    event = _read_event(env.get("GITHUB_EVENT_PATH", ""))
    pull = event.get("pull_request")
    pull = pull if isinstance(pull, dict) else {"number": event.get("number")}
    head = pull.get("head")
    ref = re.fullmatch(r"refs/pull/([0-9]+)/\w+", env.get("GITHUB_REF", ""))
    run = f"{env.get('GITHUB_REPOSITORY')}/actions/runs/{env.get('GITHUB_RUN_ID')}"
    return CiJob(
        "github",
        env.get("GITHUB_API_URL") or "https://api.github.com",
        env.get("GITHUB_REPOSITORY", ""),
        _parse_number(pull.get("number")) or _parse_number(ref and ref[1]),
        str(head.get("sha", "")) if isinstance(head, dict) else "",
        env.get(TOKENS["github"]) or env.get("GH_TOKEN", ""),
        _parse_file(env.get("GITHUB_STEP_SUMMARY")),
        _parse_file(env.get("GITHUB_OUTPUT")),
        f"{env['GITHUB_SERVER_URL']}/{run}" if env.get("GITHUB_SERVER_URL") else "",
    )


def _read_event(file: str) -> Mapping[str, Any]:
    """What has started the run; empty where that cannot be read."""
    try:
        if not file or os.path.getsize(file) > _EVENT_MOST:  # noqa: PTH202 - takes any text
            return {}
        event = orjson.loads(Path(file).read_bytes())
    except (OSError, ValueError):
        return {}
    return event if isinstance(event, dict) else {}


def _parse_number(given: Any) -> int | None:
    return int(given) if _NUMBER.fullmatch(str(given)) and int(given) else None


def _parse_file(name: str | None) -> Path | None:
    return Path(name) if name else None


def repository_of(of: CiJob) -> str:
    """The repository, as paths name it; raises `CodeHostFailed` for what cannot be one."""
    assert of.host
    if not re.fullmatch(_REPOSITORY[of.host], of.repository):
        variable = {"github": "GITHUB_REPOSITORY", "gitlab": "CI_PROJECT_ID"}[of.host]
        raise CodeHostFailed(f"{variable} names no repository: `{of.repository}`")
    return of.repository


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

    def read_object(self, path: str) -> Mapping[str, Any]:
        """The object that a path answers with; empty where it is something else."""
        body = self.ask("GET", path).body
        return body if isinstance(body, dict) else {}

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
