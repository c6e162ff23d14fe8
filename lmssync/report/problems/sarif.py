"""Problems in SARIF 2.1.0, the exchange format of code scanning and of many editors."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from ... import __version__, rulebook
from ...problems import Problem, Severity
from ...visible import visible
from .page import ProblemPage
from .shown import Checked, folder_of, the_rest

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "%SRCROOT%"
_LINK = re.compile(r"\[([^\[\]]*)\]\(")
_WHOLE_LINK = re.compile(_LINK.pattern + r"[^)]*\)")


def problems_sarif(shown: ProblemPage, checked: Checked, prefix: str = "") -> dict[str, Any]:
    """A log of one run; what does not fit is counted in a notification of the run.

    `prefix`, the folder of the catalog in its repository, is the category of the run, so that the
    catalogs of one repository do not replace each other.
    """
    kept = shown.shown
    indices = {code: index for index, code in enumerate(sorted({p.code for p in kept}))}
    driver = {
        "name": "lmssync",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(code) for code in indices],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": visible(f"lmssync/{folder_of(prefix)}".rstrip("/") + "/")},
        "invocations": [_invocation(the_rest(shown.rest))],
        "originalUriBaseIds": {BASE: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "properties": checked.numbers,
        "results": list(_results(kept, indices)),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, Any]:
    """What the rulebook says of a code; precision and severity say what GitHub shows first."""
    means, remedy, severity = _explained(code)
    words = f"{means}\n\n{remedy}"
    return {
        "id": code,
        "shortDescription": {"text": means},
        "fullDescription": {"text": means},
        "help": {"text": words, "markdown": words},
        "defaultConfiguration": {"level": str(severity)},
        "properties": {"precision": "very-high", "problem.severity": str(severity)},
    }


def _explained(code: str) -> tuple[str, str, Severity]:
    """Meaning, remedy, severity; without links to our own pages, which would be broken there."""
    rule = rulebook.rules().get(code)
    if rule:
        return rule.means, _WHOLE_LINK.sub(r"\1", rule.remedy), rule.severity
    for ending, family in rulebook.FAMILIES.items():
        if code.endswith(ending):
            means = f"{code.removesuffix(ending)}: {family.means}"
            return means, family.remedy, Severity.ERROR
    return f"The rule {code} is broken.", "Do what the message says.", Severity.ERROR


def _invocation(rest: Sequence[str]) -> dict[str, Any]:
    """The check itself went well, whatever it found."""
    notes = [{"level": "warning", "message": {"text": ": ".join(map(str.strip, rest))}}]
    return {"executionSuccessful": True, "toolExecutionNotifications": notes if rest else []}


def _results(problems: Sequence[Problem], rules: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    times: Counter[str] = Counter()
    for problem in problems:
        mark = _mark(problem)
        times[mark] += 1
        yield {
            "ruleId": problem.code,
            "ruleIndex": rules[problem.code],
            "level": str(problem.severity),
            "message": {"text": _message(problem)},
            "locations": [_location(problem)],
            "partialFingerprints": {"lmssync/v1": f"{mark}:{times[mark]}"},
        }


def _mark(problem: Problem) -> str:
    """What stays the same when lines come and go, and when a resource moves to another file."""
    about = str(problem.address or problem.where.file)
    identity = f"{problem.code}\0{about}\0{problem.path}"
    return sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _message(problem: Problem) -> str:
    """The message and the remedy; what reads `[like](this)` is kept from becoming a link.

    Braces stay single: no argument is given that could stand for `{0}`, and readers show
    doubled braces doubled.
    """
    lines = [visible(problem.message), visible(problem.hint)]
    return _LINK.sub(r"\\[\1\\](", "\n".join(filter(None, lines)))


def _location(problem: Problem) -> dict[str, Any]:
    place = problem.where
    physical = {
        "artifactLocation": {"uri": _uri(place.file), "uriBaseId": BASE},
        "region": {"startLine": place.line, "startColumn": place.column},
    }
    if problem.address is None:
        return {"physicalLocation": physical}
    name, whole = visible(problem.address.key), visible(str(problem.address))
    logical = {"name": name, "fullyQualifiedName": whole, "kind": "resource"}
    return {"physicalLocation": physical, "logicalLocations": [logical]}


def _uri(file: str) -> str:
    """A relative reference, with the very bytes of the name."""
    try:
        return quote(file.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return quote(file.encode("utf-8", "surrogatepass"))
