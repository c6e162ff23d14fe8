"""Rules about policies: mistakes in `policies/*.yaml`."""

from ..problems import Rule

TITLE = "Policies"

RULES = (
    Rule(
        "policy-taken",
        "The id of a policy is already used by another policy, or by a rule of lmssync.",
        "Give it another id. Ids that end in `-type`, `-range`, `-length` or `-value` are taken.",
    ),
    Rule(
        "policy-path",
        "A policy names a field that manifests of this kind do not have.",
        "Use the field that the hint names; a dot leads into a mapping, or into the items of a "
        "list.",
    ),
    Rule(
        "policy-group",
        "A group has no conditions, is nested too deeply, or is not a group of conditions.",
        "Write a mapping of fields and conditions; `any` and `all` take a list of such mappings.",
    ),
    Rule(
        "policy-operator",
        "There is no such operator, or it does not work with values of this field.",
        "Use one of those that the hint lists.",
    ),
    Rule(
        "policy-operand",
        "The value after an operator has the wrong type, or could never be met.",
        "Write a value that the field can have.",
    ),
    Rule(
        "policy-expression",
        "The regular expression is not valid.",
        "Close what is open, and put a backslash before characters that you mean literally; "
        "look-around and back-references are not supported.",
    ),
    Rule(
        "policy-template",
        "A policy file is a template.",
        "Write it without a template: policies are the same for every environment.",
    ),
)
