"""A plan in the form that somebody asked for."""

from .. import plan
from ..plan import Plan
from . import options
from .terminal import show_plan


def show_in_form(made: Plan, form: str, *, full: bool, calls: bool = False) -> None:
    """Prints it; as JSON with its calls where `calls` asks for them."""
    if form == "json":
        options.echo_pieces(plan.printed(made, calls=calls))
    elif form == "markdown":
        from ..report.changes import plan_markdown

        options.echo(plan_markdown(made))
    else:
        show_plan(made, full=full)
