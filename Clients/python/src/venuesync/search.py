"""Searches the names of features, ignoring width, case, accents, punctuation, and the difference between hiragana and katakana."""

from __future__ import annotations

import heapq
import re
import threading
import unicodedata
from dataclasses import dataclass
from typing import Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from .feature import Feature

#: The kinds of matches, best first: the whole text, its beginning, beginnings of words, any part.
MATCHES = ("exact", "prefix", "word-prefix", "substring")
_MEMBERS = ("name", "alt_name", "short_name")
#: The order of types in a venue; others come last.
_TYPES = (
    "venue", "address", "building", "footprint", "level", "section", "geofence", "unit", "fixture", "kiosk", "opening", "detail",
    "anchor", "occupant", "amenity", "relationship")
_RANKS = {type: rank for rank, type in enumerate(_TYPES)}

_ACCENTS = ((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
_REPLACEMENTS = {
    "ß": "ss", "ẞ": "ss", "Æ": "ae", "æ": "ae", "Œ": "oe", "œ": "oe", "Ø": "o", "ø": "o", "Đ": "d", "đ": "d", "Ł": "l", "ł": "l",
    "ı": "i", "ς": "σ"}


@dataclass(frozen=True)
class SearchResult:
    feature: Feature
    #: The best matching text, and the kind of the match (one of `MATCHES`).
    text: str
    match: str


class _Folded(Dict[str, str]):
    """The folded form of a character: empty for accents, a space for separators."""

    def __missing__(self, character: str) -> str:
        code = ord(character)
        if any(first <= code <= last for first, last in _ACCENTS):
            folded = ""
        elif unicodedata.category(character)[0] not in "LMN":
            folded = " "
        elif 0x30A1 <= code <= 0x30F6 or 0x30FD <= code <= 0x30FE:
            folded = chr(code - 0x60)  # katakana to hiragana
        else:
            folded = _REPLACEMENTS.get(character) or character.lower()
        self[character] = folded
        return folded


_FOLDED = _Folded()
_ASCII_WORD = re.compile("[a-z0-9]+")


# In code points. The decomposition takes time in proportion to the square of a run of marks, and no name is longer.
_MAXIMUM_LENGTH = 1_000


def fold(text: str) -> str:
    """The folded form of a text, for comparison. Words are letters, marks and digits; everything between becomes one space."""
    text = text[:_MAXIMUM_LENGTH]
    if text.isascii():
        return " ".join(_ASCII_WORD.findall(text.lower()))
    folded = "".join([_FOLDED[character] for character in unicodedata.normalize("NFKD", text)])
    return unicodedata.normalize("NFC", " ".join(folded.split()))


class _Term(NamedTuple):
    id: str
    type: str
    level: Optional[str]
    #: The rank of the member that has the text.
    member: int
    text: str
    folded: str

    def match(self, query: str) -> Optional[int]:
        if query == "":
            return 1
        if self.folded.startswith(query):
            return 0 if self.folded == query else 1
        words = self.folded.split(" ")
        if all(any(word.startswith(part) for word in words) for part in query.split(" ")):
            return 2
        return 3 if query in self.folded else None

    def order(self, match: int) -> Tuple[object, ...]:
        text = self.text.encode("utf-16-be", "surrogatepass")
        return (match, self.member, _RANKS.get(self.type, len(_RANKS)), self.type, text, self.id)


class SearchIndex:
    """An index of the names of all features, built on the first search after a commit."""

    def __init__(self) -> None:
        self._commits: Optional[int] = None
        self._terms: List[_Term] = []
        self._lock = threading.Lock()

    def refresh(self, commits: int, features: Callable[[], Iterable[Feature]]) -> None:
        with self._lock:
            if commits != self._commits:
                self._terms = [term for feature in features() for term in _terms(feature)]
                self._commits = commits

    def search(
        self, text: str, *, types: Optional[Iterable[str]], level: Optional[str], limit: int
    ) -> List[Tuple[str, str, str]]:
        """Ids, texts and kinds of matches, best first."""
        query = fold(text)
        if query == "" and text.strip() != "":
            return []
        wanted = None if types is None else frozenset(types)
        best: Dict[str, Tuple[Tuple[object, ...], _Term, int]] = {}
        for term in self._terms:
            if (wanted is not None and term.type not in wanted) or (level is not None and term.level != level):
                continue
            match = term.match(query)
            if match is None:
                continue
            order = term.order(match)
            if term.id not in best or order < best[term.id][0]:
                best[term.id] = (order, term, match)
        found = heapq.nsmallest(max(limit, 0), best.values(), key=lambda entry: entry[0])
        return [(term.id, term.text, MATCHES[match]) for _, term, match in found]


def _terms(feature: Feature) -> Iterator[_Term]:
    for rank, member in enumerate(_MEMBERS):
        for text in feature.labels(member).values():
            yield _Term(feature.id, feature.type, feature.level, rank, text, fold(text))
    if feature.category is not None:
        category = feature.category
        yield _Term(feature.id, feature.type, feature.level, len(_MEMBERS), category, fold(category))
