"""plan: turns changes into planned changes for people and calls for the platform, as values.

It reads the state and sends nothing. Apply sends exactly what a plan shows.
"""

from .blockers import advise_on_open_call as advise_on_open_call, is_left_open as is_left_open
from .budget import Budget as Budget, plan_budget as plan_budget
from .build import choose_markers as choose_markers, mark_of_author as mark_of_author
from .builder import find_part_titles as find_part_titles, list_part_titles as list_part_titles
from .change_effects import (
    GRAVE as GRAVE,
    collect_effects as collect_effects,
    fields_of_change as fields_of_change,
    find_fields_by_hand as find_fields_by_hand,
    find_unreached_fields as find_unreached_fields,
    forms_of_change as forms_of_change,
)
from .guard_checks import (
    AT_APPLY as AT_APPLY,
    HELD as HELD,
    OF_PLAN as OF_PLAN,
    PROMOTION as PROMOTION,
    PUBLISHED as PUBLISHED,
    QUIET_HOURS as QUIET_HOURS,
    judge_plan as judge_plan,
    refuse_forbidden as refuse_forbidden,
    stopping_verdicts as stopping_verdicts,
)
from .make import (
    add_replayed_outcomes as add_replayed_outcomes,
    make_plan as make_plan,
    refuse_lost_state as refuse_lost_state,
)
from .plan import (
    Action as Action,
    Card as Card,
    CardReader as CardReader,
    Consequence as Consequence,
    Counted as Counted,
    Plan as Plan,
    PlannedChange as PlannedChange,
    Step as Step,
    Version as Version,
    tell_people as tell_people,
)
from .plan_context import Extent as Extent, PlanContext as PlanContext
from .plan_document import plan_digest as plan_digest, spell_printed_plan as spell_printed_plan
from .plan_file import (
    refuse_underived as refuse_underived,
    restore_plan as restore_plan,
    save_plan as save_plan,
)
from .seating import concerns_holders as concerns_holders
from .verdict import (
    ApprovalFindings as ApprovalFindings,
    ApprovedChange as ApprovedChange,
    GuardContext as GuardContext,
    GuardVerdict as GuardVerdict,
    LoweredSetting as LoweredSetting,
)
