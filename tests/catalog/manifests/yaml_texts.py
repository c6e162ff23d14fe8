"""YAML that is hard to agree about, and how more of it is made."""

from random import Random

from hypothesis import strategies as st

from .yaml_snippets import SNIPPETS

HARD = [
    "",
    "---\n",
    "---\n---\n",
    "a: 1\n---\nb: 2\n...\n",
    "# only a comment\n",
    "a: no\nb: yes\nc: on\nd: Off\ne: y\n",
    "a: true\nb: True\nc: TRUE\nd: tRUE\n",
    "a: null\nb: Null\nc: ~\nd:\ne: nULL\n",
    "a: 012\nb: 0o12\nc: 0x1F\nd: 0b11\ne: 00\n",
    "a: 1_000\nb: 1,000\nc: +1\nd: -1\ne: -0\n",
    "a: 1.5\nb: .5\nc: 1.\nd: 1e3\ne: 1E-3\nf: .inf\ng: -.INF\nh: .nan\n",
    "a: 12e03\nb: 1e\nc: 0.\nd: .\ne: ..\nf: -\n",
    "a: 2027-01-31\nb: 2027-02-30\nc: 2027-01-31T09:00:00Z\nd: 2027-13-01\n",
    "a: 2027-01-31 09:00:00\nb: 2027-1-1\nc: 0001-01-01\n",
    "a: 12:30\nb: 1:2:3\nc: 12:30:45.5\n",
    "a: 7d1c0000-0000-4000-8000-000000000001\n",
    "a: 12345678-1234-4234-8234-123456789012\n",
    "a: 1e100000-0000-4000-8000-000000000001\n",
    "a: 99999999999999999999999999\n",
    "a: -9223372036854775809\n",
    "a: 'single ''quoted'''\nb: \"double \\\"quoted\\\" \\u00e9 \\n\"\n",
    'a: "\\x41\\/\\_\\N\\L\\P"\n',
    "a: |\n  kept\n   as it is\n\nb: >-\n  folded\n  text\n\n  here\n",
    "a: |+\n  text\n\n\nb: |2\n    indented\n",
    "a: plain text\n  on two lines\n",
    'a: it\'s\nb: say "hi"\nc: a#b\nd: a #comment\n',
    "a: [1, 'two', {three: 3}]\nb: {}\nc: []\n",
    "a: {url: https://example.com/x?y=z}\n",
    "a: https://example.com/x?y=z#top\n",
    "a: [a, b,]\nb: {c: 1,}\n",
    "a: {b, c: 1}\n",
    "- 1\n- [2]\n-\n  - 3\n- a: 4\n  b: 5\n",
    "just text\n",
    "42\n",
    "a: &x {b: 1}\nc: *x\n",
    "a: &x 5\nb: [*x, *x]\n",
    "a: &x [1]\nb: &x [2]\nc: *x\n",
    "a: *nowhere\n",
    "a: &a [*a]\n",
    "a: &a {b: *a}\n",
    "&k a: 1\n*k : 2\n",
    "base: &b {x: 1}\nmore: {<<: *b, y: 2}\n",
    "<<: {x: 1}\n",
    "a: <<\nb: =\n",
    "a: !!str 5\nb: !!int '5'\n",
    "a: !custom 5\n",
    "!!map {a: 1}\n",
    "a: 1\na: 2\n",
    "a: {b: 1, b: 2}\n",
    "1: a\n01: b\n",
    "1: a\n'1': b\n",
    "true: a\nnull: b\n",
    "? [a, b]\n: 1\n",
    "? a\n: 1\n? b\n",
    "a:\tb\n",
    "\ta: 1\n",
    "a:\n\t- 1\n",
    "a: 'x\ty'\n",
    "\ufeffa: 1\n",
    "a: \ufeff1\n",
    "%YAML 1.1\n---\na: no\n",
    "%YAML 1.2\n---\na: no\n",
    "%TAG ! tag:x,2000:\n---\na: !b c\n",
    "a: \x00\n",
    "a: b\x07c\n",
    "a: \x7f\n",
    "a: \x85b\n",
    "a: \u2028b\n",
    "a: é ü 漢字 🎓\n",
    "a: 1\r\nb: 2\r\n",
    "a: 1\rb: 2\r",
    "a: [1\n",
    "a: 'open\n",
    'a: "\\q"\n',
    "a: b: c\n",
    "a: 1\n b: 2\n",
    "a: @x\n",
    "a: `x`\n",
    "a: %x\n",
    "a: - b\n",
    "- a\nb: 1\n",
    "{a: 1}}\n",
    "a: {{ b }}\n",
    "'a': 1\n\"b\": 2\n",
    "a: ' '\nb: ''\n",
    ": 1\n",
    "a: ?b\nc: :d\ne: -f\n",
]
"""The texts that YAML readers are known to differ on."""

_SCALARS = st.one_of(
    st.sampled_from(
        ["no", "012", "1_0", "0x1", "1e3", "~", "2027-02-30", "-", "<<", "=", "a b", "1:2", "'q'"]
    ),
    st.from_regex(r"[-+.0-9eExob_:~<=TtFfNn]{1,8}", fullmatch=True),
    st.text("ab:#-,[]{}&*!|>'\"%@`? 01.é", max_size=8),
    st.integers().map(str),
)
_KEYS = st.sampled_from(["a", "b", "a b", "'c'", "no", "1", "<<", "2027-01-01"])


def _block(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = st.lists(inner, max_size=3).map(lambda items: "[" + ", ".join(items) + "]")
    pairs = st.lists(st.tuples(_KEYS, inner), max_size=3)
    maps = pairs.map(lambda items: "{" + ", ".join(f"{k}: {v}" for k, v in items) + "}")
    return st.one_of(
        lists, maps, inner.map(lambda text: f"&x {text}"), inner.map("!!str {}".format)
    )


_VALUES = st.recursive(st.one_of(_SCALARS, st.just("*x")), _block, max_leaves=6)
_LINES = st.lists(st.tuples(_KEYS, _VALUES), max_size=4).map(
    lambda pairs: "".join(f"{key}: {value}\n" for key, value in pairs)
)
TEXTS = st.one_of(
    _LINES,
    st.lists(_LINES, max_size=3).map("---\n".join),
    st.text("ab:- \n#[]{},&*!|>'\"%@`?01.~<=\t", max_size=40),
)
"""Texts that are often YAML and often only look like it."""

FRAGMENTS = [
    *("a", "b", "c: ", "a: ", "b:\n  ", "- ", "- - ", "? ", ": ", ":", "a b", "a : b\n", "a:\n"),
    *("\n", "\n  ", "\n    ", "\n\n", "\n ", "\n\t", "\t", " ", "  ", "\r\n", "\r", "\x85", "\xa0"),
    *("\u2028", "\u2029", "\ufeff", "é", "漢", "\U0001f600", "\ud7ff", "\ufffe", "\x80", "\x7f"),
    *("\x00", "\x08", "\x1f", "[", "]", "{", "}", ", ", ",", "[a, b]", "{a: b}", "{a: 1, b}"),
    *("[a: b]", "[? a: b]", "{? a}", "{a:1}", '{"a":1}', "['a':1]", "[\n a\n]\n", "{\na: b\n}\n"),
    *("https://a.b/c?d=e#f", "What now?", "a:b", "a::b", "c?d", "?x", ":x", "12:30", "x@y.z"),
    *("|\n", "|-\n", "|+\n", "|2\n", "|-2\n", "|1+\n", "|9\n", "|0\n", "| #c\n", "|#c\n", "|\t\n"),
    *(
        ">\n",
        ">-\n",
        ">+\n",
        ">1\n",
        "> \n",
        "&a ",
        "&a\n",
        "&a",
        "*a",
        "*a ",
        "&b &c ",
        "*a : b\n",
    ),
    *("!!str ", "!!int ", "!!null ", "!!map ", "!!seq ", "!", "! ", "!x!y ", "!!binary aGk="),
    *("!<tag:yaml.org,2002:str> ", "!!set {a}", "!!float 1", "!!timestamp 2001-01-01", "'", "''"),
    *("'a'", "'a b'\n", "'a\n  b'", "'a\n\n b'", '"', '\\"', '"a"', '"a\\n"', '"\\x41"', '"\\q"'),
    *('"\\u263a"', '"\\U0001F600"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\\n  b"', '"a\n\n  b"'),
    *('"\\ "', '"\\t"', '"\\e"', '"\\N"', '"\\/"', "#", "# c\n", " # c\n", " #", "#c", "a#b", "%"),
    *("%YAML 1.1\n---\n", "%YAML 1.2\n---\n", "%YAML 1.3\n---\n", "%TAG ! tag:x:\n---\n", "%A b\n"),
    *(
        "---",
        "---\n",
        "--- ",
        "---a",
        "...",
        "...\n",
        "... #c\n",
        "... a",
        "<<: ",
        "<<: *a\n",
        "<<",
    ),
    *(
        "=",
        "~",
        "null",
        "true",
        "True",
        "yes",
        "No",
        "1",
        "01",
        "0o7",
        "0x1F",
        "0b1",
        "1_000",
        "1e3",
    ),
    *("1.5", "1.", ".5", "+.inf", ".nan", "190:20:30", "2001-01-01", "2001-01-01 10:00:00", "-0"),
    *(
        "+1",
        "- 1",
        "-1",
        "1e",
        "12e03",
        "0.",
        "-",
        "--",
        "-a",
        "?a",
        ":a",
        "@",
        "`",
        "@a",
        "*",
        "&",
    ),
    *("|", ">", "a: b: c\n", "a\n  b", "  a: 1\n", "- a\n", "- a: 1\n  b: 2\n", "  - b\n", "a,b"),
    *(
        "a]",
        "a}",
        "a{b",
        "{a",
        "[a",
        "? a\n: b\n",
        "? |\n  a\n: b\n",
        "? - a\n: - b\n",
        "&a a: b\n",
    ),
]
"""Pieces of YAML that mean something else in every other place."""
_STARTS = ("a: ", "b:\n  ", "- ", "k:\n  - ", "{", "- {", "a: [", "? ", "'k': ", '"l": ', "---\n")


def hostile(random: Random) -> str:
    """A text in which fragments stand where they hurt."""
    if random.random() < 0.4:
        text = "".join(random.choices(FRAGMENTS, k=random.randint(1, 12)))
    elif random.random() < 0.5:
        text = random.choice([*HARD, *SNIPPETS])
    else:
        text = "".join(
            random.choice(_STARTS)
            + "".join(random.choices(FRAGMENTS, k=random.randint(1, 3)))
            + random.choice(["\n", "\n", "}\n", "]\n", "\r\n", ""])
            for _ in range(random.randint(1, 4))
        )
    for _ in range(random.randint(0, 3)):
        text = _changed(text, random)
    return text


def _changed(text: str, random: Random) -> str:
    """The text with something put in, taken out, or said twice."""
    first, last = sorted(random.choices(range(len(text) + 1), k=2))
    way = random.randrange(4)
    if way == 0:
        return text[:last] + text[first:]
    if way == 1:
        return text[:first] + text[min(last, first + 3) :]
    return text[:first] + random.choice(FRAGMENTS) + text[first:]


HOSTILE = st.randoms(use_true_random=False).map(hostile)
