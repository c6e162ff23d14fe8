"""license_assignment: which people hold which licenses, set for many at once (spec 2.7, 4)."""

from ..kind import Effect, Kind
from .answer import jobs, match, settled
from .calls import create, departure, update
from .combinations import TOGETHER
from .conceal import CONCEALED
from .form import facts, normalise, references, tables
from .group_rules import AMONG
from .losses import losses
from .rules import RULES
from .spec import LicenseAssignmentSpec

KIND = Kind(
    name="assignment",
    resource="licenseAssignment",
    noun="license assignment",
    spec=LicenseAssignmentSpec,
    normalise=normalise,
    references=references,
    rules=RULES,
    together=TOGETHER,
    facts=facts,
    family="catalog",
    among=AMONG,
    tables=tables,
    effects={
        "licenses": Effect.ACCESS,
        "users": Effect.ACCESS,
        "usersFile": Effect.ACCESS,
        "enrollmentOptions": Effect.COSMETIC,
    },
    creation=Effect.ACCESS,
    losses=losses,
    create=create,
    departure=departure,
    update=update,
    unsent={"enrollmentOptions": "nothing"},
    alone=True,
    jobs=jobs,
    settled=settled,
    concealed=CONCEALED,
    match=match,
)
