"""CommonMark with tables to HTML: the same text gives the same bytes, every time."""


def render(text: str) -> str:
    """`text` as HTML; raw HTML in it is kept, since authors embed players and forms."""
    import pyromark  # a compiled library: only what is sent is rendered

    return pyromark.html(text, options=pyromark.Options.ENABLE_TABLES)
