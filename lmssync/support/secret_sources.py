"""Where secrets are found: what settings say instead of a secret."""

from typing import Annotated, Any, ClassVar

from .declared_values import DeclaredValues, FieldRules


class SettingsModel(DeclaredValues):
    """What settings have in common."""

    model_config: ClassVar[dict[str, Any]] = {
        "extra": "forbid",
        "strict": True,
        "frozen": True,
    }


KeyVariable = Annotated[
    str, FieldRules(pattern=r"^LMSSYNC_[A-Za-z0-9_]+$", examples=["LMSSYNC_API_KEY"])
]
"""A catalog may come from a stranger: the other variables of a run are not for it to name."""


class SecretSource(SettingsModel):
    """Where a secret is found: one of these. It is never written here."""

    model_config: ClassVar[dict[str, Any]] = {
        "json_schema_extra": {"minProperties": 1, "maxProperties": 1}
    }

    env: KeyVariable | None = None
    """Name of the environment variable that holds it; it begins with LMSSYNC_. A variable of the
    same name with `_FILE` at its end may name a file that does."""
    keyring: (
        Annotated[
            str,
            FieldRules(
                pattern=r"^lmssync[A-Za-z0-9._-]*/[^\s/]+$", examples=["lmssync-production/ci"]
            ),
        ]
        | None
    ) = None
    """Service and user of an entry of the system's keyring; the service begins with `lmssync`."""
    command: (
        Annotated[
            list[str], FieldRules(min_length=1, examples=[["pass", "show", "lmssync/production"]])
        ]
        | None
    ) = None
    """A program and its arguments, which prints it on one line; it is only run if
    `LMSSYNC_KEY_COMMANDS` names the same."""

    @property
    def given_sources(self) -> list[str]:
        """The sources that it names: one, if it is right."""
        return [name for name, value in self if value is not None]
