"""stories: judges what a learner may do and has achieved, by the rules of the specification.

It reads the catalog alone. The sandbox has rules of its own and never sees these: it is given
orders, and the verdicts are compared.
"""

from .assertion_judge import (
    find_assertion_problems as find_assertion_problems,
    judge_assertion as judge_assertion,
)
from .outcome_replay import ReplayedOutcome as ReplayedOutcome
from .sandbox_learner import Order as Order, judge_twice as judge_twice
from .story_catalog import (
    StoryCatalog as StoryCatalog,
    find_name_problems as find_name_problems,
    find_story_name as find_story_name,
)
from .story_judge import (
    STORY_FAILED as STORY_FAILED,
    PlanReplay as PlanReplay,
    StoryFailure as StoryFailure,
    StoryVerdict as StoryVerdict,
    find_course_of as find_course_of,
    judge_story as judge_story,
)
from .story_learner import StoryLearner as StoryLearner
