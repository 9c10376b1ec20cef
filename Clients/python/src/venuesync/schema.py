"""The database schema of a replica, and connections to it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import FrozenSet, Tuple, Union

from .errors import Busy, DiskFull, StoreError, SyncError

#: The application id of the SQLite file: “VSpy”.
APPLICATION_ID = 0x56537079
VERSION = 1

# `level` is the id of a level, or '' for the venue-wide part. `since` is the number of the commit that wrote the row.
_SCHEMA = f"""
BEGIN IMMEDIATE;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE catalogue (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    position INTEGER NOT NULL,
    cursor   TEXT    NOT NULL
);
CREATE TABLE venue (
    number    INTEGER PRIMARY KEY,
    key       TEXT    NOT NULL UNIQUE,
    commits   INTEGER NOT NULL DEFAULT 0,
    selection TEXT,                              -- JSON: a list of level names, null for everything; NULL: not chosen yet
    cursor    TEXT,
    revision  INTEGER,
    digest    TEXT,
    language  TEXT,
    time_zone TEXT,
    country   TEXT,
    synced_at REAL
);
CREATE TABLE level (
    venue  INTEGER NOT NULL,
    level  TEXT    NOT NULL,
    digest TEXT    NOT NULL,
    PRIMARY KEY (venue, level)
) WITHOUT ROWID;
CREATE TABLE feature (
    venue INTEGER NOT NULL,
    level TEXT    NOT NULL,
    id    TEXT    NOT NULL,
    since INTEGER NOT NULL,
    type  TEXT    NOT NULL,
    body  BLOB    NOT NULL                       -- the line as received, byte for byte
);
CREATE UNIQUE INDEX feature_level_id ON feature (venue, level, id);     -- the order for digests
CREATE UNIQUE INDEX feature_id ON feature (venue, id);
CREATE TABLE signed_head (
    venue    INTEGER PRIMARY KEY,
    document TEXT    NOT NULL                    -- the statement that the venue was verified with, as received
);
COMMIT;
"""
#: Where the header of a SQLite file has the application id (https://www.sqlite.org/fileformat.html §1.3).
_APPLICATION_ID_OFFSET = 68


class DamagedFile(StoreError):
    """A file of this package that SQLite cannot read, or that has other values than this package writes."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the file is damaged: {reason}. A replica that is opened on it replaces it")


def connect(path: Union[str, os.PathLike[str]], create: bool) -> sqlite3.Connection:
    """Opens a connection in autocommit mode. If the file does not exist, `create` decides whether it is created."""
    name = os.fspath(path)
    if not create and not os.path.exists(name):
        raise StoreError(f"there is no file {name}")
    try:
        connection = sqlite3.connect(name, timeout=30.0, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise explain(error) from error
    try:
        _prepare(connection, name, create)
    except UnicodeDecodeError as error:  # the message quotes what is damaged
        connection.close()
        raise DamagedFile("its schema is damaged") from error
    except sqlite3.Error as error:
        connection.close()
        known = explain(error)
        if isinstance(known, DamagedFile) and not _is_own(name):
            raise StoreError(f"{name} is not a replica of this package") from error
        raise known from error
    except SyncError:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, name: str, create: bool) -> None:
    connection.execute("PRAGMA busy_timeout = 30000")
    if create:
        # Effective only for a new file, before anything is written to it.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    tables, = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables == 0 and create:
        try:
            connection.executescript(_SCHEMA)
        except sqlite3.OperationalError:
            # Another process may have created the tables; other errors are detected below.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    owner, = connection.execute("PRAGMA application_id").fetchone()
    if owner != APPLICATION_ID:
        raise StoreError(f"{name} is not a replica of this package")
    version, = connection.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        raise StoreError(f"{name} was written by another version of this package")


def _is_own(name: str) -> bool:
    """Whether this package wrote the file, as its header says even if another part of it is damaged."""
    try:
        with open(name, "rb") as file:
            return file.read(_APPLICATION_ID_OFFSET + 4)[_APPLICATION_ID_OFFSET:] == APPLICATION_ID.to_bytes(4, "big")
    except OSError:
        return False


def definitions(connection: sqlite3.Connection) -> FrozenSet[Tuple[object, ...]]:
    """The columns of the tables and of the indexes of a file."""
    columns = connection.execute(
        "SELECT tables.name, columns.name, columns.type, columns.\"notnull\", columns.dflt_value, columns.pk"
        " FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'").fetchall()
    indexes = connection.execute(
        "SELECT tables.name, indexes.\"unique\", columns.seqno, columns.name FROM sqlite_master AS tables,"
        " pragma_index_list(tables.name) AS indexes, pragma_index_info(indexes.name) AS columns WHERE tables.type = 'table'").fetchall()
    return frozenset(columns + indexes)


def new_definitions() -> FrozenSet[Tuple[object, ...]]:
    """Those of a new file."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        return definitions(connection)


def explain(error: sqlite3.Error) -> SyncError:
    text = str(error)
    if "full" in text:
        return DiskFull(text)
    if "locked" in text:
        return Busy(text)
    # SQLITE_CORRUPT and SQLITE_NOTADB; all other errors are of its subclasses.
    if type(error) is sqlite3.DatabaseError:
        return DamagedFile(text or "SQLite cannot read it")
    return StoreError(text)
