"""The levels that a replica holds."""

from __future__ import annotations

import enum
import json
import re
from typing import FrozenSet, Iterable, List, Optional, Tuple, Union

from .errors import Malformed
from .wire import uuid

_ORDINAL = re.compile(r"ordinal:-?[0-9]{1,10}")

#: The venue-wide part alone.
VENUE_WIDE = "venue"


class Everything(enum.Enum):
    """All levels of the venue."""

    EVERYTHING = "everything"


EVERYTHING = Everything.EVERYTHING

#: The argument of `sync(levels=…)`: level names (an id, `ordinal:1`, `venue`), or EVERYTHING.
Levels = Union[Everything, Iterable[str]]


class Selection:
    """A set of level names, or everything."""

    def __init__(self, names: Optional[FrozenSet[str]]) -> None:
        self.names = names

    @staticmethod
    def of(levels: Levels) -> Selection:
        if isinstance(levels, Everything):
            return Selection(None)
        if isinstance(levels, str):
            raise TypeError("levels is a list of names, such as [\"ordinal:0\"]")
        names = frozenset(_name(name) for name in levels)
        return Selection(names or frozenset([VENUE_WIDE]))

    @property
    def parameters(self) -> List[Tuple[str, str]]:
        """Sorted, so that clients with the same selection use the same address."""
        return [("level", name) for name in sorted(self.names or ())]

    def adding(self, levels: Iterable[str]) -> Selection:
        added = Selection.of(levels)
        return self if self.names is None else Selection(self.names | (added.names or frozenset()))

    def dropping(self, levels: Iterable[str], held: Iterable[Tuple[str, Optional[int]]]) -> Selection:
        """`held`: levels and their ordinals. A name that stands for several levels is replaced by the remaining ones."""
        held = list(held)
        dropped = Selection.of(levels).names or frozenset()
        left = {level: ordinal for level, ordinal in held if not {level, f"ordinal:{ordinal}"} & dropped}
        if self.names is None:
            return Selection.of(left)
        names = set(self.names - dropped)
        for level, ordinal in held:
            name = f"ordinal:{ordinal}"
            if level not in left:
                names.discard(level)
            if name in self.names and any(other not in left for other, number in held if number == ordinal):
                names.discard(name)
                names |= {level} & left.keys()
        return Selection.of(names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selection) and self.names == other.names

    def __hash__(self) -> int:
        return hash(self.names)

    def stored(self) -> str:
        return json.dumps(None if self.names is None else sorted(self.names))

    @staticmethod
    def restored(text: Optional[str]) -> Optional[Selection]:
        if text is None:
            return None
        names = json.loads(text)
        return Selection(None if names is None else frozenset(names))


def _name(name: str) -> str:
    if name == VENUE_WIDE or _ORDINAL.fullmatch(name):
        return name
    try:
        return uuid(name.lower())
    except Malformed:
        raise ValueError(f"“{name}” is not a level name; expected an id, ordinal:<n> or venue") from None
