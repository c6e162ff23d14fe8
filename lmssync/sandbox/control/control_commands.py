"""Commands about the sandbox itself: reset, dump, requests, clock, faults, keys and switches."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

from ...vocabulary.enums import Feature
from ...vocabulary.limits import Tier
from ...vocabulary.routes import ROUTES
from .. import value_checks
from ..api_keys import USES, Key, client_wire, key_of, wire_of
from ..data.object_kinds import KINDS
from ..faults import FAULTS_MOST, check_pattern, fault_of
from ..http_messages import Answer, Query
from ..oauth_tokens import NAME as TOKEN_ROUTE
from ..openapi import openapi_document
from ..route_bindings import HANDLERS
from ..running_sandbox import Sandbox
from ..sandbox_documents import Doc, drop_fields, seconds_of
from ..sandbox_platform import Platform
from ..seeds.seed_planting import TREE
from ..value_checks import (
    InvalidValue,
    Rule,
    Unplaced,
    body_fields,
    check_date,
    check_document,
    check_each,
    check_fields,
    error_path,
    new_fields,
    quote_value,
)

SECONDS = value_checks.whole_number_between(0, 10**9)
SEED = value_checks.whole_number_between(0, 2**53)


def show_keys(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """All keys, including revoked and expired ones, and all OAuth clients."""
    keys, clients = sandbox.platform.keys, sandbox.platform.oauth
    return Answer({"keys": keys.as_wire(), "oauthClients": clients.as_wire()})


def change_keys(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """A new key with given rights, `{"revoke": key}`, or `{"rotate": key, "overlapSeconds": n}`.

    A new key takes `permissions` (null for all), `scope` (company or client), `clientIds`,
    `expiresInSeconds` by the sandbox's clock, and `use` (sandbox or production), which is its
    prefix. With `"oauthClient": true` it is an id and a secret for the token endpoint instead.
    """
    act = _revoke_key if "revoke" in body else _rotate_key if "rotate" in body else _issue_key
    with error_path("body"):
        answer = act(sandbox.platform, body)
    # Keys are on the disk before the answer: a test may restart the sandbox with the new key.
    sandbox.platform.keep_keys()
    return answer


def _issue_key(platform: Platform, body: Doc) -> Answer:
    rules = {
        "permissions": value_checks.check_names,
        "scope": value_checks.one_of(("company", "client")),
        "clientIds": value_checks.check_uuids,
        "expiresInSeconds": SECONDS,
        "use": value_checks.one_of(USES),
        "oauthClient": value_checks.check_flag,
    }
    fields = new_fields(body, rules)
    rights = key_of({"key": "", "permissions": None, "scope": "company", "clientIds": (), **fields})
    if "expiresInSeconds" in fields:
        rights = rights._replace(expires_at=platform.clock.read_time() + fields["expiresInSeconds"])
    if fields.get("oauthClient"):
        return Answer(client_wire(platform.oauth.register_client(rights)))
    return _describe_key(platform.keys.issue_key(rights, use=fields.get("use", "sandbox")), "use")


def _revoke_key(platform: Platform, body: Doc) -> Answer:
    fields = new_fields(body, {"revoke": value_checks.check_text})
    return _describe_key(platform.keys.expire_key(fields.get("revoke", "")), "revoke")


def _rotate_key(platform: Platform, body: Doc) -> Answer:
    fields = new_fields(body, {"rotate": value_checks.check_text, "overlapSeconds": SECONDS})
    overlap, now = float(fields.get("overlapSeconds", 0)), platform.clock.read_time()
    new = platform.keys.rotate_key(fields.get("rotate", ""), now=now, overlap=overlap)
    return _describe_key(new, "rotate")


def _describe_key(key: Key | None, verb: str) -> Answer:
    if key is None:
        raise Unplaced(f"{verb}: this sandbox has no such key; GET lists the keys")
    return Answer({**wire_of(key), "apiKey": key.key})


_NOT_IN_COURSE = ("sections", "criteria")


def _dump_trees(platform: Platform) -> dict[str, list[Doc]]:
    lists: dict[str, list[Doc]] = {name: [] for name in TREE}
    lists["courseGroups"] = list(platform.groups.list_documents())
    for course in platform.courses.list_documents():
        for name, doc in _flatten_course(course):
            lists[name].append(doc)
    return lists


def _flatten_course(course: Doc) -> Iterator[tuple[str, Doc]]:
    id_ = course["id"]
    yield "courses", drop_fields(course, *_NOT_IN_COURSE)
    for criterion in course["criteria"]:
        yield "completionCriteria", {**criterion, "courseId": id_}
    for section in course["sections"]:
        yield "sections", {**drop_fields(section, "lessons"), "courseId": id_}
        for lesson in section["lessons"]:
            yield "lessons", {**drop_fields(lesson, "topics"), "sectionId": section["id"]}
            for topic in lesson["topics"]:
                yield "topics", {**topic, "lessonId": lesson["id"]}


CLOCK_MOST = 3.2e9
"""Seconds the clock can be moved at once: a hundred years."""
OFFSET_MOST = 1e11
"""Seconds it can be moved in all: jobs and keys add times to it that must still be dates."""
_DIGITS = 16
NEWEST = 100
"""Requests shown if the caller does not say how many."""


def run_reset(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """`{}`, or `{"seed": a dump, "idSeed": whole number, "now": date}`: back to a new sandbox;
    its clock is stopped at `now`, and moves by `clock` alone."""
    rules: dict[str, Rule] = {"seed": check_document, "idSeed": SEED, "now": check_date}
    fields = body_fields(body, rules)
    now = seconds_of(fields["now"]) if "now" in fields else None
    sandbox.reset_sandbox(seed=fields.get("seed"), id_seed=fields.get("idSeed"), now=now)
    return Answer({"company": sandbox.platform.company_name, "idSeed": sandbox.platform.ids.seed})


def show_dump(sandbox: Sandbox, _body: Doc, query: Query) -> Answer:
    """Every list, or those of `?only=courses,tags`; children are in order and name a parent."""
    platform, known = sandbox.platform, [*TREE, *KINDS]
    wanted = [name for value in query.get("only", ()) for name in value.split(",")] or known
    for name in wanted:
        if name not in known:
            raise ValueError(f"only: {name!r} is not a list; the lists are {known}")
    lists: Doc = {"company": platform.company_name, "idSeed": platform.ids.seed}
    if not TREE.keys().isdisjoint(wanted):
        lists |= {name: docs for name, docs in _dump_trees(platform).items() if name in wanted}
    lists |= {kind: platform.objects.list_objects(kind) for kind in KINDS if kind in wanted}
    return Answer(lists)


def list_requests(sandbox: Sandbox, _body: Doc, query: Query) -> Answer:
    """`?route=&method=&status=&path=regex&since=number&limit=n&body=true`, oldest first."""
    limit, since = _read_count(query, "limit", NEWEST), _read_count(query, "since", 0)
    route, method = _last_value(query, "route"), _last_value(query, "method")
    known = (*ROUTES, TOKEN_ROUTE)
    if route is not None and route not in known:
        routes = ", ".join(known)
        raise InvalidValue(f"{quote_value(route)} is not a route; the routes are {routes}", "route")
    if method is not None and not (method.isascii() and method.isupper()):
        raise InvalidValue(f"method: is {quote_value(method)}; it must be a method such as GET")
    status, path = _last_value(query, "status"), _last_value(query, "path")
    with error_path("path"):
        expression = None if path is None else check_pattern(path)
    wanted = (
        entry
        # Newest first, so that the limit keeps these; they are turned round for the answer.
        for entry in reversed(list(sandbox.gateway.log))
        if entry.number > since
        and route in (None, entry.route)
        and method in (None, entry.method)
        and status in (None, str(entry.status))
        and (expression is None or expression.isinstance_python(entry.path))
    )
    newest = list(islice(wanted, limit))
    with_body = _last_value(query, "body") == "true"
    return Answer({"requests": [entry.as_wire(with_body=with_body) for entry in newest[::-1]]})


def _read_count(query: Query, name: str, usual: int) -> int:
    text = _last_value(query, name) or str(usual)
    if not (text.isdecimal() and len(text) < _DIGITS):
        raise InvalidValue(f"{name}: is {quote_value(text)}; it must be a whole number from 0")
    return int(text)


def _last_value(query: Query, name: str) -> str | None:
    return query[name][-1] if name in query else None


def forget_requests(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """Empty the log of requests."""
    sandbox.gateway.log.clear_log()
    return Answer({"requests": []})


def show_clock(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """Now, and how far ahead of real time it is."""
    clock = sandbox.platform.clock
    return Answer({"now": clock.format_now(), "offsetSeconds": clock.measure_lead()})


def advance_clock(sandbox: Sandbox, body: Doc, query: Query) -> Answer:
    """`{"advanceSeconds": n}`: forward only; what falls due on the way happens at once."""
    name = "advanceSeconds"
    seconds = body_fields(body, {name: value_checks.number_between(0, CLOCK_MOST)}, (name,))[name]
    if sandbox.platform.clock.measure_lead() + seconds > OFFSET_MOST:
        raise InvalidValue(
            "the clock would pass the last possible date; reset the sandbox", "body", name
        )
    sandbox.advance_time(float(seconds))
    return show_clock(sandbox, body, query)


def show_faults(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """The active faults: how many requests each has seen, and how often it has happened."""
    return Answer({"faults": [fault.as_wire() for fault in sandbox.gateway.faults.active]})


def add_faults(sandbox: Sandbox, body: Doc, query: Query) -> Answer:
    """One fault, or `{"faults": [...]}`, added to the others; `"seed"` removes those first."""
    if "faults" in body:
        body_fields(body, {"seed": SEED, "faults": value_checks.check_list})
    seed = SEED(body["seed"]) if "seed" in body else None
    single = drop_fields(body, "seed")
    wires = body.get("faults", [single] if single else []) or []
    # Before the old ones are removed: a refused command changes nothing.
    _require_faults(sandbox, wires, anew=seed is not None)
    if seed is not None:
        sandbox.gateway.faults.remove_faults(seed)
    for wire in wires:
        sandbox.gateway.faults.add_fault(wire)
    return show_faults(sandbox, body, query)


def _require_faults(sandbox: Sandbox, wires: list[Any], *, anew: bool) -> None:
    """Check all of them before any is added; raises InvalidValue."""
    before = 0 if anew else len(sandbox.gateway.faults.active)
    if before + len(wires) > FAULTS_MOST:
        message = f"at most {FAULTS_MOST} can be in force at a time; DELETE removes them"
        raise InvalidValue(message, "faults")
    with error_path("faults"):
        check_each(wires, lambda wire: fault_of(value_checks.json_object(wire), number=0))


def forget_faults(sandbox: Sandbox, body: Doc, query: Query) -> Answer:
    """Remove all faults."""
    sandbox.gateway.faults.remove_faults()
    return show_faults(sandbox, body, query)


def show_features(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """Which features and flags the account has."""
    return Answer({feature.value: feature in sandbox.platform.features for feature in Feature})


def set_features(sandbox: Sandbox, body: Doc, query: Query) -> Answer:
    """`{"externalActivity": false, ...}`: sets the ones named."""
    with error_path("body"):
        wanted = check_fields(body, dict.fromkeys(Feature, value_checks.check_flag))
    on = set(sandbox.platform.features) | {Feature(name) for name, value in wanted.items() if value}
    off = {Feature(name) for name, value in wanted.items() if not value}
    sandbox.platform.set_features(frozenset(on - off))
    return show_features(sandbox, body, query)


def show_switches(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """The value of every switch."""
    return Answer(asdict(sandbox.platform.switches))


def set_switches(sandbox: Sandbox, body: Doc, query: Query) -> Answer:
    """`{"idOrder": "reversed", ...}`: sets the ones named."""
    sandbox.platform.set_switches(body)
    return show_switches(sandbox, body, query)


def show_limits(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """The custom overrides of throttle tiers, null for a tier that has none."""
    return Answer({tier.value: sandbox.platform.limits.get(tier) for tier in Tier})


def set_limits(sandbox: Sandbox, body: Doc, query: Query) -> Answer:
    """`{"eventAPI": 500}`: a custom override of a tier (spec 8); null removes it."""
    with error_path("body"):
        wanted = check_fields(body, dict.fromkeys(Tier, value_checks.whole_number_between(1)))
    limits = {**sandbox.platform.limits, **wanted}
    sandbox.platform.set_limits({tier: most for tier, most in limits.items() if most is not None})
    return show_limits(sandbox, body, query)


def describe_routes(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """The OpenAPI 3.1 document of the routes, for the current switches."""
    return Answer(openapi_document.build_document(sandbox.platform, HANDLERS))
