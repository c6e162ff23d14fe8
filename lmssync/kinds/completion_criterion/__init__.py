"""completion_criterion: one rule by which a learner completes a course (spec 2.3)."""

from ..kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations
from ..texts import quality
from . import reference_rules
from .calls import create, failures, removal, update
from .form import normalise, references
from .live import match, observed, request
from .rules import needs, outside
from .spec import CriterionSpec
from .words import title

KIND = Kind(
    name="criterion",
    resource="completionCriterion",
    noun="completion criterion",
    spec=CriterionSpec,
    authoring=Authoring(
        normalise=normalise,
        rules=(needs, outside, quality),
        title=title,
    ),
    relations=Relations(
        references=references,
        facts=reference_rules.facts,
        reference_rules=reference_rules.BETWEEN,
        group_by="course",
        group_rules=reference_rules.AMONG,
    ),
    impact=Impact(
        effects=dict.fromkeys(("type", "percent", "seconds", "topic", "course"), Effect.PROGRESS),
        creation=Effect.PROGRESS,
    ),
    calls=Calls(
        create=create,
        update=update,
        removal=removal,
        readback=True,
        failures=failures,
    ),
    reads=Reads(
        match=match,
        request=request,
        observed=observed,
    ),
)
