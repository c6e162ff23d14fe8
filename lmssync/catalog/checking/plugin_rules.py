"""What the rules of installed packages find in a catalog, where it lists those packages.

It is a module of its own because it imports the kinds: a check of which nothing has changed recalls
its result without them.
"""

from collections.abc import Iterator
from dataclasses import replace

from ... import plugins
from ...errors import LmssyncError
from ...kinds import KINDS
from ...plugins import PluginProblem, PluginResource, PluginRule
from ...problems import Problem, Rule, Severity
from ...resource import Address
from ...settings import Project
from ...support import rulebook
from ..manifests.catalog import Catalog


def plugin_problems(catalog: Catalog, project: Project) -> Iterator[Problem]:
    """The problems that rules of listed packages find; raises `BrokenPlugin` for one that fails."""
    for package, rule in plugins.plugin_rules(project.plugins):
        if rulebook.find_rule(rule.id):
            taken = ValueError(f"lmssync has a rule {rule.id} of its own")
            raise plugins.plugin_failure(package, rule.id, taken)
        try:
            yield from [
                _check_plugin_problem(catalog, rule, found)
                for found in rule.check(_resources_of_rules(catalog))
            ]
        except LmssyncError:  # ours: the catalog cannot be read
            raise
        except (Exception, SystemExit) as error:
            raise plugins.plugin_failure(package, rule.id, error) from error


def _resources_of_rules(catalog: Catalog) -> Iterator[PluginResource]:
    """Every resource but lists of people: who learns is no matter of a rule."""
    for address, resource in catalog.resources.items():
        if not KINDS[address.kind].concealed:
            yield PluginResource(str(address), address.kind, resource.form)


def _check_plugin_problem(catalog: Catalog, rule: PluginRule, found: PluginProblem) -> Problem:
    if not isinstance(found, PluginProblem):
        raise TypeError("it yields something that is no `lmssync.plugins.PluginProblem`")
    steps = all(isinstance(step, str | int) for step in found.path)
    if not (plugins.are_texts(found.address, found.message, found.hint or "-") and steps):
        raise TypeError("it yields a `PluginProblem` of something else than texts")
    address = Address.parse(found.address)
    resource = catalog.resources.get(address)
    if resource is None:
        raise LookupError(f"the catalog has no {found.address}")
    origin = resource.origin.at(tuple(found.path))
    ours = Rule(rule.id, rule.means, rule.remedy, Severity(rule.severity), fixed=False)
    problem = ours.problem(found.message, origin, found.hint or None, address)
    return replace(problem, across=True)
