"""changes: what a plan changes, in words: which fields, parts and lines differ, and how.

It compares texts, not resources: what a change means is for diff and plan.
"""

from .plan_text import plan_text as plan_text
