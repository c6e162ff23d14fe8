"""Problems in each form that `validate --format` offers."""

from collections.abc import Sequence
from typing import Any

import orjson

from ...problems import Problem, errors
from ...visible import in_json
from ..ink import PLAIN, Ink
from .json import problems_json
from .page import Bounds, ProblemPage, page
from .shown import Checked, below, quiet_text, valid_text
from .text import MOST as LINES, page_text


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
        from .sarif import problems_sarif

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
    return text if errors(shown.problems) else text + valid_text(checked)


def _document(document: dict[str, Any]) -> str:
    return in_json(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()) + "\n"
