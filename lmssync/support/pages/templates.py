"""The templates of the pages: the `.html` files beside this module, and what they may call."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from ...vocabulary.enums import FILLED_TOPICS, SHELL_TOPICS
from ...vocabulary.rules import sanitize_label
from . import wording
from .bodies import sanitise_body
from .compare import versions

_HERE = Path(__file__).parent
BODY_STYLE = (_HERE / "body.css").read_text("utf-8")
"""The style of each frame that holds a body."""
OUTLINE_STYLE = (_HERE / "outline.css").read_text("utf-8") + wording.size_rules()
"""The style of what is inside a course, wherever that is shown."""


def frame_document(body: str) -> str:
    """The document of the frame that a body is shown in, with a style of its own."""
    return f"<style>{BODY_STYLE}</style>{sanitise_body(body)}"


_FILTERS = (
    wording.day, wording.hue, wording.price, wording.size, wording.topic_type, frame_document,
    sanitize_label, versions,
)  # fmt: skip


def environment(*folders: Path) -> Environment:
    """The templates, and those in further folders, which may extend them."""
    templates = Environment(
        loader=FileSystemLoader([*folders, _HERE]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=lambda value: "" if value is None else value,
    )
    templates.filters.update({function.__name__: function for function in _FILTERS})
    templates.globals.update(
        STYLE=(_HERE / "style.css").read_text("utf-8") + OUTLINE_STYLE,
        STATUSES=wording.STATUSES,
        OPEN_TYPES=wording.OPEN_TYPES,
        FILES=wording.FILES,
        FILLED_TOPICS=FILLED_TOPICS,
        SHELL_TOPICS=SHELL_TOPICS,
    )
    return templates
