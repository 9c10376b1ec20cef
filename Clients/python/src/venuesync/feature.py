"""A stored feature: its bytes, which are parsed on demand."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Dict, Iterable, Mapping, Optional

from .language import language_of, nearest

#: Invisible characters besides white space, control and format characters: those that Unicode ignores by default, and the empty pattern of
#: braille.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]")


@dataclass(frozen=True)
class Feature:
    """One feature of an IMDF venue."""

    id: str
    #: `unit`, `occupant`, `level` and so on, as in the archive.
    type: str
    #: The level under which it is held; None is the venue-wide part.
    level: Optional[str]
    #: Canonical JSON (RFC 8785), byte for byte as on the server.
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
        """The ordinal of a level feature."""
        value = self.properties.get("ordinal")
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return value if type(value) is int and abs(value) < 1 << 31 else None

    def name(self, languages: Iterable[str] = (), member: str = "name") -> Optional[str]:
        """The label in the first available of these languages, otherwise in English, otherwise in any; None if there is none.

        A language is found by its full tag, by shorter and shorter tags (`zh-Hant-TW`, `zh-Hant`), in the same script (`zh-HK` for
        `zh-TW`), and with any script and region (`zh-Hans`), whatever its case.
        """
        labels = {tag.lower(): text for tag, text in self.labels(member).items()}
        for language in (*languages, "en"):
            if language and language.lower() in labels:
                return labels[language.lower()]
            index = nearest(language_of(language), [language_of(tag) for tag in labels])
            if index is not None:
                return list(labels.values())[index]
        return next(iter(labels.values()), None)

    def labels(self, member: str = "name") -> Dict[str, str]:
        """By language, the labels of `name`, `alt_name` or `short_name` with something visible; a plain string has the language ""."""
        value = self.properties.get(member)
        labels = {"": value} if isinstance(value, str) else value
        if not isinstance(labels, dict):
            return {}
        return {language: text for language, text in labels.items() if isinstance(text, str) and any(map(_is_visible, text))}


def _is_visible(character: str) -> bool:
    return not (character.isspace() or unicodedata.category(character) in ("Cc", "Cf") or _INVISIBLE.match(character))


@dataclass(frozen=True)
class Level:
    """A level of the venue, held or not: the level features are in the venue-wide part, which is always held."""

    #: None is the venue-wide part.
    id: Optional[str]
    ordinal: Optional[int]
    name: Optional[str]
    short_name: Optional[str]
    is_held: bool
    #: The number of held features and their digest; 0 and None if the level is not held.
    features: int
    digest: Optional[str]
