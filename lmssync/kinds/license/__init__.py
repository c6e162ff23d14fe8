"""license: what a client's learners may take, and how many of them (spec 2.5)."""

from ..kind import Effect, Kind
from ..siblings import named_twice
from ..texts import quality
from . import reference_rules
from .calls import BY_HAND, create, created, departure, update
from .form import normalise, references
from .live import match, search
from .losses import losses
from .rules import grants, replaces
from .spec import LicenseSpec

KIND = Kind(
    name="license",
    resource="license",
    noun="license",
    spec=LicenseSpec,
    normalise=normalise,
    references=references,
    rules=(replaces, grants, named_twice("courses", "learningPaths", "courseTags"), quality),
    facts=reference_rules.facts,
    between=reference_rules.BETWEEN,
    family="client",
    among=reference_rules.AMONG,
    effects=dict.fromkeys(LicenseSpec.model_fields, Effect.ACCESS)
    | {"name": Effect.EDITORIAL, "label": Effect.EDITORIAL, "sku": Effect.EDITORIAL},
    creation=Effect.ACCESS,
    losses=losses,
    mark_setting="licenseMarker",
    create=create,
    departure=departure,
    update=update,
    by_hand=BY_HAND,
    created=created,
    hidden=True,
    match=match,
    search=search,
)
