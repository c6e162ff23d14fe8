"""Problems in each form that `validate --format` offers; the forms are in `PROBLEM_FORMATS`."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import quote

from ... import __version__
from ...problems import Problem, Severity, only_errors
from ...resource import Place
from ...support import rulebook
from ...support.invisible_characters import escape_invisible
from ..value_words import json_document
from .junit_report import JunitCase, JunitPart, spell_junit
from .problem_text import (
    MOST as LINES,
    PLAINLY,
    Bounds,
    Checked,
    ProblemPage,
    count_problems,
    describe_problem,
    folder_of,
    page_text,
    prefix_problem_paths,
    problem_lines,
    quiet_text,
    select_problems,
    the_rest,
    valid_text,
)
from .source_excerpt import Display

ROOT = "catalog"
"""For JUnit, the name of the top folder, and of the test of a valid catalog: none may be empty."""
_Line = tuple[Problem, str]
"""A problem, and a word on others that are like it."""
RESULTS = 5_000
"""For SARIF: GitHub shows no more results of one run, and refuses a run of 25,000."""
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "%SRCROOT%"
_LINK = re.compile(r"\[([^\[\]]*)\]\(")
_WHOLE_LINK = re.compile(_LINK.pattern + r"[^)]*\)")


def problems_github(shown: ProblemPage, checked: Checked) -> str:
    """One command a problem, errors first; then plain lines with the counts."""
    # A build server shows only the first ones of a step, so errors come first.
    lines = sorted(shown.lines(), key=lambda line: line[0].severity is not Severity.ERROR)
    commands = [_command(problem, more) for problem, more in lines]
    counted = [count_problems(shown.problems)] if shown.problems else []
    text = "".join(f"{line}\n" for line in [*commands, *the_rest(shown.rest), *counted])
    text += quiet_text(checked)
    return text if only_errors(shown.problems) else text + valid_text(checked)


def _command(problem: Problem, more: str) -> str:
    hints = "".join(f"\n{text}" for text in (escape_invisible(problem.hint), more) if text)
    title, message = f"lmssync {problem.code}", f"{describe_problem(problem)}{hints}"
    return format_annotation(problem.severity, problem.where, title, message)


def format_annotation(severity: Severity, place: Place, title: str, message: str) -> str:
    """The command that shows a message beside a line of a change.

    The message repeats the place, because the log shows only the message.
    """
    properties = {
        "file": place.file,
        "line": str(place.line),
        "col": str(place.column),
        "title": title,
    }
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{severity} {given}::{_data(f'{escape_invisible(str(place))}: {message}')}"


def _data(text: str) -> str:
    """What would end the line, written as the runner reads it back."""
    whole = text.encode("utf-8", "backslashreplace").decode()
    # The sign of escapes first, else it would be escaped again in the others.
    return whole.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escapes a value before the message of an annotation, which `,` and `::` would end.

    It is the name of a file, exactly, but for what nobody could see in a log.
    """
    return _data(escape_invisible(text, but="\r\n")).replace(":", "%3A").replace(",", "%2C")


def problems_json(
    problems: Sequence[Problem],
    checked: Checked | None = None,
    shown: Sequence[Problem] | None = None,
) -> dict[str, Any]:
    """The document of `validate --json`: every problem, or those that are to be shown.

    Parsed, it has every character as it is. Only a lone surrogate, which a file name can hold and
    JSON cannot, is written out.
    """
    summary: dict[str, Any] = {}
    if checked is not None:
        wrong = len(only_errors(problems))
        counts = {"errors": wrong, "warnings": len(problems) - wrong}
        summary = {"summary": counts | checked.numbers}
    listed = [_problem(problem) for problem in (problems if shown is None else shown)]
    return {"format": "lmssync.problems/1", **summary, "problems": listed}


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "severity": problem.severity,
        "address": _whole(str(problem.address)) if problem.address else None,
        "path": _whole(problem.path),
        "file": _whole(problem.where.file),
        "line": problem.where.line,
        "column": problem.where.column,
        "message": _whole(problem.message),
        "hint": _whole(problem.hint),
    }


def _whole(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def problems_sarif(shown: ProblemPage, checked: Checked, prefix: str = "") -> dict[str, Any]:
    """A log of one run; what does not fit is counted in a notification of the run.

    `prefix`, the folder of the catalog in its repository, is the category of the run, so that the
    catalogs of one repository do not replace each other.
    """
    kept, rest = shown.shown, ": ".join(map(str.strip, the_rest(shown.rest)))
    notes = [{"level": "warning", "message": {"text": rest}}] if rest else []
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
        # The check itself went well, whatever it found.
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "originalUriBaseIds": {BASE: {"description": {"text": "The root of the repository."}}},
        # Our columns count characters; the default of SARIF is UTF-16.
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
    rule = rulebook.all_rules().get(code)
    if rule:
        return rule.means, _WHOLE_LINK.sub(r"\1", rule.remedy), rule.severity
    for ending, family in rulebook.FAMILIES.items():
        if code.endswith(ending):
            means = f"{code.removesuffix(ending)}: {family.means}"
            return means, family.remedy, Severity.ERROR
    return f"The rule {code} is broken.", "Do what the message says.", Severity.ERROR


def _results(problems: Sequence[Problem], rules: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    times: Counter[str] = Counter()
    for problem in problems:
        mark = _mark(problem)
        # Two problems with one mark would be taken for one: they are numbered in the order of
        # places.
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


def problems_junit(shown: ProblemPage, checked: Checked) -> str:
    """One test for each file that has problems, or a single test that passes.

    A file with errors is one failure that lists them all, because servers keep no more than one
    a test. Its warnings are its output.
    """
    cases = []
    for file, group in groupby(sorted(shown.lines(), key=_file), key=_file):
        folder, _, name = file.rpartition("/")
        # Servers group tests by class: so a folder of the catalog is a group.
        about = {"classname": folder or ROOT, "name": name, "file": file}
        cases.append(JunitCase(about, [*_case_parts(list(group))]))
    if not cases:
        passed = JunitPart("system-out", {}, valid_text(checked).strip())
        cases.append(JunitCase({"classname": ROOT, "name": "validate"}, [passed]))
    rest = "\n".join([*the_rest(shown.rest), *quiet_text(checked).splitlines()])
    return spell_junit("lmssync validate", cases, rest)


def _case_parts(lines: Sequence[_Line]) -> Iterator[JunitPart]:
    """Tag, attributes and text of what is said about a file: its errors, then its warnings."""
    failed = [line for line in lines if line[0].severity is Severity.ERROR]
    warned = [line for line in lines if line[0].severity is not Severity.ERROR]
    if failed:
        wrong = [problem for problem, _ in failed]
        message = describe_problem(wrong[0]) if len(wrong) == 1 else count_problems(wrong)
        rules = ", ".join(dict.fromkeys(problem.code for problem in wrong))
        yield JunitPart("failure", {"message": message, "type": rules}, _spell_lines(failed))
    if warned:
        yield JunitPart("system-out", {}, _spell_lines(warned))


def _file(line: _Line) -> str:
    return escape_invisible(line[0].where.file)


def _spell_lines(lines: Iterable[_Line]) -> str:
    return "\n".join(line for problem, more in lines for line in problem_lines(problem, more))


def _write_text(
    shown: ProblemPage, checked: Checked, _folder: str, display: Display, *, concise: bool = False
) -> str:
    text = page_text(shown, display, concise=concise) if shown.problems else ""
    text += quiet_text(checked)
    return text if only_errors(shown.problems) else text + valid_text(checked)


class ProblemFormat(NamedTuple):
    """One of the forms of `validate --format`."""

    write: Callable[[ProblemPage, Checked, str, Display], str]
    """Gets the folder of the catalog in its repository, and what a terminal can show, too."""
    usual: int = 0
    """Problems that are shown where no limit is given; 0: all."""
    ceiling: int = 0
    """Problems that the form can hold; 0: any number."""
    for_people: bool = False
    """Warnings that are alike are folded: programs get every one."""
    in_repository: bool = False
    """Files are named from the root of the repository, not from that of the catalog."""


PROBLEM_FORMATS: Mapping[str, ProblemFormat] = {
    "text": ProblemFormat(_write_text, LINES, for_people=True),
    "concise": ProblemFormat(partial(_write_text, concise=True), LINES, for_people=True),
    "json": ProblemFormat(
        lambda shown, checked, *_: json_document(
            problems_json(shown.problems, checked, shown.shown)
        )
    ),
    "sarif": ProblemFormat(
        lambda shown, checked, folder, _display: json_document(
            problems_sarif(shown, checked, folder)
        ),
        RESULTS,
        RESULTS,
        in_repository=True,
    ),
    "github": ProblemFormat(
        lambda shown, checked, *_: problems_github(shown, checked),
        LINES,
        for_people=True,
        in_repository=True,
    ),
    "junit": ProblemFormat(
        lambda shown, checked, *_: problems_junit(shown, checked),
        for_people=True,
        in_repository=True,
    ),
}
"""In the order of help. A further form is one more entry, and whatever writes it."""
FOR_TERMINALS = ("text", "concise")
"""The forms with colours; of the others, every byte counts."""


def problems_in(
    form: str,
    problems: Sequence[Problem],
    checked: Checked,
    *,
    prefix: str = "",
    display: Display = PLAINLY,
    shown: ProblemPage | None = None,
) -> str:
    """The problems of a catalog, in order, as one of `PROBLEM_FORMATS`; it ends with a line feed.

    `prefix` is the folder of the catalog in its repository, which forms that are `in_repository`
    put before the name of each file. A valid catalog gets a line of text, or a document, too.
    `shown` is the page to report; without one, each form takes as much as it can hold.
    """
    made = PROBLEM_FORMATS[form]
    shown = shown or select_problems(problems, Bounds(made.usual))
    if made.in_repository:
        shown = shown._replace(shown=prefix_problem_paths(prefix, shown.shown))
    return made.write(shown, checked, prefix, display)


def choose_bounds(form: str, limit: int | None) -> Bounds:
    """How much is shown: what a person reads, or what a program takes, unless a limit is given.

    A limit of 0 shows everything that the form can hold.
    """
    made = PROBLEM_FORMATS[form]
    if limit is None:
        return Bounds(made.usual, folded=made.for_people)
    # 0 asks for everything, which is as much as the form can hold.
    most = min(limit or made.ceiling, made.ceiling) if made.ceiling else limit
    return Bounds(most, folded=bool(limit) and made.for_people)
