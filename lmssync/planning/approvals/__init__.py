"""approvals: who must approve a plan, by what it does to people and to which resources.

It compares a plan with a file of rules. It asks nobody: who has approved is given.
"""

from .required import (
    ChangeApproval as ChangeApproval,
    Required as Required,
    judge_approvals as judge_approvals,
    merge_rules as merge_rules,
    required as required,
)
from .rules import FILE as FILE, ApprovalRule as ApprovalRule, rules as rules
