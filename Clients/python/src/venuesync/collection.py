"""Fetches a level whole, as a FeatureCollection, and puts it into a draft while it comes."""

from __future__ import annotations

from typing import List, Optional

from .draft import Draft
from .errors import Malformed
from .exchange import Exchange, query
from .lines import BodyLines
from .wire import member

_BATCH = 1 << 20
_LARGEST_COLLECTION = 4 << 30


def fetch_level(exchange: Exchange, path: str, level: Optional[str], draft: Draft) -> None:
    """Replaces what is held under a level by what the server has at `path`."""
    exchange.attempting(exchange.policy.attempts, lambda: _fetch(exchange, path, level, draft))


def _fetch(exchange: Exchange, path: str, level: Optional[str], draft: Draft) -> None:
    draft.forget(level)
    lines = BodyLines()
    batch: List[bytes] = []
    size = total = 0
    for piece in exchange.pieces(path):
        total += len(piece)
        if total > _LARGEST_COLLECTION:
            raise Malformed("a level without an end")
        for _, body in lines.feed(piece):
            batch.append(body)
            size += len(body)
        if size > _BATCH:
            draft.put(level, batch)
            batch, size = [], 0
    draft.put(level, batch)
    if member(lines.finish(), "features", list) or lines.lists != 1:
        raise Malformed("no FeatureCollection")


def repair(exchange: Exchange, venue: str, revision: int, draft: Draft) -> List[Optional[str]]:
    """Fetches levels that differ from their digests once more; which ones these were."""
    wrong = draft.mismatches()
    for level in wrong:
        name = query([("level", level or "venue")])
        fetch_level(exchange, f"/venues/{venue}/revisions/{revision}/features?{name}", level, draft)
    return wrong
