"""How a text matches those of features: as it is written; without the spaces, by the names of a category, by synonyms, by the group of a
category; together with the names of floor and building; with one spelling mistake."""

from __future__ import annotations

import re
from typing import Callable, Iterable, Iterator, NamedTuple, Optional, Sequence

from .search_terms import Term, Texts
from .synonyms import FOOD, FOOD_IF_NOTHING_ELSE, groups_with, variants

#: The kinds of matches, best first: the whole text, its beginning, beginnings of words, any part; then those of related texts.
MATCHES = ("exact", "prefix", "word-prefix", "substring", "related", "misspelled")
_EXACT, _PREFIX, _WORD_PREFIX, _SUBSTRING, _RELATED, _MISSPELLED = range(len(MATCHES))

#: Shorter words have too many neighbours.
_SHORTEST_MISSPELLED_WORD = 4
_DIGIT = re.compile("[0-9]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Hit(NamedTuple):
    #: The index in `MATCHES`.
    match: int
    #: Orders hits with the same match, the lower the better.
    rank: int
    term: Term


#: Returns the names of the floors of a feature and of their buildings, in lines, each between two spaces.
Around = Callable[[], Iterable[str]]
#: The best hit of a feature; None if it does not match.
Matcher = Callable[[Texts, Around], Optional[Hit]]


def text_order(text: str) -> bytes:
    """Texts are compared by UTF-16 code units in all clients."""
    return text.encode("utf-16-be", "surrogatepass")


def written_matcher(query: str) -> Matcher:
    """Matches a feature's own texts as they are written. An empty query matches every feature that has a text."""
    words = [f" {word}" for word in dict.fromkeys(query.split(" "))]

    def match(term: Term) -> Optional[int]:
        if query == "" or term.spaced.startswith(query, 1):
            return _EXACT if query != "" and len(term.spaced) == len(query) + 2 else _PREFIX
        if all(word in term.spaced for word in words):
            return _WORD_PREFIX
        return _SUBSTRING if query in term.spaced else None

    def matcher(texts: Texts, _: object) -> Optional[Hit]:
        if query not in texts.spaced and not all(word in texts.spaced for word in words):
            return None
        hits = [Hit(found, 0, term) for term in texts.own for found in [match(term)] if found is not None]
        return min(hits, key=lambda hit: (hit.match, hit.term.member, text_order(hit.term.text)), default=None)

    return matcher


def related_matchers(query: str) -> Iterator[Matcher]:
    """Each is used if those before it find nothing: what matches as it is written or is related; the whole group that the query means then,
    such as food for coffee; what matches together with the names of floor and building; what is misspelled; what matches a misspelled
    synonym."""
    means_food = query in FOOD
    # “eat” is inside of “leather goods”.
    own = _Variant(query, 0, means_food and query.isascii())
    all_variants = [own, *(_Variant(text, 1, text.isascii()) for text in variants(query)[1:])]
    written = written_matcher(query)

    def written_or_related(texts: Texts, around: Around) -> Optional[Hit]:
        hit = written(texts, around)
        if hit is not None and not (means_food and hit.match == _SUBSTRING and not texts.is_food):
            return hit
        return _related_hit(texts, all_variants, _RELATED) or (_food_hit(texts) if means_food else None)

    yield written_or_related
    if query in FOOD_IF_NOTHING_ELSE:
        yield lambda texts, _: _food_hit(texts)
    words = list(dict.fromkeys(query.split(" ")))
    if len(words) > 1:
        yield lambda texts, around: _surrounded_hit(texts, all_variants, around)
    units = [_units(word) for word in words]
    if any(len(word) >= _SHORTEST_MISSPELLED_WORD for word in units):
        yield lambda texts, _: _misspelled_hit(texts, units)
    whole = _units(query)
    if len(whole) >= _SHORTEST_MISSPELLED_WORD and not _DIGIT.search(query):
        # Short synonyms, such as “loo”, would be found inside of other words.
        corrected = [
            _Variant(text, 1, text.isascii()) for text in groups_with(lambda word: _has_one_mistake(whole, _units(word)))]
        yield lambda texts, _: _related_hit(texts, corrected, _MISSPELLED)


class _Variant:
    def __init__(self, text: str, penalty: int, is_whole_word: bool) -> None:
        self.joined = text.replace(" ", "")
        words = dict.fromkeys(text.split(" "))
        #: As they are found in `Term.spaced`: whole words, or their beginnings.
        self.words = [f" {word} " if is_whole_word else f" {word}" for word in words]
        #: The same with whole numbers: room 10 is not room 102.
        self.numbers = [f" {word} " if is_whole_word or _DIGIT.search(word) else f" {word}" for word in words]
        #: Of a synonym.
        self.penalty = penalty
        self.is_whole_word = is_whole_word

    def match(self, texts: Texts) -> Optional[Hit]:
        """Ranks, which are doubled and one more for a synonym: 0 if a text begins with the query when spaces are ignored; 1 if it contains
        it so; 2 if all words begin words of the texts or of the names of the category; 3 if a name of the category contains the query."""
        is_joined = not self.is_whole_word and self.joined in texts.joined
        if is_joined:
            for rank, begins in ((0, True), (1, False)):
                for term in texts.own:
                    if term.joined.startswith(self.joined) if begins else self.joined in term.joined:
                        return Hit(_RELATED, 2 * rank + self.penalty, term)
        if all(word in texts.spaced for word in self.words):
            terms = texts.own + texts.category
            whole = next((term for term in terms if all(word in term.spaced for word in self.words)), terms[0])
            return Hit(_RELATED, 4 + self.penalty, whole)
        if is_joined:
            return Hit(_RELATED, 6 + self.penalty, next(term for term in texts.category if self.joined in term.joined))
        return None


def _related_hit(texts: Texts, wanted: Sequence[_Variant], match: int) -> Optional[Hit]:
    hits = [hit for variant in wanted for hit in [variant.match(texts)] if hit is not None]
    best = min(hits, key=lambda hit: hit.rank, default=None)
    return None if best is None else best._replace(match=match)


def _food_hit(texts: Texts) -> Optional[Hit]:
    return Hit(_RELATED, 8, (texts.category or texts.own[-1:])[0]) if texts.is_food else None


def _surrounded_hit(texts: Texts, wanted: Sequence[_Variant], around: Around) -> Optional[Hit]:
    """If every word is one of the texts or of the names around, and one of the texts: “room 102 L1”."""
    for variant in wanted:
        missing = [word for word in variant.numbers if word not in texts.spaced]
        if len(missing) < len(variant.numbers) and all(any(word in names for names in around()) for word in missing):
            term = next(
                term for term in texts.own + texts.category if any(word in term.spaced for word in variant.numbers))
            return Hit(_RELATED, 10 + variant.penalty, term)
    return None


def _misspelled_hit(texts: Texts, words: Sequence[str]) -> Optional[Hit]:
    """If every word begins a word of the texts with at most one mistake. The first letter may be the one."""
    terms = texts.own + texts.category
    first: Optional[Term] = None
    for word in words:
        # A mistake changes one character or two neighbours, so either what is before the middle is as written, or what is behind it.
        middle = len(word) // 2
        if word[:middle - 1] not in texts.joined and word[middle + 1:] not in texts.joined and not _SURROGATE.search(word):
            return None
        near = next(
            (term for term in terms for other in [*term.folded.split(" "), term.joined] if _is_near(word, _units(other))), None)
        if near is None:
            return None
        first = first or near
    return None if first is None else Hit(_MISSPELLED, 0, first)


def _units(text: str) -> str:
    """The text with a character for each UTF-16 code unit, in which mistakes are counted."""
    return _ASTRAL.sub(lambda found: chr(0xD7C0 + (ord(found[0]) >> 10)) + chr(0xDC00 + (ord(found[0]) & 0x3FF)), text)


def _is_near(word: str, other: str) -> bool:
    """Whether a word begins another one with at most one mistake; short words without a mistake."""
    if _DIGIT.search(word):
        return word == other  # Room 1234 and room 1235 are different rooms.
    if other.startswith(word):
        return True
    # The shortest words are near the beginning of too many longer ones: “exit” near that of “extinguisher”.
    if len(word) <= _SHORTEST_MISSPELLED_WORD:
        return len(word) == _SHORTEST_MISSPELLED_WORD and _has_one_mistake(word, other)
    return any(_has_one_mistake(word, other[:len(word) + more]) for more in (-1, 0, 1))


def _has_one_mistake(one: str, other: str) -> bool:
    """Whether two words differ in one letter that is missing, added, another one, or exchanged with its neighbour."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = next((index for index, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    a, b = one[start:], other[start:]
    return (
        a == b or a[1:] == b[1:] or a == b[1:] or a[1:] == b
        or (min(len(a), len(b)) >= 2 and (a[0], a[1]) == (b[1], b[0]) and a[2:] == b[2:]))
