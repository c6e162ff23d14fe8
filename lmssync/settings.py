"""What `lmssync.yaml` may say, and which environment a run is about."""

from collections.abc import Iterator, Mapping
from datetime import UTC, tzinfo
from typing import Annotated, Any, Literal

from .errors import WrongUse
from .problems import suggest_near
from .resource import PROJECT_FILE, Path
from .support.declared_values import FieldRules
from .support.hosts import NoHost, Site, parse_site
from .support.notification_settings import NotifyTarget
from .support.secret_sources import SecretSource, SettingsModel
from .vocabulary.limits import ENTERPRISE, STANDARD
from .vocabulary.routes import CAPABILITIES, CORE_ROUTES, LIST_TIMES

SQLITE = "sqlite:///"
DEFAULT_STATE = f"{SQLITE}.lmssync/state.db"
HOUR = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
PACKAGE = r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$"
ADDRESS = r"^https?://[^/\s]+[^\s]*$"
BASE_URL, STATE = "LMSSYNC_BASE_URL", "LMSSYNC_STATE"
PLAN_KEY = "LMSSYNC_PLAN_SECRET"
PEOPLE_KEY = "LMSSYNC_PEOPLE_KEY"
STATE_KEY = "LMSSYNC_STATE_KEY"
API_KEY = "LMSSYNC_API_KEY"
OF_FILE = "_FILE"
"""Ends the name of a variable that names the file of a secret."""
SLICE = "LMSSYNC_SLICE"
"""The variable that names the slice of a run."""
ENVIRONMENT = "LMSSYNC_ENV"
"""The variable that names the environment of a run."""
UNNAMED = "default"
"""The environment of a catalog that names none, where LMSSYNC_BASE_URL says the address."""


Grade = Literal["error", "warning", "off"]


class OAuth(SettingsModel):
    """OAuth client credentials: runs ask for access tokens, which they never write down."""

    tokenUrl: Annotated[
        str, FieldRules(pattern=r"^(https?://[^/\s]+|/)[^\s]*$", examples=["/oauth/token"])
    ]
    """Where access tokens are given out: a path of the instance, or a whole address."""
    clientId: SecretSource = SecretSource(env="LMSSYNC_OAUTH_CLIENT_ID")
    """Where to find the id of the client."""
    clientSecret: SecretSource = SecretSource(env="LMSSYNC_OAUTH_CLIENT_SECRET")
    """Where to find its secret; the secret itself is never written here."""
    scopes: list[Annotated[str, FieldRules(pattern=r"^[\x21\x23-\x5B\x5D-\x7E]+$")]] = []
    """What the tokens are to allow; without it, all that the client may do."""


class ManyChanges(SettingsModel):
    """How much of what is managed may change in one plan."""

    severity: Grade = "warning"
    """Whether a plan that changes more is blocked, or only says so."""
    mostPercent: Annotated[int, FieldRules(ge=1, le=100)] = 30
    """The largest share of the recorded resources that one plan may change or forget."""
    least: Annotated[int, FieldRules(ge=1)] = 10
    """With fewer recorded resources than this, every share is fine."""


class LearnersTouched(SettingsModel):
    """How many learners one plan may touch."""

    severity: Grade = "error"
    """Whether a plan that touches more is blocked, or only says so."""
    most: Annotated[int, FieldRules(ge=0)]
    """The most learners inside the courses, or holding the licenses, that a plan changes in more
    than words and pictures; a learner who is in two of them counts twice."""


class QuietHours(SettingsModel):
    """When a plan that touches learners may be applied: from `begin` to `end` on any day, or in the
    eight hours in which they did least."""

    severity: Grade = "error"
    """Whether an apply at another time is blocked, or only says so."""
    begin: Annotated[str, FieldRules(pattern=HOUR, examples=["20:00"])] | None = None
    """The first minute of the quiet hours."""
    end: Annotated[str, FieldRules(pattern=HOUR, examples=["06:00"])] | None = None
    """The first minute after them; the next day if it is earlier than `begin`."""
    timeZone: Annotated[str, FieldRules(examples=["Europe/Berlin"])] = "UTC"
    """What `begin` and `end` are in, by its name in the time zone database."""


def quiet_zone(quiet: QuietHours) -> tzinfo | None:
    """The time zone of quiet hours; None for one that nobody knows."""
    from zoneinfo import ZoneInfo  # most runs need none

    try:
        return UTC if quiet.timeZone == "UTC" else ZoneInfo(quiet.timeZone)
    except (KeyError, OSError, ValueError):  # not found is a KeyError
        return None


class Guards(SettingsModel):
    """What makes a plan stop, or say so loudly, until somebody allows it with `--allow`."""

    manyChanges: ManyChanges = ManyChanges()
    """A plan that changes much of what is managed; `--allow manyChanges`."""
    published: Grade = "warning"
    """A change of progress, access or commerce of something that learners can already see or hold;
    `--allow ADDRESS`."""
    permanentLoss: Grade = "warning"
    """A change that takes something away for good, such as `preserveProgress: false` or
    `replaceCourseIds: true`; `--allow ADDRESS`."""
    learners: LearnersTouched | None = None
    """A plan that touches many learners, by the events that were pulled; `--allow learners`."""
    quietHours: QuietHours | None = None
    """An apply outside of quiet hours; without `begin` and `end` they are learned from the events
    of the last 28 days; `--allow quietHours`."""


class Platform(SettingsModel):
    """What an instance has, and how it is asked."""

    profile: Annotated[
        Literal["core", "extended"],
        FieldRules(
            json_schema_extra={
                "enumDescriptions": [
                    "The routes of the platform's specification.",
                    "These, and lists and reads that many instances have besides.",
                ]
            }
        ),
    ] = "core"
    """Which routes the instance has, on which depends what can be read, found and changed there;
    `capabilities` switches single ones. `lmssync doctor --probe` finds out."""

    capabilities: Annotated[dict[str, bool], FieldRules(examples=[{"content.search": False}])] = {}
    """Which of the further routes the instance has or has not, whatever the profile says; `lmssync
    doctor --probe` finds out."""

    @property
    def verified_percent(self) -> int | None:
        """How much of what a call has made is read back at once; None for what makes nothing
        wait."""
        share = {"all": "100%", "needed": "0%"}.get(self.verify, self.verify)
        return None if share == "minute" else int(share.rstrip("%"))

    @property
    def routes(self) -> frozenset[str]:
        """The routes that the instance has, by name, and `LIST_TIMES` if its lists can be relied
        on, which no profile says."""
        further = {
            name
            for name in CAPABILITIES
            if self.capabilities.get(name, self.profile == "extended" and name != LIST_TIMES)
        }
        return CORE_ROUTES | further

    marker: Literal["sku", "none"] = "sku"
    """Where a course carries the mark by which it is found again, so that none is made twice."""
    verify: Annotated[
        str, FieldRules(pattern=r"^(minute|all|needed|([1-9]?[0-9]|100)%)$", examples=["10%"])
    ] = "minute"
    """How much of what an apply has created is read back at once: with `minute` the calls that are
    free in the minutes which it takes anyway, `all`, a share such as `10%`, or only what is
    `needed`. The rest is read when something needs it: a plan that changes it, something that
    refers to it, `drift`."""
    timeout: Annotated[int, FieldRules(ge=1, le=600)] = 60
    """Seconds that a request may take, to the last byte of its answer. What a stopped run has sent
    may still be done for as long, so the next run waits until then before it believes that
    something is not there."""
    connections: Annotated[int, FieldRules(ge=1, le=ENTERPRISE.connections)] = STANDARD.connections
    """Requests that may be under way at once: reads, and writes that do not depend on each other.
    A standard account may have 5, an enterprise account 20; with 1 each waits for the one
    before it."""
    licenseMarker: (
        Annotated[str, FieldRules(pattern=r"^ref([1-9]|10)$", examples=["ref10"])] | None
    ) = None
    """The `refN` of a license that may carry the mark."""


class Environment(SettingsModel):
    """One instance of the platform."""

    baseUrl: Annotated[str, FieldRules(pattern=ADDRESS)]
    """Address of the instance, without `/incoming/v2`."""
    apiKey: SecretSource = SecretSource(env=API_KEY)
    """Where to find the API key; the key itself is never written here."""
    oauth: OAuth | None = None
    """Access tokens in the place of an API key; `LMSSYNC_API_KEY` goes before them."""
    keyPrefix: (
        Annotated[
            str, FieldRules(pattern=r"^([A-Za-z]{2,16}[-_.~]){1,2}$", examples=["production-"])
        ]
        | None
    ) = None
    """What the keys and access tokens of this instance begin with: one or two words, each with its
    sign (`-`, `_`, `.` or `~`). Another key is not sent."""
    vars: dict[str, Any] = {}
    """Values that templates (`*.yaml.j2`) can use as `vars.NAME`."""
    state: str | None = None
    """Where the state of this environment is kept, if not where `state` of the project says."""
    protected: bool = False
    """Only a saved plan is applied here, unless `apply` gets `--allow environment.NAME`."""
    promoteFrom: str | None = None
    """The environment that must have a change before it is made here."""
    guards: Guards = Guards()
    """Guards that are set otherwise here than for the other environments."""
    platform: Platform = Platform()
    """Settings that count here in the place of those under `platform` of the project; of
    `capabilities`, each by itself."""

    @property
    def site(self) -> Site:
        """Where `baseUrl` leads; raises `NoHost` for one that nobody has checked."""
        return parse_site(self.baseUrl)

    @property
    def token_site(self) -> Site | None:
        """Where access tokens are given out; raises `NoHost` as `site` does."""
        if self.oauth is None:
            return None
        url = self.oauth.tokenUrl
        return parse_site(url if "://" in url else self.site.origin.url + url)


class Slice(SettingsModel):
    """Folders of the catalog whose resources have a state of their own."""

    paths: Annotated[list[str], FieldRules(min_length=1, examples=[["safety/"]])]
    """The folders, written from the root of the catalog, with a slash at the end."""
    state: str | None = None
    """Where the state of this slice is kept, if not where `state` of the project says."""


class Project(SettingsModel):
    """The project file, at the root of a catalog."""

    version: Literal[1]
    """Version of the format of this file."""
    environments: dict[str, Environment] = {}
    """The instances of the platform, by names of your own."""
    defaultEnvironment: str | None = None
    """The environment of a run that does not name one."""
    state: str = DEFAULT_STATE
    """Where the state is kept; `{environment}` stands for the name of the environment, and
    `{slice}` for that of the slice."""
    slices: dict[str, Slice] = {}
    """Parts of the catalog that are planned and applied apart, each with a state of its own, by
    names of your own. Every manifest is in one of them."""
    platform: Platform = Platform()
    """What the instances of this catalog have, where an environment does not say otherwise."""
    currency: Annotated[str, FieldRules(pattern=r"^[A-Z]{3}$", examples=["EUR"])] | None = None
    """The currency of all prices, by its code of three letters. The platform keeps none: plans and
    other texts for people show it behind each price."""
    defaults: dict[str, dict[str, Any]] = {}
    """By kind of resource, values of fields that a manifest leaves out."""
    rules: dict[str, Grade | dict[str, Grade]] = {}
    """By id of a rule, how it is reported: as an error, as a warning, or not at all; by name of a
    folder (`courses/imported/`), the same for what is in it."""

    guards: Guards = Guards()
    """What a plan may not do unless somebody allows it."""
    stepDays: Annotated[int, FieldRules(ge=1, le=3650)] = 7
    """Days after which a step for a person is overdue: `notify` can tell that."""
    notify: dict[str, NotifyTarget] = {}
    """Whom runs tell what they did and found, by names of your own. Where a message goes to is
    never written here: a stranger may have changed this file."""
    plugins: Annotated[
        list[Annotated[str, FieldRules(pattern=PACKAGE)]],
        FieldRules(examples=[["acme-lmssync-rules"]]),
    ] = []
    """Installed packages whose rules the catalog is held to as well, by their names."""

    def find_slice(self, file: str) -> str:
        """The slice that a file of the catalog is in; empty if it is in none."""
        names = (n for n, one in self.slices.items() if any(map(file.startswith, one.paths)))
        return next(names, "")

    def choose_slice(self, env: Mapping[str, str]) -> str:
        """The slice that a run names, or nothing; raises `WrongUse` for one that is not there."""
        name, known = env.get(SLICE, ""), self.slices
        if name and name not in known:
            there = f"it has: {', '.join(known)}" if known else "it has no `slices:`"
            text = f"there is no slice `{name}` in {PROJECT_FILE}"
            raise WrongUse(text, suggest_near(name, known) or there)
        given = env.get(STATE, "")
        if name and given and "{slice}" not in given:
            raise WrongUse(
                f"{STATE} is one state for all slices of {PROJECT_FILE}",
                f"write `{{slice}}` into {STATE}, where the name of the slice belongs, or unset it",
            )
        return name

    def require_slice(self, name: str) -> None:
        """Raises `WrongUse` where a run about a state does not say which slice it is about."""
        if self.slices and not name:
            first, *_ = self.slices
            raise WrongUse(
                f"{PROJECT_FILE} has {len(self.slices)} slices, each with a state of its own: "
                f"{', '.join(self.slices)}",
                f"choose one: `--slice {first}`, or {SLICE}={first}",
            )

    def place_state(self, name: str, environment: Environment, given: str = "") -> str:
        """Where the state of a slice is kept, or with an empty name that of a catalog without
        slices; `given` is a place from outside."""
        own = self.slices[name].state if name else None
        place = given or own or environment.state or self.state
        return place.replace("{slice}", name) if name else place

    def guards_of(self, environment: Environment) -> Guards:
        """The guards of an environment: its own where it sets them, else those of the project."""
        return self.guards.with_values(environment.guards.set_fields)

    def platform_of(self, environment: Environment) -> Platform:
        """The settings of an instance: its own where it has any, else those of the project."""
        own = environment.platform.set_fields
        switches = self.platform.capabilities | environment.platform.capabilities
        return self.platform.with_values({**own, "capabilities": switches})

    @property
    def list_grades(self) -> Iterator[tuple[Path, str, Grade]]:
        """Each grade with the rule that it is for, and where it stands under `rules`."""
        for name, grade in self.rules.items():
            if isinstance(grade, str):
                yield (name,), name, grade
            else:
                yield from (((name, rule), rule, inner) for rule, inner in grade.items())

    def require_known(self, name: str) -> None:
        """Raises `WrongUse` for an environment that is not there."""
        if name not in self.environments:
            raise WrongUse(
                f"there is no environment `{name}` in {PROJECT_FILE}",
                suggest_near(name, self.environments)
                or f"it has: {', '.join(self.environments) or 'none'}",
            )

    def choose_environment(
        self, name: str | None, env: Mapping[str, str]
    ) -> tuple[str, Environment]:
        """The environment of this run: `name`, `LMSSYNC_ENV`, the default, or the only one."""
        given = _address_from(env)
        wanted = name or env.get(ENVIRONMENT) or self._only_environment(env)
        if given and wanted == UNNAMED and not self.environments:
            return UNNAMED, Environment(baseUrl=given)
        self.require_known(wanted)
        chosen = self.environments[wanted]
        override: dict[str, Any] = {}
        if given:
            override["baseUrl"] = given
        if env.get(API_KEY) or env.get(f"{API_KEY}{OF_FILE}"):
            override |= {"apiKey": SecretSource(env=API_KEY), "oauth": None}
        return wanted, chosen.with_values(override)

    def _only_environment(self, env: Mapping[str, str]) -> str:
        if self.defaultEnvironment:
            return self.defaultEnvironment
        if len(self.environments) == 1:
            return next(iter(self.environments))
        if not self.environments:
            if env.get(BASE_URL):
                return UNNAMED
            raise WrongUse(
                f"{PROJECT_FILE} names no environment, so there is no platform to ask",
                f"write one under `environments:`, or set {BASE_URL}",
            )
        first, names = next(iter(self.environments)), ", ".join(self.environments)
        raise WrongUse(
            f"{PROJECT_FILE} has {len(self.environments)} environments: {names}",
            f"choose one: `-e {first}`, {ENVIRONMENT}={first}, "
            f"or `defaultEnvironment: {first}` in {PROJECT_FILE}",
        )


def _address_from(env: Mapping[str, str]) -> str:
    """The address that a run is given from outside, or nothing; raises `WrongUse`."""
    given = env.get(BASE_URL, "")
    try:
        if given:
            parse_site(given)
    except NoHost as wrong:
        shown = "" if "@" in given else f" is `{given}`, which"
        raise WrongUse(
            f"{BASE_URL}{shown} {wrong}",
            "write the address of the instance, without `/incoming/v2`",
        ) from None
    return given
