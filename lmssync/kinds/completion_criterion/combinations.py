"""Which fields a rule of completion takes (spec 2.3)."""

from ...vocabulary.enums import CriterionType
from ..combinations import ByWord, Together, Word
from .spec import NEEDS, CriterionSpec

_WORDS = {word: Word(NEEDS[word], NEEDS[word]) for word in CriterionType}
BY_TYPE = ByWord("type", _WORDS, "a criterion of type")
TOGETHER: Together = {CriterionSpec: [BY_TYPE]}
