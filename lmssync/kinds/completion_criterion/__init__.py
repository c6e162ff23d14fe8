"""completion_criterion: one rule by which a learner completes a course (spec 2.3)."""

from ...texts import quality
from ..kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations
from .calls import create, failures, match, observed, removal, request, update
from .reference_rules import GROUP_RULES, REFERENCE_RULES
from .rules import needs, outside
from .spec import CriterionSpec, facts, normalise, references, title

KIND = Kind(
    name="criterion",
    resource="completionCriterion",
    noun="completion criterion",
    spec=CriterionSpec,
    authoring=Authoring(normalise=normalise, rules=(needs, outside, quality), title=title),
    relations=Relations(
        references=references,
        facts=facts,
        reference_rules=REFERENCE_RULES,
        group_by="course",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=dict.fromkeys(("type", "percent", "seconds", "topic", "course"), Effect.PROGRESS),
        creation=Effect.PROGRESS,
    ),
    calls=Calls(create=create, update=update, removal=removal, readback=True, failures=failures),
    reads=Reads(match=match, request=request, observed=observed),
)
