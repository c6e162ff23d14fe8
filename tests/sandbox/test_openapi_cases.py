"""The sandbox keeps what its OpenAPI document says: cases made from the document itself.

The cases are few and always the same; `max_examples` is for a whole operation.
"""

import warnings

import pytest
from hypothesis import HealthCheck, given, seed, settings

from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.routes import ROUTES

from .known import filled, ids, of_path

FEW = settings(
    max_examples=4,
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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what its dependencies deprecate is not ours
        import schemathesis  # only where it is used: it takes as long as many tests
    served.control("reset", {})
    return schemathesis.openapi.from_dict(served.http.get("/_sandbox/openapi.json").json())


def cases_of(operation, *, right=True):
    """The cases of an operation that fit its description, or those that break it somewhere."""
    from schemathesis import GenerationMode

    mode = GenerationMode.POSITIVE if right else GenerationMode.NEGATIVE
    return operation.as_strategy(generation_mode=mode)


def _checks(*, right):
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    return [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
        *([] if right else [checks.negative_data_rejection]),
    ]


def tried(platform, described, name, *, right=True, path=None, known=None, cases=FEW):
    """Send the cases of one operation and compare each answer with its description.

    With `path` and `known` the cases are about things that are there.
    """
    checks = _checks(right=right or name in LENIENT)
    route = ROUTES[name]
    operation = described[route.path][route.method]

    @seed(1)
    @cases
    @given(case=cases_of(operation, right=right))
    def check(case):
        if path:
            case.path_parameters = {p: path[p] for p in case.path_parameters or {}}
            case.body = filled(case.body, known)
            case.query.pop("jwt", None)
        case.call_and_validate(
            base_url=platform.ready["baseUrl"],
            headers={"Authorization": f"Bearer {platform.key}"},
            allow_redirects=False,
            checks=checks,
        )

    check()


@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_right_requests_are_answered_as_described(platform, described, name):
    """Cases that fit the description, about things that are there."""
    path, known = of_path(name, platform), ids(platform)
    tried(platform, described, name, path=path, known=known)


@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_wrong_requests_are_answered_as_described(platform, described, name):
    """Cases that break the description somewhere; none is done."""
    tried(platform, described, name, right=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_many_requests_are_answered_as_described(platform, described, name, right):
    """The whole document, fifteen times as far: no answer is a 5xx or another than described."""
    there = {"path": of_path(name, platform), "known": ids(platform)} if right else {}
    tried(platform, described, name, right=right, cases=MANY, **there)


@pytest.mark.parametrize("path", sorted({ROUTES[name].path for name in HANDLERS}))
def test_other_methods_are_405(platform, described, path):
    """A method that the document does not name is told which there are (spec 7 405)."""
    known = {ROUTES[name].method for name in HANDLERS if ROUTES[name].path == path}
    for method in sorted({*METHODS} - known):
        response = platform.http.request(method, path.replace("{", "x"))
        assert (405, ", ".join(sorted(known))) == (response.status_code, response.headers["allow"])
