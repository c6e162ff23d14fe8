"""Problems in each form that `validate --format` offers."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import orjson

from ... import __version__
from ...problems import Problem, Severity, only_errors
from ...support import rulebook
from ...support.visible import escape_invisible, in_json
from ..ink import PLAIN, Ink
from .json import problems_json
from .page import Bounds, ProblemPage, page
from .shown import Checked, below, folder_of, quiet_text, the_rest, valid_text
from .text import MOST as LINES, page_text

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
        "automationDetails": {
            "id": escape_invisible(f"lmssync/{folder_of(prefix)}".rstrip("/") + "/")
        },
        "invocations": [_invocation(the_rest(shown.rest))],
        "originalUriBaseIds": {BASE: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "properties": checked.numbers,
        "results": list(_results(kept, indices)),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, Any]:
    """What the rulebook says of a code; precision and severity say what GitHub shows first."""
    means, remedy, severity = _explain_rule(code)
    words = f"{means}\n\n{remedy}"
    return {
        "id": code,
        "shortDescription": {"text": means},
        "fullDescription": {"text": means},
        "help": {"text": words, "markdown": words},
        "defaultConfiguration": {"level": str(severity)},
        "properties": {"precision": "very-high", "problem.severity": str(severity)},
    }


def _explain_rule(code: str) -> tuple[str, str, Severity]:
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
    lines = [escape_invisible(problem.message), escape_invisible(problem.hint)]
    return _LINK.sub(r"\\[\1\\](", "\n".join(filter(None, lines)))


def _location(problem: Problem) -> dict[str, Any]:
    place = problem.where
    physical = {
        "artifactLocation": {"uri": _uri(place.file), "uriBaseId": BASE},
        "region": {"startLine": place.line, "startColumn": place.column},
    }
    if problem.address is None:
        return {"physicalLocation": physical}
    name, whole = escape_invisible(problem.address.key), escape_invisible(str(problem.address))
    logical = {"name": name, "fullyQualifiedName": whole, "kind": "resource"}
    return {"physicalLocation": physical, "logicalLocations": [logical]}


def _uri(file: str) -> str:
    """A relative reference, with the very bytes of the name."""
    try:
        return quote(file.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return quote(file.encode("utf-8", "surrogatepass"))


def problems_in(
    form: str,
    problems: Sequence[Problem],
    checked: Checked,
    *,
    prefix: str = "",
    ink: Ink = PLAIN,
    shown: ProblemPage | None = None,
) -> str:
    """The problems of a catalog, in order, as one of `FORMATS`; it ends with a line feed.

    `prefix` is the folder of the catalog in its repository, which `sarif`, `github` and `junit`
    put before the name of each file; `text` and `json` name files as the catalog does. Only
    `text` has colours. A valid catalog gets a line of text, or a document, too. `shown` is
    the page to report; without one, each form takes as much as it can hold.
    """
    shown = shown or page(problems, MOST[form])
    if form == "text":
        return _text(shown, checked, ink)
    if form == "json":
        return _document(problems_json(shown.problems, checked, shown.shown))
    shown = shown._replace(shown=below(prefix, shown.shown))
    if form == "sarif":
        return _document(problems_sarif(shown, checked, prefix))
    if form == "github":
        from .github import problems_github

        return problems_github(shown, checked)
    from .junit import problems_junit

    return problems_junit(shown, checked)


def bounds(form: str, limit: int | None) -> Bounds:
    """How much is shown: what a person reads, or what a program takes, unless a limit is given.

    A limit of 0 shows everything that the form can hold.
    """
    if limit is None:
        return MOST[form]._replace(folded=form in _READ)
    if form == "sarif":
        return Bounds(min(limit or RESULTS, RESULTS))
    return Bounds(limit, folded=bool(limit) and form in _READ)


RESULTS = 5_000
"""For SARIF: GitHub shows no more results of one run, and refuses a run of 25,000."""
MOST = {
    "text": Bounds(LINES),
    "json": Bounds(),
    "sarif": Bounds(RESULTS),
    "github": Bounds(LINES),
    "junit": Bounds(),
}
_READ = frozenset({"text", "github", "junit"})
"""Forms that people read: programs get every warning."""


FORMATS = tuple(MOST)
"""In the order of help."""


def _text(shown: ProblemPage, checked: Checked, ink: Ink) -> str:
    text = page_text(shown, ink) if shown.problems else ""
    text += quiet_text(checked)
    return text if only_errors(shown.problems) else text + valid_text(checked)


def _document(document: dict[str, Any]) -> str:
    return in_json(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()) + "\n"
