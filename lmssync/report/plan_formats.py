"""The forms in which a plan, and what came of one, are shown to people and programs.

A form is one entry of `PLAN_FORMATS`; an installed package may bring further ones. What writes a
form is imported when somebody asks for it: the options of commands are made from the names alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..errors import WrongUse

if TYPE_CHECKING:
    from ..applying.apply import Report
    from ..planning.plan import Plan
    from .apply_receipt import IdsOf


class AppliedPlan(NamedTuple):
    """What an apply did; `plan` is the one that was applied, if there was one."""

    report: "Report"
    plan: "Plan | None"
    ids: "IdsOf"
    environment: str


class PlanFormat(NamedTuple):
    """One of the forms of `plan --format` and of `--report`."""

    ending: str
    """How the name of a file in this form ends."""
    write_plan: "Callable[[Plan], Iterable[bytes]]"
    write_receipt: Callable[[AppliedPlan], Iterable[bytes]]


def _text_of_plan(made: "Plan") -> Iterator[bytes]:
    from .changes import plan_text

    yield plan_text(made, full=True).encode("utf-8", "replace")


def _text_of_receipt(applied: AppliedPlan) -> Iterator[bytes]:
    from .apply_receipt import list_receipt_lines
    from .apply_text import apply_text

    report, made, ids, _ = applied
    for line in list_receipt_lines(report, made, ids) if made else ():
        yield f"  {line}\n".encode("utf-8", "replace")
    yield apply_text(report, plan=made, full=True).encode("utf-8", "replace")


def _json_of_plan(made: "Plan") -> Iterator[bytes]:
    from ..planning import plan

    return plan.spell_printed_plan(made)


def _json_of_receipt(applied: AppliedPlan) -> Iterator[bytes]:
    from .apply_receipt import apply_json
    from .value_words import json_document

    report, made, ids, environment = applied
    yield json_document(apply_json(report, made, environment, ids)).encode()


def _markdown_of_plan(made: "Plan") -> Iterator[bytes]:
    from .changes import plan_markdown

    yield plan_markdown(made).encode("utf-8", "replace")


def _markdown_of_receipt(applied: AppliedPlan) -> Iterator[bytes]:
    from .apply_receipt import receipt_markdown

    yield receipt_markdown(*applied).encode("utf-8", "replace")


def _html_of_plan(made: "Plan") -> Iterator[bytes]:
    from .html_pages import plan_html

    return plan_html(made)


def _html_of_receipt(applied: AppliedPlan) -> Iterator[bytes]:
    from .html_pages import receipt_html

    return receipt_html(*applied)


PLAN_FORMATS: Mapping[str, PlanFormat] = {
    "text": PlanFormat(".txt", _text_of_plan, _text_of_receipt),
    "json": PlanFormat(".json", _json_of_plan, _json_of_receipt),
    "markdown": PlanFormat(".md", _markdown_of_plan, _markdown_of_receipt),
    "html": PlanFormat(".html", _html_of_plan, _html_of_receipt),
}
"""In the order of help."""


def plan_in(form: str, made: "Plan") -> Iterator[bytes]:
    """One of `PLAN_FORMATS`, or the name of a plugin's report; a piece at a time."""
    if form in PLAN_FORMATS:
        return iter(PLAN_FORMATS[form].write_plan(made))
    return _write_plugin_report(form, _json_of_plan(made))


def receipt_in(form: str, applied: AppliedPlan) -> Iterator[bytes]:
    """What an apply did in one of `PLAN_FORMATS`, or as the report of a plugin shows it."""
    if form in PLAN_FORMATS:
        return iter(PLAN_FORMATS[form].write_receipt(applied))
    return _write_plugin_report(form, _json_of_receipt(applied))


def _write_plugin_report(form: str, document: Iterable[bytes]) -> Iterator[bytes]:
    """What the report of an installed package makes of a JSON document."""
    import orjson

    from .. import plugins

    report = plugins.plugin_report(form)
    if report is None:
        raise WrongUse(f"no installed package has a report `{form}`")
    return iter([report(orjson.loads(b"".join(document))).encode("utf-8", "replace")])
