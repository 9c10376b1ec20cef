"""What a synchronization did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional


@dataclass(frozen=True)
class Change:
    """What became of one feature, net."""

    #: `added`, `changed` or `removed`.
    kind: str
    id: str
    type: str
    #: Where it is held now; of a removed one, where it was. None is the venue-wide part.
    level: Optional[str]
    #: Where it was held before; of an added one, where it is.
    from_level: Optional[str]
    before: Optional[bytes]
    after: Optional[bytes]

    @property
    def is_move(self) -> bool:
        """Whether it changed its level."""
        return self.level != self.from_level


@dataclass(frozen=True)
class LevelCount:
    """A level that came or went, with how many features of its own."""

    level: Optional[str]
    features: int


@dataclass
class SyncReport:
    """What a synchronization did. Features of levels that came or went as a whole are counted there and nowhere else."""

    venue: str
    #: The revision that was held before; None when nothing was.
    from_revision: Optional[int]
    #: The revision that is held now.
    to_revision: int
    added: int = 0
    changed: int = 0
    removed: int = 0
    #: The first 10,000 of them.
    changes: List[Change] = field(default_factory=list)
    levels_added: List[LevelCount] = field(default_factory=list)
    levels_dropped: List[LevelCount] = field(default_factory=list)
    #: Levels that differed from their digest and were fetched once more.
    repaired: List[Optional[str]] = field(default_factory=list)
    #: Requests that succeeded.
    requests: int = 0
    #: The server had lost the history that the replica came from; levels that were still right were kept.
    has_started_over: bool = False
    #: Something about the replica is another than before, if only its cursor.
    has_committed: bool = False

    @property
    def has_changes(self) -> bool:
        """Whether anything that a map shows is another."""
        return bool(self.added or self.changed or self.removed or self.levels_added or self.levels_dropped)

    def merge(self, later: SyncReport) -> None:
        """Takes in what a second change set did right after this one."""
        self.to_revision = later.to_revision
        self.added += later.added
        self.changed += later.changed
        self.removed += later.removed
        self.changes += later.changes
        self.levels_added += later.levels_added
        self.levels_dropped += later.levels_dropped
        self.repaired += later.repaired
        self.requests += later.requests
