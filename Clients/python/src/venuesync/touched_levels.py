"""The levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to."""

from __future__ import annotations

import re
from typing import Dict, Iterator, List, Optional, Tuple

from .feature import Feature

#: The longest path of references that is followed, such as occupant, anchor, unit.
_MAXIMUM_DEPTH = 3
#: A feature that leads to more levels belongs to the whole venue, and touches none of them. This bounds the results for hostile data.
_MAXIMUM_LEVELS = 1_000
#: Types that are on no level, and whose references are not followed.
_TYPES_WITHOUT_LEVEL = frozenset(["level", "venue", "address", "building", "footprint"])
_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class TouchedLevels:
    """Determines once for each feature where its references lead, so that the time for all features of a venue is in proportion to the
    number of references, however many features refer to one that has many. Sets of levels are integers, with a bit for each level.
    """

    def __init__(self) -> None:
        #: The level of each feature; a level is its own.
        self._levels: Dict[str, Optional[str]] = {}
        #: The references of features without a level.
        self._references: Dict[str, List[str]] = {}
        self._bits: Dict[str, int] = {}
        #: By feature and the number of references that may be followed.
        self._reached: Dict[Tuple[str, int], int] = {}
        #: Features that touch the same levels share one tuple.
        self._tuples: Dict[int, Tuple[str, ...]] = {}
        #: The number of references that were followed.
        self.followed = 0

    def add(self, feature: Feature) -> None:
        """Every feature is added before levels are read."""
        self._levels[feature.id] = feature.id if feature.type == "level" else feature.level
        if feature.level is None and feature.type not in _TYPES_WITHOUT_LEVEL:
            self._references[feature.id] = list(ids_in(feature.properties))

    def levels(self, id: str) -> Tuple[str, ...]:
        """The level of a feature, or those that it touches, ascending; for a level itself."""
        own = self._levels.get(id)
        return self._tuple_of(self._reach(id, _MAXIMUM_DEPTH)) if own is None else (own,)

    def _reach(self, id: str, depth: int) -> int:
        known = self._reached.get((id, depth))
        if known is not None:
            return known
        found = 0
        for target in self._references.get(id, ()):
            self.followed += 1
            if target not in self._levels:
                continue
            level = self._levels[target]
            if level is not None:
                found |= self._bits.setdefault(level, 1 << len(self._bits))
            elif depth > 1:
                found |= self._reach(target, depth - 1)
        self._reached[id, depth] = found
        return found

    def _tuple_of(self, found: int) -> Tuple[str, ...]:
        if found not in self._tuples:
            digits = bin(found)[:1:-1]
            is_everywhere = digits.count("1") > _MAXIMUM_LEVELS
            levels = () if is_everywhere else (level for level, digit in zip(self._bits, digits) if digit == "1")
            self._tuples[found] = tuple(sorted(levels))
        return self._tuples[found]


def ids_in(value: object) -> Iterator[str]:
    """The ids in a value, in lower case."""
    if isinstance(value, str):
        if len(value) == 36 and _ID.fullmatch(value.lower()):
            yield value.lower()
    elif isinstance(value, (dict, list)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from ids_in(member)
