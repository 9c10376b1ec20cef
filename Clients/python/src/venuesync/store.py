"""The file of a replica."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import time
from dataclasses import dataclass
from typing import Dict, Iterable, Iterator, List, Optional, Tuple, Union

from .damage import damaged_levels, remove, replace, replacement_lock
from .errors import StoreError
from .feature import Feature, Level
from .schema import DamagedFile, connect, explain
from .selection import Selection
from .wire import About

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class VenueState:
    """The state of one venue, without its features."""

    number: int
    key: str
    commits: int
    selection: Optional[Selection]
    cursor: Optional[str]
    revision: Optional[int]
    digest: Optional[str]
    about: About
    #: When a server last confirmed that this is the newest state; seconds since 1970.
    synced_at: Optional[float]


class Reader:
    """Reads one consistent state of the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def state(self, venue: str) -> Optional[VenueState]:
        row = self._connection.execute(
            "SELECT number, key, commits, selection, cursor, revision, digest, language, time_zone, country, synced_at"
            " FROM venue WHERE key = ?", [venue]).fetchone()
        if row is None:
            return None
        number, key, commits, selection, cursor, revision, digest, language, time_zone, country, synced_at = row
        return VenueState(
            number, key, commits, Selection.restored(selection), cursor, revision, digest, About(language, time_zone, country),
            synced_at)

    def signed_head(self, state: VenueState) -> Optional[bytes]:
        """The statement that the venue was verified with, as received; None if no keys were trusted."""
        row = self._connection.execute("SELECT document FROM signed_head WHERE venue = ?", [state.number]).fetchone()
        return None if row is None else str(row[0]).encode()

    def ordinals(self, state: VenueState) -> Dict[str, Optional[int]]:
        """The ordinals of all levels of the revision, also of those that are not held."""
        return {feature.id: feature.ordinal for feature in self.features(state, [None], ["level"])}

    def feature_count(self, state: VenueState) -> int:
        count, = self._connection.execute("SELECT count(*) FROM feature WHERE venue = ?", [state.number]).fetchone()
        return int(count)

    def venues(self) -> List[str]:
        return [key for key, in self._connection.execute("SELECT key FROM venue ORDER BY key")]

    def digests(self, state: VenueState) -> Dict[Optional[str], str]:
        """The verified digests by level."""
        rows = self._connection.execute("SELECT level, digest FROM level WHERE venue = ? ORDER BY level", [state.number])
        return {level or None: digest for level, digest in rows}

    def features(
        self, state: VenueState, levels: Optional[Iterable[Optional[str]]] = None, types: Optional[Iterable[str]] = None
    ) -> Iterator[Feature]:
        """Features, sorted by level and id."""
        condition, values = "venue = ?", [state.number]  # type: str, List[object]
        for column, wanted in (("level", levels), ("type", types)):
            if wanted is not None:
                names = [name or "" for name in wanted]
                condition += f" AND {column} IN ({','.join('?' * len(names))})"
                values += names
        for level, id, type, body in self._connection.execute(
                f"SELECT level, id, type, body FROM feature WHERE {condition} ORDER BY level, id", values):
            yield Feature(id, type, level or None, body)

    def feature(self, state: VenueState, id: str) -> Optional[Feature]:
        row = self._connection.execute(
            "SELECT level, type, body FROM feature WHERE venue = ? AND id = ?", [state.number, id.lower()]).fetchone()
        return None if row is None else Feature(id.lower(), row[1], row[0] or None, row[2])

    def levels(self, state: VenueState) -> List[Level]:
        """The venue-wide part and all levels of the venue in ascending order, held or not."""
        digests = self.digests(state)
        counts = dict(self._connection.execute(
            "SELECT level, count(*) FROM feature WHERE venue = ? GROUP BY level", [state.number]))
        languages = [state.about.language] if state.about.language else []
        features = {feature.id: feature for feature in self.features(state, [None], ["level"])}
        found = []
        for id in sorted((features.keys() | digests.keys()) - {None}, key=str):
            feature = features.get(str(id))
            found.append(Level(
                id, feature.ordinal if feature else None, feature.name(languages) if feature else None,
                feature.name(languages, "short_name") if feature else None, id in digests, counts.get(id, 0), digests.get(id)))
        found.sort(key=lambda level: (level.ordinal is None, level.ordinal or 0, level.id))
        wide = [Level(None, None, None, None, True, counts.get("", 0), digests[None])] if None in digests else []
        return wide + found

    def computed_digest(self, state: VenueState, level: Optional[str]) -> str:
        return level_digest(self._connection, state.number, level)

    def damaged(self, state: VenueState) -> List[Optional[str]]:
        """The levels whose stored features do not match their digest."""
        return damaged_levels(self._connection, state.number)

    def held_features(self, state: VenueState) -> HeldFeatures:
        return HeldFeatures(self._connection, state.number)

    def problems(self) -> List[str]:
        """The results of the integrity check of SQLite, without `ok`."""
        return [line for line, in self._connection.execute("PRAGMA integrity_check") if line != "ok"]

    def catalogue(self) -> Tuple[Optional[int], Optional[str]]:
        """The catalogue position and the cursor over all venues; None if everything has to be requested."""
        row = self._connection.execute("SELECT position, cursor FROM catalogue").fetchone()
        return (row[0], row[1]) if row is not None and row[1] else (None, None)

    def is_catalogue(self) -> bool:
        """Whether the file is that of a catalogue and not the replica of one venue."""
        return self._connection.execute("SELECT 1 FROM catalogue").fetchone() is not None


class HeldFeatures:
    """What the ranks of the delta form stand for: a `delta.Base`."""

    def __init__(self, connection: sqlite3.Connection, venue: int) -> None:
        self._connection, self._venue = connection, venue

    def levels(self) -> List[str]:
        rows = self._connection.execute(
            "SELECT level FROM level WHERE venue = ? AND level <> '' ORDER BY level", [self._venue])
        return [level for level, in rows]

    def ids(self, level: Optional[str]) -> List[str]:
        rows = self._connection.execute(
            "SELECT id FROM feature WHERE venue = ? AND level = ? ORDER BY id", [self._venue, level or ""])
        return [id for id, in rows]

    def body(self, id: str) -> bytes:
        row = self._connection.execute(
            "SELECT CAST(body AS BLOB) FROM feature WHERE venue = ? AND id = ?", [self._venue, id]).fetchone()
        return bytes(row[0]) if row else b""

    def same_type(self, level: Optional[str], id: str) -> Iterator[bytes]:
        for body, in self._connection.execute(
                "SELECT CAST(body AS BLOB) FROM feature WHERE venue = :venue AND level = :level"
                " AND type = (SELECT type FROM feature WHERE venue = :venue AND id = :id) ORDER BY id",
                {"venue": self._venue, "level": level or "", "id": id}):
            yield bytes(body)


def level_digest(connection: sqlite3.Connection, venue: int, level: Optional[str]) -> str:
    """SHA-256 over the bodies under a level in the order of their ids, each followed by a line feed."""
    sha256 = hashlib.sha256()
    for body, in connection.execute(
            "SELECT CAST(body AS BLOB) FROM feature WHERE venue = ? AND level = ? ORDER BY id", [venue, level or ""]):
        sha256.update(body)
        sha256.update(b"\n")
    return f"sha-256:{sha256.hexdigest()}"


class ReplicaStore:
    """The file of a replica. Any number of readers, also in other processes, see the last committed state while one writes."""

    def __init__(self, path: Path, create: bool = True) -> None:
        """Opens or creates the file. Raises `StoreError` for a file that is not a replica.

        The file is verified, which reads all of it. Damaged levels are deleted, and a file of which nothing can be relied on is replaced
        by a new one with the same selection; the next synchronization fetches what is missing. Without `create` nothing is verified or
        changed: see `Reader.damaged`.
        """
        self.path = path
        #: The levels that were deleted because they were damaged, with their venues.
        self.damaged: List[Tuple[str, Optional[str]]] = []
        #: Whether nothing of the file could be relied on.
        self.was_replaced = False
        #: Used by one transaction at a time.
        self.writer = self._opened() if create else connect(path, create=False)

    def _opened(self) -> sqlite3.Connection:
        try:
            return self._verified()
        except DamagedFile:
            with replacement_lock(self.path):
                try:
                    # Another process may have replaced the file since it was read.
                    return self._verified()
                except DamagedFile:
                    connection = replace(self.path)
                    self.was_replaced = True
                    return connection

    def _verified(self) -> sqlite3.Connection:
        before = self._identity()
        connection = connect(self.path, create=True)
        try:
            self.damaged = [(venue, level) for _, venue, level in remove(connection)]
            # SQLite finds the log by its name: a file that was deleted meanwhile would be read with the log of the new one.
            if before not in (None, self._identity()):
                raise DamagedFile("another process replaced it")
        except BaseException:
            connection.close()
            raise
        return connection

    def _identity(self) -> Optional[Tuple[int, int]]:
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    @contextlib.contextmanager
    def read(self) -> Iterator[Reader]:
        """A reader of one consistent state, whatever is written meanwhile."""
        connection = connect(self.path, create=False)
        try:
            connection.execute("BEGIN")
            yield Reader(connection)
        except sqlite3.Error as error:
            raise explain(error) from error
        finally:
            connection.close()

    def state(self, venue: str) -> VenueState:
        with self.read() as reader:
            state = reader.state(venue)
        if state is None:
            raise StoreError(f"the file does not contain the venue {venue}")
        return state

    def add_venue(self, venue: str) -> None:
        """Adds a venue if it is not in the file."""
        try:
            self.writer.execute("INSERT OR IGNORE INTO venue (key) VALUES (?)", [venue])
        except sqlite3.Error as error:
            raise explain(error) from error

    def touch(self, venue: str, now: Optional[float] = None) -> None:
        """Records that a server has confirmed this as the newest state."""
        try:
            self.writer.execute(
                "UPDATE venue SET synced_at = ? WHERE key = ?", [time.time() if now is None else now, venue])
        except sqlite3.Error as error:
            raise explain(error) from error

    def keep_head(self, state: VenueState, document: bytes) -> None:
        """Stores the statement about a state, unless the file has another state by now."""
        try:
            self.writer.execute(
                "INSERT OR REPLACE INTO signed_head SELECT number, ? FROM venue WHERE number = ? AND commits = ?",
                [document.decode(), state.number, state.commits])
        except sqlite3.Error as error:
            raise explain(error) from error

    def reclaim(self) -> None:
        """Frees the disk space of dropped levels. Does nothing if another process is using the file."""
        with contextlib.suppress(sqlite3.Error):
            # `executescript` runs to the end; `execute` would free only one page.
            self.writer.executescript("PRAGMA incremental_vacuum")

    def close(self) -> None:
        self.writer.close()

    def __enter__(self) -> ReplicaStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
