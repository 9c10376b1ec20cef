"""Finds and removes what a disk, or another program, has damaged in the file of a replica."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from typing import Iterator, List, NamedTuple, Optional, Set, Tuple, Union

from .errors import Busy, Malformed, StoreError, SyncError
from .schema import DamagedFile, connect, definitions, explain, new_definitions
from .selection import Selection
from .wire import identify

Path = Union[str, "os.PathLike[str]"]


class DamagedLevel(NamedTuple):
    """A level whose stored features are not what was received."""

    #: The number of the venue in the file, and its key.
    number: int
    venue: str
    #: None: the venue-wide part.
    level: Optional[str]


def find(connection: sqlite3.Connection) -> List[DamagedLevel]:
    """Reads the whole file, in one state of it. Raises `DamagedFile` if nothing of the file can be relied on."""
    with _translating_errors():
        connection.execute("BEGIN")
        try:
            if not new_definitions() <= definitions(connection):
                raise DamagedFile("its schema is damaged")
            problem, = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if problem != "ok":
                raise DamagedFile(problem)
            return list(_levels(connection))
        finally:
            connection.execute("ROLLBACK")


def remove(connection: sqlite3.Connection) -> List[DamagedLevel]:
    """Deletes damaged levels, so that nothing wrong is read. Their venues lose the cursor: the next synchronization requests everything.

    A file without damage is only read: another process may hold the write lock for as long as a download takes.
    """
    if not find(connection):
        return []
    with _translating_errors():
        connection.execute("BEGIN IMMEDIATE")
        try:
            found = list(_levels(connection))  # another process may have written since
            for number, _, level in found:
                for table in ("feature", "level"):
                    connection.execute(
                        f"DELETE FROM {table} WHERE venue = ? AND CAST(level AS BLOB) = ?", [number, (level or "").encode(_CODEC, _ERRORS)])
                connection.execute(
                    "UPDATE venue SET commits = commits + 1, cursor = NULL, revision = NULL, digest = NULL WHERE number = ?", [number])
            if found:
                connection.execute("DELETE FROM feature WHERE venue NOT IN (SELECT number FROM venue)")
                connection.execute("UPDATE catalogue SET position = 0, cursor = ''")
            connection.execute("COMMIT")
            return found
        except BaseException:
            connection.execute("ROLLBACK")
            raise


# A damaged name of a level may be no UTF-8.
_CODEC, _ERRORS = "utf-8", "surrogateescape"


def _levels(connection: sqlite3.Connection) -> Iterator[DamagedLevel]:
    for table in ("venue", "catalogue", "signed_head"):
        connection.execute(f"SELECT * FROM {table}").fetchall()  # a text that is no UTF-8 cannot be read
    for number, key, selection in connection.execute("SELECT number, key, selection FROM venue ORDER BY key").fetchall():
        try:
            Selection.restored(selection)
        except (ValueError, TypeError) as error:
            raise DamagedFile("a selection of levels is not a list of names") from error
        yield from (DamagedLevel(number, key, level) for level in damaged_levels(connection, number))


def damaged_levels(connection: sqlite3.Connection, number: int) -> List[Optional[str]]:
    """The levels of a venue whose features do not have their digest, or are not what their bodies say."""
    digests = {
        bytes(level): digest for level, digest in connection.execute(
            "SELECT CAST(level AS BLOB), digest FROM level WHERE venue = ?", [number])}
    held: Set[bytes] = {
        bytes(level) for level, in connection.execute(
            "SELECT DISTINCT CAST(level AS BLOB) FROM feature WHERE venue = ?", [number])}
    wrong = held - digests.keys() | {level for level in digests if _digest(connection, number, level) != digests[level]}
    return [level.decode(_CODEC, _ERRORS) or None for level in sorted(wrong)]


def _digest(connection: sqlite3.Connection, number: int, level: bytes) -> Optional[str]:
    """The digest of a level; None if the columns of a feature do not say what its body does."""
    sha256 = hashlib.sha256()
    for id, type, body, has_types in connection.execute(
            "SELECT CAST(id AS BLOB), CAST(type AS BLOB), CAST(body AS BLOB), typeof(type) = 'text' AND typeof(body) = 'blob' FROM feature"
            " WHERE venue = ? AND level = CAST(? AS TEXT) ORDER BY id", [number, level]):
        if not has_types or not _names(body, id, type):
            return None
        sha256.update(body)
        sha256.update(b"\n")
    return f"sha-256:{sha256.hexdigest()}"


def _names(body: bytes, id: bytes, type: bytes) -> bool:
    # Canonical JSON has no spaces, and reading all of it would take longer than the digest.
    if b'"id":"' + id + b'"' in body and b'"feature_type":"' + type + b'"' in body:
        return True
    try:
        names: Tuple[str, str] = identify(body)
    except Malformed:
        return False
    return names == (id.decode(_CODEC, _ERRORS), type.decode(_CODEC, _ERRORS))


@contextlib.contextmanager
def _translating_errors() -> Iterator[None]:
    """Errors of the disk, of permissions and of locks say nothing about the content; all others of SQLite are damage."""
    try:
        yield
    except sqlite3.Error as error:
        known: SyncError = explain(error)
        if isinstance(known, DamagedFile) or not any(
                word in str(error) for word in ("full", "locked", "I/O", "unable to open", "readonly", "authorized")):
            raise DamagedFile(str(error)) from error
        raise known from error
    except UnicodeDecodeError as error:  # the message quotes what is damaged
        raise DamagedFile("it has a text that is not UTF-8") from error


class Salvage:
    """What a new file begins with: the selections, and the statements that protect from an older revision."""

    def __init__(self, path: Path) -> None:
        self.venues: List[Tuple[str, Optional[str]]] = []
        self.heads: List[Tuple[str, str]] = []
        self.is_catalogue = False
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(os.fspath(path), timeout=30.0)) as connection:
            connection.execute("PRAGMA writable_schema = ON")  # a damaged table then does not keep SQLite from reading the others
            self.is_catalogue = connection.execute("SELECT count(*) FROM catalogue").fetchone() != (0,)
            for key, selection in connection.execute("SELECT key, selection FROM venue").fetchall():
                with contextlib.suppress(ValueError, TypeError):
                    Selection.restored(selection)
                    self.venues.append((key, selection))
            self.heads = connection.execute(
                "SELECT key, document FROM signed_head JOIN venue ON venue.number = signed_head.venue").fetchall()

    def write(self, connection: sqlite3.Connection) -> None:
        connection.executemany("INSERT OR IGNORE INTO venue (key, selection) VALUES (?, ?)", self.venues)
        connection.executemany("INSERT INTO signed_head SELECT number, ? FROM venue WHERE key = ?", [head[::-1] for head in self.heads])
        if self.is_catalogue:
            connection.execute("INSERT INTO catalogue VALUES (1, 0, '')")


@contextlib.contextmanager
def replacement_lock(path: Path) -> Iterator[None]:
    """Held by the one process that may replace the file. The empty file beside it stays: deleting it would let two processes in.

    The lock is one of SQLite, because `fcntl` is not on every system. It ends with its process.
    """
    name = os.fspath(path) + ".lock"
    try:
        connection = sqlite3.connect(name, timeout=30.0, isolation_level=None)
    except sqlite3.Error as error:
        raise StoreError(f"{name} cannot be locked: {error}") from error
    with contextlib.closing(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            known = explain(error)
            raise known if isinstance(known, Busy) else StoreError(f"{name} cannot be locked: {error}") from error
        yield


def replace(path: Path) -> sqlite3.Connection:
    """Creates a new file in the place of one of which nothing can be relied on. Whoever has the damaged one open keeps it.

    The caller holds the `replacement_lock`, and has seen the damage since it does.
    """
    salvage = Salvage(path)
    try:
        # SQLite would apply the log of the damaged file to the new one.
        for suffix in ("-wal", "-shm", "-journal", ""):
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.fspath(path) + suffix)
    except OSError as error:
        raise DamagedFile(f"it cannot be deleted ({error})") from error
    connection = connect(path, create=True)
    with contextlib.suppress(sqlite3.Error):
        salvage.write(connection)
    return connection
