"""completion_criterion: one rule by which a learner completes a course (spec 2.3)."""

from ...kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations
from ..reference_fields import of_its
from .criterion_calls import (
    BY_HAND,
    IMPORTS,
    READINGS,
    SENT,
    create_criterion_part,
    criterion_request,
    failed_entries,
    match_criterion,
    observe_criterion,
    remove_criterion,
    update_criterion,
)
from .criterion_manifest import (
    MEANINGS,
    TOGETHER,
    CriterionSpec,
    check_needed_fields,
    check_outside_topic,
    criterion_facts,
    criterion_ids,
    criterion_references,
    criterion_subjects,
    criterion_title,
    normalise_criterion,
)
from .criterion_relations import GROUP_RULES, REFERENCE_RULES

KIND = Kind(
    name="criterion",
    resource="completionCriterion",
    noun="completion criterion",
    spec=CriterionSpec,
    authoring=Authoring(
        normalise=normalise_criterion,
        rules=(check_needed_fields, check_outside_topic),
        title=criterion_title,
        title_in=criterion_title,
        meanings=MEANINGS,
        together=TOGETHER,
        percentages=frozenset({"percent"}),
    ),
    relations=Relations(
        references=criterion_references,
        names={"course": "course"},
        part_names={"topic": "course"},
        ids=criterion_ids,
        facts=criterion_facts,
        reference_rules=REFERENCE_RULES,
        group_by="course",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=dict.fromkeys(("type", "percent", "seconds", "topic", "course"), Effect.PROGRESS),
        creation=Effect.PROGRESS,
        touches=criterion_subjects,
        follows={Effect.PROGRESS: "their completion is recomputed"},
        remains={Effect.PROGRESS: "no route withdraws certificates that are granted meanwhile"},
    ),
    calls=Calls(
        create=create_criterion_part,
        update=update_criterion,
        removal=remove_criterion,
        by_hand=BY_HAND,
        along=SENT,
        unsent={"id": "never"},
        readback=True,
        failures=failed_entries,
    ),
    reads=Reads(
        match=match_criterion,
        request=criterion_request,
        observed=observe_criterion,
        readings=READINGS,
        place=of_its("course", "completion criteria"),
    ),
    imports=IMPORTS,
)
