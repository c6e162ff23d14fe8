"""completion_criterion: one rule by which a learner completes a course (spec 2.3)."""

from ...kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations
from ..references import of_its
from .calls import (
    BY_HAND,
    READINGS,
    SENT,
    create,
    failures,
    match,
    observed,
    removal,
    request,
    update,
)
from .combinations import TOGETHER
from .group_rules import GROUP_RULES
from .imported import IMPORTS
from .meanings import MEANINGS
from .reference_rules import REFERENCE_RULES
from .rules import needs, outside
from .spec import CriterionSpec, facts, ids, normalise, references, title, touches

KIND = Kind(
    name="criterion",
    resource="completionCriterion",
    noun="completion criterion",
    spec=CriterionSpec,
    authoring=Authoring(
        normalise=normalise,
        rules=(needs, outside),
        title=title,
        meanings=MEANINGS,
        together=TOGETHER,
    ),
    relations=Relations(
        references=references,
        ids=ids,
        facts=facts,
        reference_rules=REFERENCE_RULES,
        group_by="course",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=dict.fromkeys(("type", "percent", "seconds", "topic", "course"), Effect.PROGRESS),
        creation=Effect.PROGRESS,
        touches=touches,
        follows={Effect.PROGRESS: "their completion is recomputed"},
        remains={Effect.PROGRESS: "no route withdraws certificates that are granted meanwhile"},
    ),
    calls=Calls(
        create=create,
        update=update,
        removal=removal,
        by_hand=BY_HAND,
        along=SENT,
        unsent={"id": "never"},
        readback=True,
        failures=failures,
    ),
    reads=Reads(
        match=match,
        request=request,
        observed=observed,
        readings=READINGS,
        place=of_its("course", "completion criteria"),
    ),
    imports=IMPORTS,
)
