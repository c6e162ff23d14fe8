"""The templates of the pages: the `.html` files beside this module, and what they may call."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from lmssync.vocabulary.enums import FILLED_TOPICS, SHELL_TOPICS
from lmssync.vocabulary.rules import sanitize_label

from ..checks import is_url
from ..platform import Platform
from . import wording

_HERE = Path(__file__).parent
_BODY_STYLE = (_HERE / "body.css").read_text("utf-8")


def frame_document(body: str) -> str:
    """The document of the frame that a body is shown in, with a style of its own."""
    return f"<style>{_BODY_STYLE}</style>{body}"


_FILTERS = (
    wording.day, wording.grade, wording.height, wording.host, wording.hue, wording.price,
    wording.topic_type, frame_document, sanitize_label,
)  # fmt: skip
_TEMPLATES = Environment(
    loader=FileSystemLoader(_HERE),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
    finalize=lambda value: "" if value is None else value,
)
_TEMPLATES.filters.update({function.__name__: function for function in _FILTERS})
_TEMPLATES.tests["url"] = is_url
_TEMPLATES.globals.update(
    STYLE=(_HERE / "style.css").read_text("utf-8"),
    STATUSES=wording.STATUSES,
    OPEN_TYPES=wording.OPEN_TYPES,
    FILES=wording.FILES,
    FILLED_TOPICS=FILLED_TOPICS,
    SHELL_TOPICS=SHELL_TOPICS,
)


def render(platform: Platform, template: str, **context: Any) -> str:
    """A whole page; `context` has its `title`, and what else the template names."""
    return _TEMPLATES.get_template(template).render(
        company=platform.company_name,
        profile=platform.profile,
        now=platform.clock.stamp(),
        **context,
    )
