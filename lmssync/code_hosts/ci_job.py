"""Where a job runs, by the variables that GitHub and GitLab set for it."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from ..errors import CodeHostFailed
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
