"""changes: what a plan changes, in words: which fields, parts and lines differ, and how.

It compares texts, not resources: what a change means is for diff and plan.
"""

from .differences import one_line as one_line, pairs as pairs
from .outline import summary as summary
from .plan_markdown import plan_markdown as plan_markdown
from .plan_text import plan_text as plan_text
from .prose import changed_text as changed_text, text_changes as text_changes
from .receipt import (
    IdsOf as IdsOf,
    receipt_facts as receipt_facts,
    receipt_notes as receipt_notes,
    receipt_sections as receipt_sections,
)
from .receipt_markdown import receipt_markdown as receipt_markdown
from .sections import Section as Section, sections as sections
from .sums import counts as counts, facts as facts, notes as notes
from .view import (
    Parts as Parts,
    Reordered as Reordered,
    Rewritten as Rewritten,
    Value as Value,
    Whole as Whole,
)
