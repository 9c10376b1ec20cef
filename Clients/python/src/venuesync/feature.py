"""A feature as it is held: the server's bytes, and what is read from them when it is asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Dict, Iterable, Mapping, Optional


@dataclass(frozen=True)
class Feature:
    """One feature of an IMDF venue."""

    id: str
    #: `unit`, `occupant`, `level` and so on, as the venue spells it.
    type: str
    #: The level under which it is held; None is the venue-wide part.
    level: Optional[str]
    #: A line of canonical JSON (RFC 8785), byte for byte as the server has it.
    body: bytes

    @cached_property
    def geojson(self) -> Dict[str, Any]:
        """The whole GeoJSON Feature."""
        value = json.loads(self.body)
        return value if isinstance(value, dict) else {}

    @property
    def properties(self) -> Mapping[str, Any]:
        value = self.geojson.get("properties")
        return value if isinstance(value, dict) else {}

    @property
    def geometry(self) -> Optional[Dict[str, Any]]:
        value = self.geojson.get("geometry")
        return value if isinstance(value, dict) else None

    @property
    def category(self) -> Optional[str]:
        value = self.properties.get("category")
        return value if isinstance(value, str) else None

    @property
    def ordinal(self) -> Optional[int]:
        """Of a level feature."""
        value = self.properties.get("ordinal")
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return value if type(value) is int and abs(value) < 1 << 31 else None

    def name(self, languages: Iterable[str] = (), member: str = "name") -> Optional[str]:
        """The label in the first of these languages that it has, else in English, else in any."""
        labels = self.labels(member)
        for language in (*languages, "en"):
            if language in labels:
                return labels[language]
        return next(iter(labels.values()), None)

    def labels(self, member: str = "name") -> Dict[str, str]:
        """By language, the texts of `name`, `alt_name` or `short_name`."""
        value = self.properties.get(member)
        if not isinstance(value, dict):
            return {}
        return {language: text for language, text in value.items() if isinstance(text, str)}


@dataclass(frozen=True)
class Level:
    """A level of the venue, whether it is held or not: its feature is in the venue-wide part, which always is."""

    #: None is the venue-wide part.
    id: Optional[str]
    ordinal: Optional[int]
    name: Optional[str]
    short_name: Optional[str]
    is_held: bool
    #: What is held of it, proved by `digest`; 0 and None when it is not held.
    features: int
    digest: Optional[str]
