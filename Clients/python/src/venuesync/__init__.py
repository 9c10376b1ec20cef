"""Verified, incremental replicas of indoor maps from a VenueSync server, using only the standard library."""

from .errors import (
    Busy, Contradiction, DiskFull, Malformed, Refused, StoreError, SyncError, Unauthorized, Unavailable, UnknownVenue, Unreachable,
    Untrusted, VenueGone, WrongDigest)
from .feature import Feature, Level
from .follow import FollowEvent
from .replica import VenueReplica
from .report import Change, LevelCount, SyncReport
from .retry import RetryPolicy
from .search import SearchResult
from .selection import EVERYTHING, VENUE_WIDE
from .store import ReplicaStore
from .transport import HTTPTransport, Response, Transport

__version__ = "0.1.0"

__all__ = [
    "Busy", "Change", "Contradiction", "DiskFull", "EVERYTHING", "Feature", "FollowEvent", "HTTPTransport", "Level", "LevelCount", "Malformed", "Refused",
    "ReplicaStore", "Response", "RetryPolicy", "SearchResult", "StoreError", "SyncError", "SyncReport", "Transport",
    "Unauthorized", "Unavailable", "UnknownVenue", "Unreachable", "Untrusted", "VENUE_WIDE", "VenueGone", "VenueReplica", "WrongDigest"]
