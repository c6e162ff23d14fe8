"""Rules about overlays, templates, defaults and settings."""

from ..problems import Rule

TITLE = "Overlays, templates, defaults, settings"

RULES = (
    Rule(
        "overlay-environment",
        "A folder of `overlays/` is named after an environment that `lmssync.yaml` does not have.",
        "Name it after one that exists, or add the environment.",
    ),
    Rule(
        "overlay-target",
        "An overlay changes a resource that is not in the catalog.",
        "Correct `resource` and `key`; write new resources in a manifest, not in an overlay.",
    ),
    Rule(
        "overlay-patch",
        "`$patch` in an overlay has an unknown value, or is in a place where it has no meaning.",
        "Write `$patch: delete` alone, or `$patch: add` in a new item of a list.",
    ),
    Rule(
        "environment-name",
        "An environment has a name that cannot be used in a path or on a command line.",
        "Use letters and digits, with single hyphens, dots or underscores between them.",
    ),
    Rule(
        "default-environment",
        "`defaultEnvironment` names an environment that does not exist.",
        "Name one that is listed under `environments`, or delete the line.",
    ),
    Rule(
        "base-url",
        "An address has no host, or one that programs read in different ways, such as `127.1`.",
        "Write it as a browser shows it: `https://learning.example.com`.",
    ),
    Rule(
        "state-outside",
        "The project file puts the state outside the catalog.",
        "Name a file in the catalog. To keep the state elsewhere, set `LMSSYNC_STATE`.",
    ),
    Rule(
        "second-document",
        "The project file holds several documents, of which only one would be read.",
        "Put everything into the first.",
    ),
    Rule(
        "overlay-part",
        "An overlay changes an item of a list that the manifest does not have.",
        "Correct the `id`, or write `$patch: add` in the item to add it.",
    ),
    Rule(
        "template-syntax",
        "A `*.yaml.j2` file is not a valid Jinja2 template.",
        "Close what is open, and put text that contains `{{` or `{%` into `{% raw %}`.",
    ),
    Rule(
        "template-variable",
        "A template uses a variable that the environment does not have.",
        "Correct its name, or add it under `vars:` of every environment.",
    ),
    Rule(
        "template-render",
        "A template cannot be rendered: it does something that templates may not do, an "
        "expression fails, or it needs too much memory or time.",
        "Check the expression in the line that the problem names.",
    ),
    Rule(
        "default-field",
        "`defaults:` of the project file names a field that the kind does not have.",
        "Use a field that its manifests may have; `resource` and `key` have no defaults.",
    ),
    Rule(
        "unknown-rule",
        "`rules:` of the project file names a rule that does not exist.",
        "Use the code that problems show in brackets.",
    ),
    Rule(
        "rule-fixed",
        "`rules:` lowers or switches off a rule that a catalog cannot change.",
        "Delete the line; `may be changed` in the reference marks the rules that a catalog can "
        "change.",
    ),
    Rule(
        "rules-folder",
        "A name that has further rules below it, under `rules:` of the project file, is not a "
        "folder of the catalog.",
        "Write the path from the root of the catalog, with a slash at the end: `courses/old/`.",
    ),
)
