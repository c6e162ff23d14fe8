"""GitHub and GitLab, served: as much of their interfaces as lmssync asks, with faults on demand."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from tests.platform.client.answering import Answering, Asked, Said, answering

TOKEN = "token-of-the-job-5c2e"
US, STRANGER = 41, 99
_WRITES = {"POST", "PATCH", "PUT", "DELETE"}


class Fault(NamedTuple):
    """What a request gets in place of its answer."""

    method: str
    said: Said
    does_it: bool = False
    """It is carried out all the same."""


@dataclass
class Double:
    """One code host with one repository; texts are lists of entries by the path of their list."""

    name: str
    base_url: str
    served: Answering
    texts: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    gets: dict[str, Any] = field(default_factory=dict)
    """Answers to other reads, by path."""
    faults: list[Fault] = field(default_factory=list)
    """Each is for one request; the first of the method is used."""
    may_write: bool = True
    links: bool = True
    """Lists say where their next page is."""
    before: Callable[[Asked], None] = lambda _asked: None
    """Called before each request: what others do meanwhile."""
    lock: Lock = field(default_factory=Lock)
    last: int = 100

    @property
    def is_github(self) -> bool:
        return self.name == "github"

    @property
    def comments(self) -> str:
        """The path of the comments of pull request 7."""
        if self.is_github:
            return "/repos/acme/content/issues/7/comments"
        return "/projects/12/merge_requests/7/notes"

    @property
    def issues(self) -> str:
        return "/repos/acme/content/issues" if self.is_github else "/projects/12/issues"

    @property
    def shown(self) -> list[str]:
        """The texts of all comments, oldest first."""
        return [entry["body"] for entry in self.texts.get(self.comments, [])]

    def env(self, **more: str) -> dict[str, str]:
        """The variables of a job for pull request 7."""
        if self.is_github:
            about = {"GITHUB_API_URL": self.base_url, "GITHUB_REPOSITORY": "acme/content"}
            return about | {"GITHUB_REF": "refs/pull/7/merge", "GITHUB_TOKEN": TOKEN} | more
        about = {"CI_API_V4_URL": self.base_url, "CI_PROJECT_ID": "12"}
        return about | {"CI_MERGE_REQUEST_IID": "7", "GITLAB_TOKEN": TOKEN} | more

    def merge(self, commit: str, parents: list[str], *, base: str, head: str) -> dict[str, Any]:
        """Pull request 7 of `bo` on GitHub; a commit is its merge, and the newest of `main`."""
        where = "/repos/acme/content"
        repo = {"full_name": "acme/content", "default_branch": "main"}
        pull = {"number": 7, "user": {"login": "bo"}, "merge_commit_sha": commit}
        pull |= {"merged_at": "2031-01-01T00:00:00Z", "head": {"sha": head, "ref": "prices"}}
        pull |= {"base": {"sha": base, "ref": "main", "repo": repo}}
        self.gets[f"{where}/pulls/7"] = pull
        self.gets[f"{where}/commits/{commit}/pulls"] = [pull]
        self.gets[f"{where}/commits/{commit}"] = {"parents": [{"sha": one} for one in parents]}
        self.gets[f"{where}/branches/main"] = {"commit": {"sha": commit}}
        self.gets[f"{where}/compare/{base}...{head}"] = {"behind_by": 0}
        self.gets[f"{where}/issues/7/timeline"] = [{"event": "reviewed"}]
        return pull

    def writes(self) -> list[str]:
        """The methods of all writes so far."""
        return [asked.method for asked in self.served.asked if asked.method in _WRITES]

    def add(self, path: str, text: str, *, author: int = STRANGER, **more: Any) -> dict[str, Any]:
        """Somebody writes a text."""
        with self.lock:
            self.last += 1
            by = {"id": author, "type": "Bot" if author == US else "User"}
            issue = {"number": self.last, "iid": self.last, "state": "open", "description": text}
            entry = {"id": self.last, "body": text, "user": by, "author": by} | issue | more
            self.texts.setdefault(path, []).append(entry)
            return entry

    def remove(self, number: int) -> None:
        """Somebody deletes a comment by hand."""
        with self.lock:
            entries = self.texts[self.comments]
            self.texts[self.comments] = [e for e in entries if e["id"] != number]

    def answer(self, asked: Asked) -> Said:
        self.before(asked)
        if asked.headers.get("Authorization") != f"Bearer {TOKEN}":
            return Said({"message": "Bad credentials"}, 401)
        fault = next((one for one in self.faults if one.method == asked.method), None)
        if fault:
            self.faults.remove(fault)
            if fault.does_it:
                self._done(asked)
            return fault.said
        if asked.method in _WRITES and not self.may_write:
            return Said({"message": "Resource not accessible by integration"}, 403)
        return self._done(asked)

    def _done(self, asked: Asked) -> Said:
        parts = urlsplit(asked.path)
        path, query = unquote(parts.path), parse_qs(parts.query)
        body = json.loads(asked.body) if asked.body else {}
        if path == "/user" and path not in self.gets:
            return self._user()
        if path in {self.comments, self.issues}:
            if asked.method == "POST":
                text = body.pop("description", None) or body.pop("body")
                return Said(self.add(path, text, author=US, **body), 201)
            return self._page(path, query)
        if path in self.gets:
            return self._listed(self.gets[path], path, query)
        return self._one(asked.method, path, body)

    def _user(self) -> Said:
        """The token of a GitHub job may not ask who it is."""
        if self.is_github:
            return Said({"message": "Resource not accessible by integration"}, 403)
        return Said({"id": US, "username": "project_12_bot"})

    def _page(self, path: str, query: Mapping[str, list[str]]) -> Said:
        labels = query.get("labels", [""])[0]
        entries = [
            entry
            for entry in self.texts.get(path, [])
            if not labels or (labels in entry.get("labels", "") and entry["state"] == "open")
        ]
        return self._listed(entries, path, query)

    def _listed(self, entries: Any, path: str, query: Mapping[str, list[str]]) -> Said:
        if not isinstance(entries, list):
            return Said(entries)
        size, number = int(query.get("per_page", ["30"])[0]), int(query.get("page", ["1"])[0])
        more = self.links and len(entries) > size * number
        link = {"link": f'<{self.base_url}{path}?page={number + 1}>; rel="next"'} if more else {}
        return Said(entries[size * (number - 1) : size * number], headers=link)

    def _one(self, method: str, path: str, body: Any) -> Said:
        number = int((re.findall("[0-9]+$", path) or ["0"])[0])
        for entries in self.texts.values():
            for entry in entries:
                if entry["id"] == number and method in _WRITES:
                    return self._changed(method, entries, entry, body)
        return Said({"message": "Not Found"}, 404)

    def _changed(self, method: str, entries: list[Any], entry: dict[str, Any], body: Any) -> Said:
        if method == "DELETE":
            entries.remove(entry)
            return Said(b"", 204)
        if "closed" in body.get("state", "") or body.get("state_event") == "close":
            entry["state"] = "closed"
        entry["body"] = body.get("body") or body.get("description") or entry["body"]
        return Said(entry)


@contextmanager
def serving(name: str) -> Iterator[Double]:
    """A code host with an open pull request 7 and nothing else."""
    with answering() as served:
        double = Double(name, served.base_url, served)
        served.answer = double.answer
        yield double
