"""Rules about what is laid over manifests and under them: overlays, templates, defaults."""

from .rule import Rule

TITLE = "Overlays, templates, defaults, settings"

RULES = (
    Rule(
        "overlay-environment",
        "A folder of `overlays/` is named for an environment that `lmssync.yaml` does not have.",
        "Name it for one that there is, or add the environment.",
    ),
    Rule(
        "overlay-target",
        "An overlay changes a resource that is not in the catalog.",
        "Correct `resource` and `key`; what is new is made in a manifest, not in an overlay.",
    ),
    Rule(
        "overlay-patch",
        "`$patch` in an overlay is a word that there is not, or stands where it means nothing.",
        "Write `$patch: delete` alone, or `$patch: add` in a new item of a list.",
    ),
    Rule(
        "environment-name",
        "An environment has a name that cannot stand in a path or on a command line.",
        "Take letters and digits, with single hyphens, dots or underscores between them.",
    ),
    Rule(
        "default-environment",
        "`defaultEnvironment` names an environment that is not there.",
        "Name one that stands under `environments`, or delete the line.",
    ),
    Rule(
        "base-url",
        "An address names no host, or one that programs read in different ways, such as `127.1`.",
        "Write it as a browser shows it: `https://learning.example.com`.",
    ),
    Rule(
        "state-outside",
        "The project file puts the state outside the catalog.",
        "Name a file in the catalog. A state elsewhere is named by `LMSSYNC_STATE`.",
    ),
    Rule(
        "second-document",
        "The project file holds several documents, of which only one would be read.",
        "Put all of it into the first.",
    ),
    Rule(
        "overlay-part",
        "An overlay changes an item of a list that the manifest does not have.",
        "Correct the `id`; or write `$patch: add` in it, if it is to be added.",
    ),
    Rule(
        "template-syntax",
        "A `*.yaml.j2` is not a template of Jinja2.",
        "Close what is open, and put text that holds `{{` or `{%` into `{% raw %}`.",
    ),
    Rule(
        "template-variable",
        "A template asks for a variable that the environment does not have.",
        "Correct its name, or add it under `vars:` of every environment.",
    ),
    Rule(
        "template-render",
        "A template cannot be rendered: it does what no template may, computes nonsense, or needs"
        " too much memory or time.",
        "Look at the expression in the line that is named.",
    ),
    Rule(
        "default-field",
        "`defaults:` of the project file names a field that the kind does not have.",
        "Take a field that its manifests may have; `resource` and `key` have no defaults.",
    ),
    Rule(
        "unknown-rule",
        "`rules:` of the project file names a rule that there is not.",
        "Take the code that stands in brackets in a problem.",
    ),
    Rule(
        "rule-fixed",
        "`rules:` lowers or switches off a rule that is the platform's, not the catalog's.",
        "Delete the line; `may be changed` in the reference marks the rules that it can decide.",
    ),
    Rule(
        "rules-folder",
        "What holds further rules under `rules:` of the project file is no folder of the catalog.",
        "Write it from the root of the catalog, with a slash at its end: `courses/old/`.",
    ),
)
