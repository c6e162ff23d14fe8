"""from_html: HTML as the Markdown that renders to it, for whoever imports texts."""

from .to_markdown import exact_markdown as exact_markdown, to_markdown as to_markdown
