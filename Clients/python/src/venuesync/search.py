"""Searches the names and categories of features."""

from __future__ import annotations

import heapq
import re
import threading
from dataclasses import dataclass
from typing import Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from .feature import Feature
from .folded_text import fold
from .search_match import MATCHES, Hit, Matcher, related_matchers, text_order, written_matcher
from .search_terms import Texts, TextsReader
from .touched_levels import TouchedLevels

#: The order of types in a venue; others come last.
_TYPES = (
    "venue", "address", "building", "footprint", "level", "section", "geofence", "unit", "fixture", "kiosk", "opening", "detail",
    "anchor", "occupant", "amenity", "relationship")
_RANKS = {type: rank for rank, type in enumerate(_TYPES)}
#: A level has few buildings, so that more are not searched.
_MAXIMUM_BUILDINGS = 16
#: White space by Unicode; a text of it is empty.
_WHITE_SPACE = re.compile("[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*")


@dataclass(frozen=True)
class SearchResult:
    feature: Feature
    #: The best matching text, and the kind of the match (one of `MATCHES`).
    text: str
    match: str


class _Place(NamedTuple):
    """A feature with a name or a category."""

    id: str
    type: str
    #: Its level, or those that it touches; for a level itself.
    levels: Tuple[str, ...]
    #: Shared by features whose texts are equal.
    texts: Texts

    def is_on(self, level: Optional[str]) -> bool:
        return level is None or (level in self.levels and self.type != "level")

    def order(self, hit: Hit) -> Tuple[object, ...]:
        return (
            hit.match, hit.rank, hit.term.member, _RANKS.get(self.type, len(_RANKS)), self.type, text_order(hit.term.text), self.id)


class _Places:
    """What searches need of all features, of one revision."""

    def __init__(self, features: Iterable[Feature] = ()) -> None:
        reader, touched = TextsReader(), TouchedLevels()
        #: The names of levels and buildings, in lines, and the buildings of levels.
        self._names: Dict[Tuple[str, str], str] = {}
        self._buildings: Dict[str, List[str]] = {}
        found: List[Tuple[str, str, Texts]] = []
        for feature in features:
            touched.add(feature)
            texts = reader.read(feature)
            if texts.own:
                found.append((feature.id, feature.type, texts))
            if feature.type in ("level", "building"):
                self._names[feature.type, feature.id] = "\n".join([term.spaced for term in texts.names])
            if feature.type == "level":
                ids = feature.properties.get("building_ids")
                self._buildings[feature.id] = [
                    id.lower() for id in (ids if isinstance(ids, list) else [])[:_MAXIMUM_BUILDINGS] if isinstance(id, str)]
        self._all = [_Place(id, type, touched.levels(id), texts) for id, type, texts in found]

    def found(self, matcher: Matcher, types: Optional[frozenset[str]], level: Optional[str]) -> List[Tuple[_Place, Hit]]:
        # By the texts, which live as long as this object, and levels.
        hits: Dict[Tuple[int, Tuple[str, ...]], Optional[Hit]] = {}
        found: List[Tuple[_Place, Hit]] = []
        for place in self._all:
            if (types is not None and place.type not in types) or not place.is_on(level):
                continue
            key = (id(place.texts), place.levels)
            if key not in hits:
                hits[key] = matcher(place.texts, lambda: self._around(place.levels))
            hit = hits[key]
            if hit is not None:
                found.append((place, hit))
        return found

    def _around(self, levels: Tuple[str, ...]) -> Iterator[str]:
        """The names of levels and their buildings."""
        for level in levels:
            yield self._names.get(("level", level), "")
            for building in self._buildings.get(level, ()):
                yield self._names.get(("building", building), "")


class SearchIndex:
    """An index of the names of all features, built on the first search after a commit."""

    def __init__(self) -> None:
        self._commits: Optional[int] = None
        self._places = _Places()
        self._lock = threading.Lock()

    def refresh(self, commits: int, features: Callable[[], Iterable[Feature]]) -> None:
        with self._lock:
            if commits != self._commits:
                self._places = _Places(features())
                self._commits = commits

    def search(
        self, text: str, *, types: Optional[Iterable[str]], level: Optional[str], limit: int, is_related: bool
    ) -> List[Tuple[str, str, str]]:
        """Ids, texts and kinds of matches in names of all languages and in categories, best first. An empty text matches all names.

        `level`: only features that are on this level or touch it. `is_related`: features are found, after these, that match without spaces,
        by the names of their category or by synonyms, in English and Japanese; if nothing is found then, together with the names of their
        floor and building, such as `room 102 L1`; and if nothing is found then, with one spelling mistake, but never with another digit.
        """
        query = fold(text)
        if query == "" and not _WHITE_SPACE.fullmatch(text):
            return []
        wanted = None if types is None else frozenset(types)
        places = self._places
        for matcher in related_matchers(query) if is_related and query != "" else [written_matcher(query)]:
            found = places.found(matcher, wanted, None if level is None else level.lower())
            if found:
                best = heapq.nsmallest(max(limit, 0), found, key=lambda each: each[0].order(each[1]))
                return [(place.id, hit.term.text, MATCHES[hit.match]) for place, hit in best]
        return []
