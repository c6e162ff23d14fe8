"""Every answer that a test gets is held against the sandbox's own OpenAPI document."""

import json
import re

import httpx
import jsonschema_rs

from lmssync.vocabulary.routes import ROUTES

DOCUMENTS = {}
"""The document by what is switched; it depends on nothing else that tests change."""
CHECKERS = {}
"""What answers of a route with a status must be, by the same."""


class Described:
    """Follows the orders of a test, so that it knows which document is true now."""

    def __init__(self, http):
        self._http = http
        self._switched, self._faulty = {}, False

    def order(self, name, body):
        if name == "reset":
            self._switched, self._faulty = {}, False
        if name == "switches":
            self._switched = {**self._switched, **body}
        if name == "faults":
            self._faulty = True  # what comes now comes from no route

    def require(self, name: str, response: httpx.Response) -> None:
        """Fail unless the document describes the answer."""
        route = ROUTES[name]
        if self._faulty or not _is_path_of(route, response.request.url.path):
            return
        document = self.document()
        operation = document["paths"][route.path][route.method.lower()]
        described = operation["responses"].get(str(response.status_code))
        assert described, f"{name}: {response.status_code} is not described: {response.text}"
        if "content" not in described:
            assert b"" == response.content, f"{name}: no body is described"
            return
        key = (self._key(), name, response.status_code)
        if key not in CHECKERS:
            CHECKERS[key] = checker(described, document)
        assert [] == list(map(str, CHECKERS[key].iter_errors(response.json())))

    def document(self):
        if self._key() not in DOCUMENTS:
            DOCUMENTS[self._key()] = self._http.get("/_sandbox/openapi.json").json()
        return DOCUMENTS[self._key()]

    def _key(self):
        return json.dumps(self._switched, sort_keys=True)


def checker(described, document):
    """Checks what a request or a response holds against its schema in the document."""
    schema = described["content"]["application/json"]["schema"]
    whole = {**schema, "components": document["components"]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)


def _is_path_of(route, path):
    """False where a parameter held a slash or dots, and the request went elsewhere."""
    return re.fullmatch(re.sub(r"{\w+}", "[^/]+", route.path), path) is not None
