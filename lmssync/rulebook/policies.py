"""Rules about the rules of a house: mistakes in `policies/*.yaml`."""

from .rule import Rule

TITLE = "Policies"

RULES = (
    Rule(
        "policy-taken",
        "The id of a policy is that of another one, or of a rule of lmssync.",
        "Give it another id. What ends in `-type`, `-range`, `-length` or `-value` is taken.",
    ),
    Rule(
        "policy-path",
        "A policy names a field that manifests of this kind do not have.",
        "Take the field that the hint names; a dot leads into a mapping, and through a list.",
    ),
    Rule(
        "policy-group",
        "Where conditions belong there are none, too many in one another, or something else.",
        "Write a mapping of fields and conditions; `any` and `all` take a list of such mappings.",
    ),
    Rule(
        "policy-operator",
        "There is no such operator, or it is not for values of this field.",
        "Take one of those that the hint lists.",
    ),
    Rule(
        "policy-operand",
        "What stands after an operator is of the wrong type, or could never be met.",
        "Write a value that the field can have.",
    ),
    Rule(
        "policy-expression",
        "The regular expression is none.",
        "Close what is open, and put a backslash before signs that are meant as they stand; "
        "look-around and back-references are not known.",
    ),
    Rule(
        "policy-template",
        "A policy file is a template.",
        "Write it out: policies are the same for every environment.",
    ),
)
