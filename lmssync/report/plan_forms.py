"""A plan in one of the forms in which it is shown to people and programs."""

from collections.abc import Iterator

from .. import plan
from ..plan import Plan


def plan_in(form: str, made: Plan) -> Iterator[bytes]:
    """`text`, `markdown`, `html` or `json`, a piece at a time."""
    from .changes import plan_markdown, plan_text
    from .html import plan_html

    if form == "html":
        return plan_html(made)
    if form == "json":
        return plan.printed(made)
    text = plan_markdown(made) if form == "markdown" else plan_text(made, full=True)
    return iter([text.encode("utf-8", "replace")])
