"""problems: what is wrong with a catalog, in words and in the formats of other tools.

A validation that recalls how the last one ended loads this room, so it imports little.
"""

from .formats import FORMATS as FORMATS, bounds as bounds, problems_in as problems_in
from .github import annotation as annotation
from .json import problems_json as problems_json
from .page import page as page
from .shown import Checked as Checked, file_shown as file_shown, valid_text as valid_text
from .text import problems_text as problems_text
