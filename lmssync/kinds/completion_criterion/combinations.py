"""Which fields a rule of completion takes (spec 2.3)."""

from ...kind import ByWord, Together, Word
from ...vocabulary.enums import CriterionType
from .spec import NEEDS, CriterionSpec

_WORDS = {word: Word(NEEDS[word], NEEDS[word]) for word in CriterionType}
BY_TYPE = ByWord("type", _WORDS, "a criterion of type")
TOGETHER: Together = {CriterionSpec: [BY_TYPE]}
