"""The searchable texts of features."""

from __future__ import annotations

from typing import Dict, NamedTuple, Optional, Tuple

from .categories import is_food, names_of
from .feature import Feature
from .folded_text import fold

_MEMBERS = ("name", "alt_name", "short_name")
_CATEGORY, _CATEGORY_NAME = len(_MEMBERS), len(_MEMBERS) + 1


class Term(NamedTuple):
    #: The rank of the member that has the text.
    member: int
    text: str
    #: The folded text between two spaces.
    spaced: str
    #: The folded text without spaces.
    joined: str

    @property
    def folded(self) -> str:
        return self.spaced[1:-1]


class Texts(NamedTuple):
    #: The names in all languages.
    names: Tuple[Term, ...]
    #: The same and the category.
    own: Tuple[Term, ...]
    #: The names of the category in English and Japanese.
    category: Tuple[Term, ...]
    is_food: bool
    #: All of `own` and `category`, in lines: what is not found here need not be searched in each of them.
    spaced: str
    joined: str


class TextsReader:
    """Reads the texts of features; equal texts are folded once."""

    def __init__(self) -> None:
        self._texts: Dict[Tuple[Tuple[Tuple[int, str], ...], Optional[str]], Texts] = {}
        self._categories: Dict[str, Tuple[Tuple[Term, ...], Tuple[Term, ...], bool]] = {}

    def read(self, feature: Feature) -> Texts:
        labels = tuple((rank, text) for rank, member in enumerate(_MEMBERS) for text in feature.labels(member).values())
        key = (labels, feature.category)
        if key not in self._texts:
            names = tuple(_term(rank, text) for rank, text in labels)
            own, category, has_food = self._category(feature.category)
            terms = names + own + category
            self._texts[key] = Texts(
                names, names + own, category, has_food, "\n".join([term.spaced for term in terms]),
                "\n".join([term.joined for term in terms]))
        return self._texts[key]

    def _category(self, category: Optional[str]) -> Tuple[Tuple[Term, ...], Tuple[Term, ...], bool]:
        if category is None:
            return (), (), False
        if category not in self._categories:
            names = tuple(_term(_CATEGORY_NAME, name) for name in names_of(category))
            self._categories[category] = (_term(_CATEGORY, category),), names, is_food(category)
        return self._categories[category]


def _term(member: int, text: str) -> Term:
    folded = fold(text)
    return Term(member, text, f" {folded} ", folded.replace(" ", ""))
