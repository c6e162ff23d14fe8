"""license: what a client's learners may take, and how many of them (spec 2.5)."""

from ...kind import Authoring, Calls, Effect, Impact, Kind, Reads, Relations, Subject, SubjectKind
from ..reference_fields import ids_in, kinds_in, of_its, own_node, references_in
from ..sibling_names import named_twice
from .license_calls import (
    ALONG,
    BY_HAND,
    FURTHER,
    IMPORTS,
    MENTION,
    ON_WIRE,
    READINGS,
    create_license_part,
    license_losses,
    match_license,
    remove_license,
    search_license,
    update_license_by_call,
)
from .license_manifest import (
    REFERENCES,
    LicenseSpec,
    check_grants,
    check_replace_flags,
    license_facts,
    normalise_license,
)
from .license_relations import GROUP_RULES, REFERENCE_RULES

KIND = Kind(
    name="license",
    resource="license",
    noun="license",
    spec=LicenseSpec,
    authoring=Authoring(
        normalise=normalise_license,
        in_copy={"sku": None},
        rules=(
            check_replace_flags,
            check_grants,
            named_twice("courses", "learningPaths", "courseTags"),
        ),
    ),
    relations=Relations(
        references=references_in(REFERENCES),
        names=kinds_in(REFERENCES),
        ids=ids_in(REFERENCES),
        facts=license_facts,
        reference_rules=REFERENCE_RULES,
        group_by="client",
        group_rules=GROUP_RULES,
    ),
    impact=Impact(
        effects=dict.fromkeys(LicenseSpec.model_fields, Effect.ACCESS)
        | {"name": Effect.EDITORIAL, "label": Effect.EDITORIAL, "sku": Effect.EDITORIAL},
        creation=Effect.ACCESS,
        for_customers=True,
        follows={Effect.ACCESS: "their access may change"},
        held=True,
        seats=lambda form: form.get("seatsLimit"),
        touches=lambda address, _before, _after: [Subject(SubjectKind.LICENSE, own_node(address))],
        losses=license_losses,
        open_to_learners=lambda _form: True,
    ),
    calls=Calls(
        create=create_license_part,
        update=update_license_by_call,
        removal=remove_license,
        by_hand=BY_HAND,
        further=FURTHER,
        along=ALONG,
        marker_setting="licenseMarker",
        created=lambda answer: [answer["id"]],
    ),
    reads=Reads(
        match=match_license,
        search=search_license,
        unlisted=True,
        mention=MENTION,
        readings=READINGS,
        on_wire=ON_WIRE,
        place=of_its("client", "licenses"),
    ),
    imports=IMPORTS,
)
