"""The result of a synchronization."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional


@dataclass(frozen=True)
class Change:
    """The net change of one feature."""

    #: `added`, `changed` or `removed`.
    kind: str
    id: str
    type: str
    #: The current level, or the last one of a removed feature. None is the venue-wide part.
    level: Optional[str]
    #: The previous level, or the current one of an added feature.
    from_level: Optional[str]
    before: Optional[bytes]
    after: Optional[bytes]

    @property
    def is_move(self) -> bool:
        """True if the level changed."""
        return self.level != self.from_level


@dataclass(frozen=True)
class LevelCount:
    """An added or dropped level, with the number of its features."""

    level: Optional[str]
    features: int


@dataclass
class SyncReport:
    """The result of a synchronization. Features of added and dropped levels are counted only there."""

    venue: str
    #: The previous revision; None if there was none.
    from_revision: Optional[int]
    #: The current revision.
    to_revision: int
    added: int = 0
    changed: int = 0
    removed: int = 0
    #: The first 10,000 of them.
    changes: List[Change] = field(default_factory=list)
    levels_added: List[LevelCount] = field(default_factory=list)
    levels_dropped: List[LevelCount] = field(default_factory=list)
    #: Levels that were fetched again because their digest differed.
    repaired: List[Optional[str]] = field(default_factory=list)
    #: The number of successful requests.
    requests: int = 0
    #: True if the history was lost; levels whose digest still matched were kept.
    has_started_over: bool = False
    #: True if the replica was written, even if only the cursor changed.
    has_committed: bool = False
    #: True if another process stored this. Only the revisions are known then: the counts are 0, and `changes` is empty.
    is_external: bool = False

    @property
    def has_changes(self) -> bool:
        """True if any feature or level changed, or if another process may have changed some."""
        return bool(self.is_external or self.added or self.changed or self.removed or self.levels_added or self.levels_dropped)

    def merge(self, later: SyncReport) -> None:
        """Adds the result of the change set that followed this one."""
        self.to_revision = later.to_revision
        self.added += later.added
        self.changed += later.changed
        self.removed += later.removed
        self.changes += later.changes
        self.levels_added += later.levels_added
        self.levels_dropped += later.levels_dropped
        self.repaired += later.repaired
        self.requests += later.requests
