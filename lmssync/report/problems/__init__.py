"""problems: what is wrong with a catalog, in words and in the formats of other tools.

A validation that recalls how the last one ended loads this room, so it imports little.
"""

from .junit_report import (
    JunitCase as JunitCase,
    JunitPart as JunitPart,
    spell_junit as spell_junit,
)
from .problem_formats import (
    FOR_TERMINALS as FOR_TERMINALS,
    PROBLEM_FORMATS as PROBLEM_FORMATS,
    choose_bounds as choose_bounds,
    format_annotation as format_annotation,
    problems_in as problems_in,
    problems_json as problems_json,
)
from .problem_text import (
    Checked as Checked,
    file_shown as file_shown,
    problems_text as problems_text,
    select_problems as select_problems,
    valid_text as valid_text,
)
from .source_excerpt import (
    Display as Display,
    SourceLines as SourceLines,
    draw_excerpt as draw_excerpt,
)
