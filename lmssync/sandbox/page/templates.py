"""The pages that are the sandbox's own, and what stands on each of its pages."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

from lmssync.support.pages import day, environment

from ..platform import Platform

HOME = "/"


def status_class(status: int | None) -> str:
    """The class of a status in the list of requests; None is a request that got no answer."""
    if status is None or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "broken"
    if status >= HTTPStatus.BAD_REQUEST:
        return "bad"
    return "good" if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES else "moved"


_TEMPLATES = environment(Path(__file__).parent)
_TEMPLATES.filters["grade"] = status_class


def render_page(platform: Platform, template: str, **context: Any) -> str:
    """A whole page; `context` has its `title`, and what else the template names."""
    now = platform.clock.format_now()
    return _TEMPLATES.get_template(template).render(
        company=platform.company_name,
        home=HOME,
        note=f"Sandbox · profile {platform.profile} · {day(now)}",
        now=now,
        **context,
    )
