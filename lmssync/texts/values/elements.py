"""The elements of HTML: which there are, which have no content, which close by themselves."""

_VOID = """
    area base br col command embed frame hr img input keygen link meta param source track wbr
"""
_OPTIONAL_END = """
    body caption colgroup dd dt head html li optgroup option p rb rp rt rtc tbody td tfoot th thead
    tr
"""
_OTHER = """
    a abbr acronym address applet article aside audio b bdi bdo big blink blockquote button canvas
    center cite code data datalist del details dfn dialog dir div dl em fieldset figcaption figure
    font footer form frameset h1 h2 h3 h4 h5 h6 header hgroup i iframe ins kbd label legend main map
    mark marquee math menu meter nav nobr noembed noframes noscript object ol output picture pre
    progress q ruby s samp script search section select slot small span strike strong style sub
    summary sup svg table template textarea time title tt u ul var video xmp
"""

VOID = frozenset(_VOID.split())
OPTIONAL_END = frozenset(_OPTIONAL_END.split())
"""A browser ends them where the next begins, so nothing is wrong with leaving it out."""
KNOWN = VOID | OPTIONAL_END | frozenset(_OTHER.split())
CUT = 40
"""How many characters of a name or an address are shown."""
FOREIGN = frozenset({"svg", "math"})
"""Inside them other names hold."""


def is_element(name: str) -> bool:
    """True for an element of HTML, and for one of the author's own, which has a hyphen."""
    return name in KNOWN or "-" in name
