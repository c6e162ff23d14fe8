"""Texts like manifests, line by line, of which every other has something odd in it."""

from random import Random

from hypothesis import strategies as st

_KEYS = ["a", "b", "title", "true", "null", "y", "e3", "é", "a.b", "a-b", "_x", "a1"]
_ODD_KEYS = ["a b", "'a'", '"a"', "1", "? a", "", "a ", "a:", "*x", "&x a", "[a]", "-a"]
_VALUES = [
    *("x", "a b", "a:b", "a#b", "1", "-1", "0", "~", "null", "true", "no", "2027-01-01", "12:30"),
    *("'q'", "'it''s'", "''", '"q"', '"a\\nb"', '"\\u00e9"', '"\\/"', '""', "<p>x</p>", "\xa0x"),
    *("漢字", "😀", "/x", "$x", "(x)", "http://x#y", "a, b", "a]b", "a'b", "[]", "[a]", "[a , b ]"),
    *("{}", "{a: b, c: 'd'}", "{a: https://x.y/z?b, c: What now?}", "[a, [b, {c: 1}]]", "- - x"),
    *("012", "1.5", "a: b", "a ", "<<", "=", ".5", "..", "---", "-x", "- x", "?x", "[a:b]", "[,]"),
    *(
        "{a: }",
        "{a:b}",
        "[a,b,]",
        "&x y",
        "*x",
        "!!str a",
        "|",
        ">",
        "|2",
        "@x",
        "%x",
        "1_0",
        "0x1",
    ),
    *("'a' b", "'a", '"\\ud83d"', "a:", "99999999999999999999", "[a", "{a: b}}", "x\ty", "x\xa0"),
]
_LINES = [
    *("text", "# text", "two words", "- item", "a: b", "  in", "    in", "", "", "'q'", "x: |"),
    *("---", "...", "[a", "{b", "\ttab", "a\tb", " ", "   ", "é", "*b*", "text  ", "a: 1"),
]
_HEADS = ["|", "|", "|", "|-", "|+", "|2", "|2-", "|1", "|4", ">", ">-", ">+", ">2"]
_MARKS = [
    *" \n:#-'\"|>[]{},&*!?%@`\\\t\r013ab~<=.é",
    "\n  ",
    " #",
    ": ",
    "- ",
    "\n\n",
    "\x85",
    "\x07",
]


def manifest_lines(random: Random) -> str:
    """A text of some lines."""
    lines = ["---"] if random.random() < 0.1 else []
    _collection(random, lines, 0, 0)
    text = "\n".join(lines) + random.choice(["\n"] * 6 + ["", "\n\n\n", "\n \n", "\n# c\n"])
    for _ in range(random.choice([0, 0, 1, 2])):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(["", *_MARKS]) + text[at + random.randrange(2) :]
    return text.replace("\n", "\r\n") if random.random() < 0.05 else text


def _collection(random: Random, lines: list[str], indent: int, depth: int) -> None:
    listed = random.random() < 0.35
    for _ in range(random.randint(1, 4)):
        margin = " " * max(0, indent + random.choice([0] * 40 + [-2, -1, 1, 2]))
        if random.random() < 0.06:
            lines.append(random.choice(["", "  ", "# c", f"{margin}  # c", "---"]))
        if listed and random.random() < 0.4:
            lines.append(f"{margin}- {random.choice(_VALUES)}")
        elif listed:
            _entry(random, lines, f"{margin}- ", depth)
            for _ in range(random.randint(0, 2)):
                _entry(random, lines, f"{margin}  ", depth)
        else:
            _entry(random, lines, margin, depth)


def _entry(random: Random, lines: list[str], margin: str, depth: int) -> None:
    key = random.choice(_KEYS if random.random() < 0.97 else _ODD_KEYS)
    way, column = random.random(), len(margin)
    beside = random.choice([""] * 12 + [" ", "  # c", "#c"])
    if way < 0.5:
        lines.append(f"{margin}{key}: {random.choice(_VALUES)}{beside}")
        if random.random() < 0.03:
            lines.append(" " * random.choice([column, column + 2]) + random.choice(_VALUES))
    elif way < 0.75:
        lines.append(f"{margin}{key}: {random.choice(_HEADS)}{beside}")
        lines += _block(random, column + random.choice([0, 1, 2, 2, 2, 4]))
    else:
        lines.append(f"{margin}{key}:{beside}")
        if depth < 3:
            _collection(random, lines, column + random.choice([0, 1, 2, 2, 2, 4]), depth + 1)


def _block(random: Random, indent: int) -> list[str]:
    texts = random.choices(_LINES, k=random.randint(0, 5))
    columns = [max(0, indent + random.choice([0] * 6 + [1, 2, -1, -2])) for _ in texts]
    return [
        " " * column + text if text else "" for column, text in zip(columns, texts, strict=True)
    ]


LINES = st.randoms(use_true_random=False).map(manifest_lines)
