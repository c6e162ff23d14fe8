"""report: problems, plans and outcomes in words, for people and for programs.

It turns values into text; it decides nothing and asks nothing. Everything about problems is
exported here; plans, outcomes and states are imported separately, since checking needs none.
"""

from .ink import Ink as Ink
from .problems_formats import FORMATS as FORMATS
from .problems_formats import bounds as bounds
from .problems_formats import problems_in as problems_in
from .problems_json import problems_json as problems_json
from .problems_page import page as page
from .problems_shown import Checked as Checked
from .problems_shown import valid_text as valid_text
from .problems_text import problems_text as problems_text
