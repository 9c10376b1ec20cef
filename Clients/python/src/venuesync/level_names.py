"""Finds levels by the names that people use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, FrozenSet, Iterable, List, Optional

from .errors import UnknownVenue
from .selection import Selection


class AmbiguousName(Exception):
    """Several levels have the name."""


@dataclass(frozen=True)
class NamedLevel:
    id: str
    ordinal: Optional[int]
    #: The short names in all languages, or the names if there are none.
    labels: FrozenSet[str]

    @staticmethod
    def of(id: str, ordinal: Optional[int], short_name: Any, name: Any) -> NamedLevel:
        return NamedLevel(id, ordinal, frozenset(_texts(short_name) or _texts(name)))


def _texts(labels: Any) -> List[str]:
    return [text for text in labels.values() if isinstance(text, str)] if isinstance(labels, dict) else []


def is_protocol_name(name: str) -> bool:
    """True for an id, `ordinal:N` and `venue`."""
    try:
        Selection.of([name])
        return True
    except ValueError:
        return False


def level_named(name: str, levels: Iterable[NamedLevel]) -> str:
    """The id of the level with this name in any language, ignoring case.

    Raises `UnknownVenue` if there is none, and `AmbiguousName` if there are several, even if they are all on one floor.
    """
    found = [level for level in levels if name.lower() in (label.lower() for label in level.labels)]
    if not found:
        raise UnknownVenue(f"there is no level “{name}”; expected an id, ordinal:N or a short name")
    if len(found) == 1:
        return found[0].id
    ordinals = {level.ordinal for level in found}
    floor = f"ordinal:{found[0].ordinal} for the whole floor, or " if len(ordinals) == 1 and None not in ordinals else ""
    ids = "".join(f"\n  {level.id}" for level in sorted(found, key=lambda level: level.id))
    raise AmbiguousName(f"{len(found)} levels are named “{name}”; use {floor}the id of one of them:{ids}")
