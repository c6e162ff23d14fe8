"""license: what a client's learners may take, and how many of them (spec 2.5)."""

from ...kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations, Subject, SubjectKind
from ..reference_fields import ids_in, kinds_in, of_its, own_node, references_in
from ..shared_fields import with_nodes
from ..sibling_names import named_twice
from . import license_calls as calls, license_manifest as manifest
from .license_relations import GROUP_RULES, REFERENCE_RULES

KIND = Kind(
    name="license",
    resource="license",
    noun="license",
    spec=manifest.LicenseSpec,
    authoring=Authoring(
        normalise=lambda _key, data: with_nodes(manifest.REFERENCES, data),
        in_copy={"sku": None},
        rules=(
            manifest.check_replace_flags,
            manifest.check_grants,
            named_twice("courses", "learningPaths", "courseTags"),
        ),
    ),
    relations=Relations(
        references=references_in(manifest.REFERENCES),
        names=kinds_in(manifest.REFERENCES),
        ids=ids_in(manifest.REFERENCES),
        facts=manifest.license_facts,
        reference_rules=REFERENCE_RULES,
        group_by="client",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=dict.fromkeys(manifest.LicenseSpec.model_fields, Effect.ACCESS)
        | {"name": Effect.EDITORIAL, "label": Effect.EDITORIAL, "sku": Effect.EDITORIAL},
        creation=Effect.ACCESS,
        for_customers=True,
        follows={Effect.ACCESS: "their access may change"},
        held=True,
        seats=lambda form: form.get("seatsLimit"),
        touches=lambda address, _before, _after: [Subject(SubjectKind.LICENSE, own_node(address))],
        losses=calls.license_losses,
        open_to_learners=lambda _form: True,
    ),
    calls=Calls(
        create=calls.create_license_part,
        update=calls.update_license_by_call,
        removal=calls.remove_license,
        by_hand=calls.BY_HAND,
        further=calls.FURTHER,
        along=calls.ALONG,
        marker_setting="licenseMarker",
        created=lambda answer: [answer["id"]],
    ),
    reads=Reads(
        match=calls.match_license,
        search=calls.search_license,
        unlisted=True,
        mention=calls.MENTION,
        readings=calls.READINGS,
        on_wire=calls.ON_WIRE,
        place=of_its("client", "licenses"),
    ),
    imports=calls.IMPORTS,
)
