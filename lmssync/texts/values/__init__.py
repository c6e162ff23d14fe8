"""texts: what the texts of a manifest may hold, and what is odd about them.

A field says how its text is read (`ReadAs`). Validators refuse what no such text may be, and notice
whether anything is odd; `quality` warns about probable slips. Nothing here changes a text, and
nothing here knows a kind.
"""

from .characters import (
    CONTROL as CONTROL,
    CONTROL_CHARACTER as CONTROL_CHARACTER,
    check_clean as check_clean,
    check_visible as check_visible,
)
from .dates import DATE as DATE, check_date_text as check_date_text, date_exists as date_exists
from .elements import VOID as VOID
from .front_matter import has_front_matter as has_front_matter
from .languages import check_language as check_language
from .links import Link as Link
from .markdown import parse_markdown as parse_markdown, render_markdown as render_markdown
from .markup import HTML_SIZE as HTML_SIZE
from .placeholders import KEY_MARK as KEY_MARK
from .quality import body_file as body_file, judge_texts as judge_texts
from .reading import Noticed as Noticed, ReadAs as ReadAs
from .refusal import refusal_error as refusal_error, show_text as show_text
from .roles import Role as Role
from .urls import check_url_text as check_url_text
