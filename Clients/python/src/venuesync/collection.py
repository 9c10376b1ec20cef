"""Downloads all features of a level and writes them into a transaction while they arrive."""

from __future__ import annotations

from typing import List, Optional

from .body_lines import BodyLines
from .connection import ServerConnection, query
from .errors import Malformed
from .transaction import ReplicaTransaction
from .wire import member

_BATCH = 1 << 20
_MAX_COLLECTION_BYTES = 4 << 30


def fetch_level(
    server: ServerConnection, path: str, level: Optional[str], transaction: ReplicaTransaction, limit: Optional[int] = None
) -> None:
    """Replaces the features of a level by the FeatureCollection at `path`, of at most `limit` bytes."""
    server.attempting(
        server.policy.attempts, lambda: _fetch(server, path, level, transaction, limit or _MAX_COLLECTION_BYTES))


def _fetch(server: ServerConnection, path: str, level: Optional[str], transaction: ReplicaTransaction, limit: int) -> None:
    transaction.clear(level)
    lines = BodyLines()
    batch: List[bytes] = []
    size = total = 0
    for chunk in server.chunks(path):
        total += len(chunk)
        if total > limit:
            raise Malformed("a level that is too large")
        for _, body in lines.feed(chunk):
            batch.append(body)
            size += len(body)
        if size > _BATCH:
            transaction.put(level, batch)
            batch, size = [], 0
    transaction.put(level, batch)
    if member(lines.finish(), "features", list) or lines.lists != 1:
        raise Malformed("not a FeatureCollection")


def repair(
    server: ServerConnection, venue: str, revision: int, transaction: ReplicaTransaction, limit: Optional[int] = None
) -> List[Optional[str]]:
    """Fetches all levels whose digest differs again, and returns them."""
    wrong = transaction.mismatches()
    for level in wrong:
        name = query([("level", level or "venue")])
        fetch_level(server, f"/venues/{venue}/revisions/{revision}/features?{name}", level, transaction, limit)
    return wrong
