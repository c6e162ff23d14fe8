"""Problems in each form that `validate --format` offers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from ..problems import Problem, errors
from ..visible import in_json
from .ink import PLAIN, Ink
from .problems_json import problems_json
from .problems_shown import Checked, valid_text
from .problems_text import problems_text


def problems_in(
    form: str,
    problems: Sequence[Problem],
    checked: Checked,
    *,
    prefix: str = "",
    ink: Ink = PLAIN,
) -> str:
    """The problems of a catalog, in order, as one of `FORMATS`; it ends with a line feed.

    `prefix` is the folder of the catalog in its repository, which `sarif`, `github` and `junit`
    put before the name of each file; `text` and `json` name files as the catalog does. Only
    `text` has colours. A catalog that is valid gets words, or a document, as well.
    """
    if form == "text":
        return _text(problems, checked, ink)
    return FORMATS[form](problems, checked, prefix)


def _text(problems: Sequence[Problem], checked: Checked, ink: Ink) -> str:
    text = problems_text(problems, ink) if problems else ""
    return text if errors(problems) else text + valid_text(*checked)


def _json(problems: Sequence[Problem], checked: Checked, _: str) -> str:
    return _document(problems_json(problems, checked))


def _sarif(problems: Sequence[Problem], checked: Checked, prefix: str) -> str:
    from .problems_sarif import problems_sarif

    return _document(problems_sarif(problems, checked, prefix))


def _github(problems: Sequence[Problem], checked: Checked, prefix: str) -> str:
    from .problems_github import problems_github

    return problems_github(problems, checked, prefix)


def _junit(problems: Sequence[Problem], checked: Checked, prefix: str) -> str:
    from .problems_junit import problems_junit

    return problems_junit(problems, checked, prefix)


def _document(document: dict[str, Any]) -> str:
    return in_json(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[Problem], Checked, str], str]] = {
    "text": lambda problems, checked, _: _text(problems, checked, PLAIN),
    "json": _json,
    "sarif": _sarif,
    "github": _github,
    "junit": _junit,
}
"""What makes each form of problems, how much was checked, and the prefix; in the order of help."""
