"""The levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to."""

from __future__ import annotations

import re
from typing import Dict, Iterator, List, Optional, Set, Tuple

from .feature import Feature

#: The longest path of references that is followed, such as occupant, anchor, unit.
_MAXIMUM_DEPTH = 3
#: The number of references that are followed from one feature, which bounds the time for hostile data.
_MAXIMUM_REFERENCES = 10_000
#: Types that are on no level, and whose references are not followed.
_TYPES_WITHOUT_LEVEL = frozenset(["level", "venue", "address", "building", "footprint"])
_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class TouchedLevels:
    def __init__(self) -> None:
        #: The level of each feature; a level is its own.
        self._levels: Dict[str, Optional[str]] = {}
        #: The references of features without a level.
        self._references: Dict[str, List[str]] = {}

    def add(self, feature: Feature) -> None:
        """Every feature is added before levels are read."""
        self._levels[feature.id] = feature.id if feature.type == "level" else feature.level
        if feature.level is None and feature.type not in _TYPES_WITHOUT_LEVEL:
            self._references[feature.id] = list(ids_in(feature.properties))

    def levels(self, id: str) -> Tuple[str, ...]:
        """The level of a feature, or those that it touches, ascending; for a level itself."""
        own = self._levels.get(id)
        if own is not None:
            return (own,)
        found: Set[str] = set()
        seen, layer, followed = {id}, [id], 0
        for _ in range(_MAXIMUM_DEPTH):
            following: List[str] = []
            for target in (target for source in layer for target in self._references.get(source, ())):
                followed += 1
                if followed > _MAXIMUM_REFERENCES:
                    return tuple(sorted(found))
                if target not in seen and target in self._levels:
                    seen.add(target)
                    level = self._levels[target]
                    if level is None:
                        following.append(target)
                    else:
                        found.add(level)
            layer = following
        return tuple(sorted(found))


def ids_in(value: object) -> Iterator[str]:
    """The ids in a value, in lower case."""
    if isinstance(value, str):
        if len(value) == 36 and _ID.fullmatch(value.lower()):
            yield value.lower()
    elif isinstance(value, (dict, list)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from ids_in(member)
