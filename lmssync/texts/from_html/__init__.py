"""from_html: what HTML shows learners: whether two texts make the same page, and its Markdown."""

from .to_markdown import to_markdown as to_markdown
from .trees import (
    INLINE as INLINE,
    read_page_layout as read_page_layout,
    show_same_page as show_same_page,
)
