"""texts: what the texts of a manifest may hold, and what is odd about them.

A field says how its text is read (`ReadAs`). Validators refuse what no such text may be, and notice
whether anything is odd; `text_checks` warns about probable slips. Nothing here changes a text, and
nothing here knows a kind.
"""

from .body_markup import HTML_SIZE as HTML_SIZE
from .dialect_marks import ATTRIBUTES as ATTRIBUTES, hide_code as hide_code
from .html_elements import VOID as VOID, Link as Link, find_tags as find_tags
from .markdown_text import (
    has_front_matter as has_front_matter,
    name_event as name_event,
    parse_events as parse_events,
    parse_markdown as parse_markdown,
    render_markdown as render_markdown,
)
from .standard_formats import (
    DATE as DATE,
    check_date_text as check_date_text,
    check_language as check_language,
    date_exists as date_exists,
)
from .text_characters import (
    CONTROL as CONTROL,
    CONTROL_CHARACTER as CONTROL_CHARACTER,
    KEY_MARK as KEY_MARK,
    check_clean as check_clean,
    check_visible as check_visible,
)
from .text_checks import (
    Noticed as Noticed,
    ReadAs as ReadAs,
    body_file as body_file,
    judge_texts as judge_texts,
)
from .text_roles import (
    PictureSize as PictureSize,
    Role as Role,
    refusal_error as refusal_error,
    show_text as show_text,
)
from .web_addresses import (
    FETCHED_ROLES as FETCHED_ROLES,
    check_url_text as check_url_text,
    is_public_host as is_public_host,
)
