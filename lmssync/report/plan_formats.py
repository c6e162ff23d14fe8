"""A plan in one of the forms in which it is shown to people and programs."""

from collections.abc import Iterator

import orjson

from .. import plugins
from ..errors import WrongUse
from ..planning import plan
from ..planning.plan import Plan


def plan_in(form: str, made: Plan) -> Iterator[bytes]:
    """`text`, `markdown`, `html`, `json`, or the name of a plugin's report; a piece at a time."""
    from .changes import plan_markdown, plan_text
    from .html_pages import plan_html

    if form == "html":
        return plan_html(made)
    if form == "json":
        return plan.printed(made)
    if form == "markdown":
        text = plan_markdown(made)
    elif form == "text":
        text = plan_text(made, full=True)
    else:
        text = plugin_text(form, b"".join(plan.printed(made)))
    return iter([text.encode("utf-8", "replace")])


def plugin_text(form: str, document: bytes) -> str:
    """What the report of an installed package makes of a JSON document."""
    report = plugins.plugin_report(form)
    if report is None:
        raise WrongUse(f"no installed package has a report `{form}`")
    return report(orjson.loads(document))
