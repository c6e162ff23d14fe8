"""texts: what the texts of a manifest may hold, and what is odd about them.

A field says how its text is read (`ReadAs`). Validators refuse what no such text may be, and notice
whether anything is odd; `quality` warns about probable slips. Nothing here changes a text, and
nothing here knows a kind.
"""

from .characters import (
    CONTROL as CONTROL,
    CONTROL_CHARACTER as CONTROL_CHARACTER,
    clean as clean,
    visible as visible,
)
from .dates import DATE as DATE, date as date, exists as exists
from .elements import VOID as VOID
from .front_matter import has_front_matter as has_front_matter
from .languages import language as language
from .links import Link as Link
from .markdown import parse as parse, render as render
from .markup import HTML_SIZE as HTML_SIZE
from .placeholders import KEY_MARK as KEY_MARK
from .quality import body_file as body_file, quality as quality
from .reading import Noticed as Noticed, ReadAs as ReadAs
from .refusal import mistake as mistake, shown as shown
from .roles import Role as Role
from .urls import url as url
