"""The lines of the project file that say what an instance has."""

from collections.abc import Mapping

from .probe import Answered


def advised(capabilities: Mapping[str, Answered]) -> str:
    """The shortest lines under which lmssync asks for what is there, and for nothing else.

    What cannot be told counts as not there.
    """
    there = [name for name, answered in capabilities.items() if answered.has]
    absent = [name for name, answered in capabilities.items() if not answered.has]
    extended = len(there) > len(absent)
    lines = ["platform:", f"  profile: {'extended' if extended else 'core'}"]
    switched = absent if extended else there
    if switched:
        lines.append("  capabilities:")
    for name in switched:
        unknown = "  # cannot tell" if capabilities[name].has is None else ""
        lines.append(f"    {name}: {str(not extended).lower()}{unknown}")
    return "\n".join(lines) + "\n"
