"""changes: what a plan changes, in words: which fields, parts and lines differ, and how.

It compares texts, not resources: what a change means is for diff and plan.
"""

from .creation_outline import list_leaves as list_leaves, summarise_value as summarise_value
from .plan_entries import (
    Entry as Entry,
    Parts as Parts,
    PlanView as PlanView,
    Reordered as Reordered,
    Rewritten as Rewritten,
    Value as Value,
    Whole as Whole,
)
from .plan_markdown import (
    ReportPart as ReportPart,
    build_report_marker as build_report_marker,
    compose_report as compose_report,
    failure_markdown as failure_markdown,
    plan_markdown as plan_markdown,
)
from .plan_sections import (
    Section as Section,
    SectionKind as SectionKind,
    build_sections as build_sections,
    entries_of_change as entries_of_change,
    keep_steps as keep_steps,
)
from .plan_summary import (
    WORDS as WORDS,
    confirm_line as confirm_line,
    cost_lines as cost_lines,
    describe_verdicts as describe_verdicts,
    list_plan_counts as list_plan_counts,
    list_plan_facts as list_plan_facts,
    list_plan_notes as list_plan_notes,
    name_environment as name_environment,
)
from .plan_text import plan_text as plan_text
from .text_differences import changed_text as changed_text, text_changes as text_changes
from .value_differences import expand_pair as expand_pair, one_line as one_line
