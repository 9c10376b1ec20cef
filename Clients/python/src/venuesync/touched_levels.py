"""The levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to."""

from __future__ import annotations

import re
from typing import Dict, Iterator, List, Optional, Set, Tuple

from .feature import Feature

#: The longest path of references that is followed, such as occupant, anchor, unit.
_MAXIMUM_DEPTH = 3
#: A feature that leads to more levels belongs to the whole venue, and touches none of them. This bounds the results for hostile data.
_MAXIMUM_LEVELS = 1_000
#: Types that are on no level, and whose references are not followed.
_TYPES_WITHOUT_LEVEL = frozenset(["level", "venue", "address", "building", "footprint"])
_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class TouchedLevels:
    """Determines once for each feature and number of references that may be followed where its references lead. The time and the memory
    for all features of a venue are at most in proportion to the number of references, times the maximum number of levels.
    """

    def __init__(self) -> None:
        #: The level of each feature; a level is its own.
        self._levels: Dict[str, Optional[str]] = {}
        #: The references of features without a level.
        self._references: Dict[str, List[str]] = {}
        #: By feature and the number of references that may be followed: levels, ascending, or None for too many.
        self._reached: Dict[Tuple[str, int], Optional[Tuple[str, ...]]] = {}
        #: Features that touch the same levels share one tuple.
        self._tuples: Dict[Tuple[str, ...], Tuple[str, ...]] = {}
        #: The number of references that were followed.
        self.followed = 0
        #: The length of all tuples.
        self.kept = 0

    def add(self, feature: Feature) -> None:
        """Every feature is added before levels are read."""
        self._levels[feature.id] = feature.id if feature.type == "level" else feature.level
        if feature.level is None and feature.type not in _TYPES_WITHOUT_LEVEL:
            self._references[feature.id] = list(ids_in(feature.properties))

    def levels(self, id: str) -> Tuple[str, ...]:
        """The level of a feature, or those that it touches, ascending; for a level itself."""
        own = self._levels.get(id)
        return self._reach(id, _MAXIMUM_DEPTH) or () if own is None else (own,)

    def _reach(self, id: str, depth: int) -> Optional[Tuple[str, ...]]:
        if (id, depth) not in self._reached:
            self._reached[id, depth] = self._union(id, depth)
        return self._reached[id, depth]

    def _union(self, source: str, depth: int) -> Optional[Tuple[str, ...]]:
        """Sets of levels only grow: more than the maximum, of one target already, are too many."""
        found: Set[str] = set()
        # By identity, because the hash of a tuple is computed anew each time.
        tuples: Dict[int, Tuple[str, ...]] = {}
        for target in self._references.get(source, ()):
            self.followed += 1
            if target not in self._levels:
                continue
            level = self._levels[target]
            if level is not None:
                found.add(level)
            elif depth > 1:
                levels = self._reach(target, depth - 1)
                if levels is None:
                    return None
                if id(levels) not in tuples:
                    found.update(levels)
                tuples[id(levels)] = levels
            if len(found) > _MAXIMUM_LEVELS:
                return None
        # A tuple with as many levels has the same ones, as that of the only reference.
        same = next((levels for levels in tuples.values() if len(levels) == len(found)), None)
        return self._tuple_of(found) if same is None else same

    def _tuple_of(self, found: Set[str]) -> Tuple[str, ...]:
        levels = tuple(sorted(found))
        if levels not in self._tuples:
            self._tuples[levels] = levels
            self.kept += len(levels)
        return self._tuples[levels]


def ids_in(value: object) -> Iterator[str]:
    """The ids in a value, in lower case."""
    if isinstance(value, str):
        if len(value) == 36 and _ID.fullmatch(value.lower()):
            yield value.lower()
    elif isinstance(value, (dict, list)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from ids_in(member)
