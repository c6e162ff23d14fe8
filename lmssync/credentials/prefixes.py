"""Whether a key is one of the environment: its beginning tells what it is for (spec 5)."""

from collections.abc import Mapping
from typing import NamedTuple

from ..errors import WrongUse
from ..settings import PROJECT_FILE
from .sources import FoundSecret


class Prefixes(NamedTuple):
    """The environment of a run, and what the keys of each environment begin with."""

    name: str
    by_environment: Mapping[str, str]

    def require(self, found: FoundSecret) -> None:
        """Raises `WrongUse` for the key of another environment; it quotes nothing of the key."""
        own = self.by_environment.get(self.name, "")
        if own and found.value.startswith(own):
            return
        other = self._other(found.value)
        if not own and not other:
            return
        why = f"does not begin with `{own}`" if own else "is the key of another environment"
        like = f"; it begins like those of `{other}`" if other else ""
        raise WrongUse(
            f"the key of {found.where} {why}{like}; this run is about `{self.name}`, "
            "so it was not sent",
            f"set the key of `{self.name}`; `keyPrefix` in {PROJECT_FILE} says how keys begin",
        )

    def _other(self, key: str) -> str:
        """The environment whose keys begin like this one; the longest beginning counts."""
        fitting = (
            (len(prefix), name)
            for name, prefix in self.by_environment.items()
            if name != self.name and key.startswith(prefix)
        )
        return max(fitting, default=(0, ""))[1]
