"""The sandbox keeps what its OpenAPI document says: cases made from the document itself.

The cases are few and always the same; `max_examples` is for a whole operation.
"""

import warnings

import pytest
from hypothesis import HealthCheck, given, seed, settings

from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.routes import ROUTES

from .known import filled, ids, of_path

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what its dependencies deprecate is not ours
    import schemathesis
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        negative_data_rejection,
        response_headers_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
FEW = settings(
    max_examples=6,
    database=None,
    suppress_health_check=list(HealthCheck),
)
MANY = settings(FEW, max_examples=60)
LENIENT = {"client.list", "criteria.update"}
"""Routes that answer what the document forbids: an empty `sort` is as good as none, and errors of
single criteria are results (spec 4)."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


@pytest.fixture(scope="session")
def described(served):
    """The document of a new sandbox, as schemathesis reads it: switches change it."""
    served.control("reset", {})
    return schemathesis.openapi.from_dict(served.http.get("/_sandbox/openapi.json").json())


def tried(platform, described, name, *, mode, path=None, known=None, cases=FEW):
    """Send the cases of one operation and compare each answer with its description.

    With `path` and `known` the cases are about things that are there.
    """
    wrong = mode is GenerationMode.NEGATIVE and name not in LENIENT
    route = ROUTES[name]
    operation = described[route.path][route.method]

    @seed(1)
    @cases
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case):
        if path:
            case.path_parameters = {p: path[p] for p in case.path_parameters or {}}
            case.body = filled(case.body, known)
            case.query.pop("jwt", None)
        case.call_and_validate(
            base_url=platform.ready["baseUrl"],
            headers={"Authorization": f"Bearer {platform.key}"},
            allow_redirects=False,
            checks=[*CHECKS, negative_data_rejection] if wrong else CHECKS,
        )

    check()


@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_right_requests_are_answered_as_described(platform, described, name):
    """Cases that fit the description, about things that are there."""
    path, known = of_path(name, platform), ids(platform)
    mode = GenerationMode.POSITIVE
    tried(platform, described, name, mode=mode, path=path, known=known)


@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_wrong_requests_are_answered_as_described(platform, described, name):
    """Cases that break the description somewhere; none is done."""
    tried(platform, described, name, mode=GenerationMode.NEGATIVE)


@pytest.mark.exhaustive
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_many_requests_are_answered_as_described(platform, described, name, mode):
    """The whole document, ten times as far: no answer is a 5xx or another than described."""
    right = mode is GenerationMode.POSITIVE
    there = {"path": of_path(name, platform), "known": ids(platform)} if right else {}
    tried(platform, described, name, mode=mode, cases=MANY, **there)


@pytest.mark.parametrize("path", sorted({ROUTES[name].path for name in HANDLERS}))
def test_other_methods_are_405(platform, described, path):
    """A method that the document does not name is told which there are (spec 7 405)."""
    known = {ROUTES[name].method for name in HANDLERS if ROUTES[name].path == path}
    for method in sorted({*METHODS} - known):
        response = platform.http.request(method, path.replace("{", "x"))
        assert (405, ", ".join(sorted(known))) == (response.status_code, response.headers["allow"])
