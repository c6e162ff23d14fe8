"""completion_criterion: one rule by which a learner completes a course (spec 2.3)."""

from ...kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations
from ..reference_fields import of_its
from . import criterion_calls as calls, criterion_manifest as manifest
from .criterion_relations import GROUP_RULES, REFERENCE_RULES

KIND = Kind(
    name="criterion",
    resource="completionCriterion",
    noun="completion criterion",
    spec=manifest.CriterionSpec,
    authoring=Authoring(
        normalise=manifest.normalise_criterion,
        rules=(manifest.check_needed_fields, manifest.check_outside_topic),
        title=manifest.criterion_title,
        title_in=manifest.criterion_title,
        meanings=manifest.MEANINGS,
        together=manifest.TOGETHER,
        percentages=frozenset({"percent"}),
    ),
    relations=Relations(
        references=manifest.criterion_references,
        names={"course": "course"},
        part_names={"topic": "course"},
        ids=manifest.criterion_ids,
        facts=manifest.criterion_facts,
        reference_rules=REFERENCE_RULES,
        group_by="course",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=dict.fromkeys(("type", "percent", "seconds", "topic", "course"), Effect.PROGRESS),
        creation=Effect.PROGRESS,
        touches=manifest.criterion_subjects,
        follows={Effect.PROGRESS: "their completion is recomputed"},
        remains={Effect.PROGRESS: "no route withdraws certificates that are granted meanwhile"},
    ),
    calls=Calls(
        create=calls.create_criterion_part,
        update=calls.update_criterion,
        removal=calls.remove_criterion,
        by_hand=calls.BY_HAND,
        along=calls.SENT,
        unsent={"id": "never"},
        readback=True,
        failures=calls.failed_entries,
    ),
    reads=Reads(
        match=calls.match_criterion,
        request=calls.criterion_request,
        observed=calls.observe_criterion,
        readings=calls.READINGS,
        place=of_its("course", "completion criteria"),
    ),
    imports=calls.IMPORTS,
)
