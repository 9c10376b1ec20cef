"""The documents that the server sends, checked member by member. Unknown members are ignored."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, List, Optional, Tuple

from .body_lines import parse
from .errors import Malformed

#: UUIDs on the wire are always in lower case.
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DIGEST = re.compile(r"sha-256:[0-9a-f]{64}")
_MAX_REVISION = (1 << 63) - 1
_MAX_CURSOR = 65_536


@dataclass(frozen=True)
class About:
    """Properties of the whole venue; each may be unknown."""

    language: Optional[str] = None
    time_zone: Optional[str] = None
    country: Optional[str] = None


@dataclass(frozen=True)
class Removal:
    id: str
    feature_type: str
    moved_to: Optional[str]
    is_move: bool


@dataclass
class Block:
    """The changes of one level on a page."""

    level: Optional[str]
    kind: str
    digest: Optional[str]
    is_continued: bool
    removed: List[Removal]
    bodies: List[bytes] = field(default_factory=list)


@dataclass(frozen=True)
class Frame:
    """The members that have to be equal on all pages of a change set."""

    venue: str
    from_revision: Optional[int]
    to: int
    digest: str
    about: About


@dataclass(frozen=True)
class Page:
    frame: Frame
    is_complete: bool
    blocks: List[Block]
    #: None for a venue in a change set over all venues.
    cursor: Optional[str]


@dataclass(frozen=True)
class RestartLevel:
    level: Optional[str]
    digest: str
    href: str


@dataclass(frozen=True)
class Restart:
    """The members of a 410: the state to reach when the cursor cannot be continued."""

    to: int
    cursor: str
    levels: Tuple[RestartLevel, ...]


def page(document: Any, bodies: List[List[bytes]]) -> Page:
    """A page of `GET /venues/{venue}/sync`."""
    found = venue_page(document, bodies)
    if bodies:
        raise Malformed("features that belong to no level")
    return Page(found.frame, found.is_complete, found.blocks, cursor_of(document))


def venue_page(document: Any, bodies: List[List[bytes]]) -> Page:
    """A page without its cursor. Removes one list from the front of `bodies` for each level of the document."""
    if integer(document, "protocol") != 1:
        raise Malformed("an unknown protocol version")
    about = member(document, "about", dict)
    start = document.get("from")
    frame = Frame(
        venue=text(document, "venue"),
        from_revision=None if start is None else integer(document, "from"),
        to=integer(document, "to"),
        digest=digest(document, "digest"),
        about=About(*(optional_text(about, name) for name in ("language", "time_zone", "country"))),
    )
    blocks = []
    for level in member(document, "levels", list):
        if member(level, "features", list) or not bodies:
            raise Malformed("features that are not on lines of their own")
        blocks.append(_block(level, bodies.pop(0)))
    return Page(frame, boolean(document, "complete"), blocks, None)


def _block(document: Any, bodies: List[bytes]) -> Block:
    kind = text(document, "kind")
    if kind not in ("changes", "snapshot", "gone"):
        raise Malformed("a level of an unknown kind")
    return Block(
        level=level_id(document, "level_id"),
        kind=kind,
        digest=None if document.get("digest") is None else digest(document, "digest"),
        is_continued="continued" in document and boolean(document, "continued"),
        removed=[_removal(removal) for removal in member(document, "removed", list)],
        bodies=bodies,
    )


def _removal(document: Any) -> Removal:
    is_move = text(document, "reason") == "moved"
    return Removal(
        id=uuid(text(document, "id")), feature_type=text(document, "feature_type"),
        moved_to=level_id(document, "moved_to") if is_move else None, is_move=is_move)


def restart(problem: Any) -> Optional[Restart]:
    """Parses a 410; None if it has no levels to start over with."""
    try:
        levels = tuple(
            RestartLevel(level_id(entry, "level_id"), digest(entry, "digest"), text(entry, "href"))
            for entry in member(problem, "levels", list))
        to = integer(problem, "to")
        return Restart(to, cursor_of(problem), levels) if to >= 1 else None
    except Malformed:
        return None


def identify(body: bytes) -> Tuple[str, str]:
    """Returns the id and the type of a feature; raises `Malformed` for an invalid body."""
    feature = parse(body)
    return uuid(text(feature, "id")), text(feature, "feature_type")


def member(document: Any, name: str, kind: type) -> Any:
    value = document.get(name) if isinstance(document, dict) else None
    if type(value) is not kind:
        raise Malformed(f"missing or invalid “{name}”")
    return value


def text(document: Any, name: str) -> str:
    value: str = member(document, name, str)
    return value


def optional_text(document: Any, name: str) -> Optional[str]:
    return None if document.get(name) is None else text(document, name)


def boolean(document: Any, name: str) -> bool:
    value: bool = member(document, name, bool)
    return value


def integer(document: Any, name: str) -> int:
    value: int = member(document, name, int)
    if not 0 <= value <= _MAX_REVISION:
        raise Malformed(f"“{name}” is out of range")
    return value


def cursor_of(document: Any) -> str:
    """A cursor, which has to fit into the address of a request."""
    value = text(document, "cursor")
    if len(value) > _MAX_CURSOR:
        raise Malformed("a cursor that is too long")
    return value


def digest(document: Any, name: str) -> str:
    value = text(document, name)
    if not _DIGEST.fullmatch(value):
        raise Malformed(f"“{name}” is not a digest")
    return value


def level_id(document: Any, name: str) -> Optional[str]:
    """None is the venue-wide part; the member has to be present."""
    if not isinstance(document, dict) or name not in document:
        raise Malformed(f"missing or invalid “{name}”")
    return None if document[name] is None else uuid(text(document, name))


def uuid(value: str) -> str:
    if not _UUID.fullmatch(value):
        raise Malformed("an id that is not a lower-case UUID")
    return value
