"""completion_criterion: one rule by which a learner completes a course (spec 2.3)."""

from ..kind import Effect, Kind
from ..texts import quality
from . import reference_rules
from .calls import BY_HAND, create, departure, failures, update
from .combinations import TOGETHER
from .form import normalise, references
from .live import match, reading, seen
from .meanings import MEANINGS
from .rules import needs, outside
from .spec import CriterionSpec
from .words import title

KIND = Kind(
    name="criterion",
    resource="completionCriterion",
    noun="completion criterion",
    spec=CriterionSpec,
    normalise=normalise,
    title=title,
    references=references,
    rules=(needs, outside, quality),
    meanings=MEANINGS,
    together=TOGETHER,
    facts=reference_rules.facts,
    between=reference_rules.BETWEEN,
    family="course",
    among=reference_rules.AMONG,
    effects=dict.fromkeys(("type", "percent", "seconds", "topic", "course"), Effect.PROGRESS),
    creation=Effect.PROGRESS,
    create=create,
    departure=departure,
    update=update,
    by_hand=BY_HAND,
    unsent={"id": "never"},
    failures=failures,
    readback=True,
    reading=reading,
    match=match,
    seen=seen,
)
