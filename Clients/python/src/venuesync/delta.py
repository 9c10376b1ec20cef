"""Reads the delta form of a change set: `docs/protocol/delta-form.md`."""

from __future__ import annotations

import base64
import uuid
import zlib
from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Protocol, Tuple

from .errors import Malformed
from .wire import About, Block, Frame, Page, Removal

MAGIC = b"VSD\x01"
#: Bounds. The server stays far below them.
MAX_DOCUMENT_BYTES = 48 << 20
_MAX_BODY_BYTES = 64 << 20
_MAX_INDEX_BYTES = 4 << 20
_MAX_ITEMS = 100_000
_MAX_GROUPS = 10_000
_WINDOW = 32 << 10
_MAX_CONTEXT_BYTES = 24 << 10
_KINDS = ("changes", "snapshot", "gone")


class Base(Protocol):
    """The features that the replica held before the synchronization."""

    def levels(self) -> List[str]:
        """The ids of the held levels, ascending, without the venue-wide part."""

    def ids(self, level: Optional[str]) -> List[str]:
        """The ids of the features of a level, ascending."""

    def body(self, id: str) -> bytes: ...

    def same_type(self, level: Optional[str], id: str) -> Iterable[bytes]:
        """The bodies of the features of a level with the type of one of them, in the order of their ids."""


@dataclass
class _Block:
    level: Optional[str]
    kind: str
    is_continued: bool
    digest: Optional[str]
    removed: List[str]
    count: int


#: The level and the id of a held feature, and how many bytes a new body has in common with its beginning and its end.
_Source = Tuple[Optional[str], str, int, int]


def begins(document: bytes) -> bool:
    """Whether a response is in this form, in any version."""
    return document[:3] == MAGIC[:3]


def page(document: bytes, base: Base, since: Optional[str]) -> Page:
    """`since`: the cursor of the request. Raises `Malformed` if the document is damaged or does not fit what is held."""
    return _Decoder(document, base).page(since or "")


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data, self._offset = data, 0

    def take(self, count: int) -> bytes:
        taken = self._data[self._offset : self._offset + count]
        if len(taken) < count:
            raise Malformed("a document that ends early")
        self._offset += count
        return taken

    def number(self) -> int:
        """Seven bits a byte, the lowest first."""
        value = 0
        for shift in range(0, 63, 7):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise Malformed("a number that is too large")

    def text(self, length: int) -> str:
        try:
            return self.take(length).decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed("text that is not UTF-8") from None

    def optional_text(self) -> Optional[str]:
        length = self.number()
        return self.text(length - 1) if length else None

    def digest(self, length: int = 32) -> str:
        """A digest, or its first bytes."""
        return "sha-256:" + self.take(length).hex()

    def expect_end(self) -> None:
        if self._offset != len(self._data):
            raise Malformed("bytes after the end")


class _Decoder:
    def __init__(self, document: bytes, base: Base) -> None:
        self._document, self._base = document, base
        self._levels = base.levels()
        self._orders: Dict[Optional[str], List[str]] = {}
        self._bodies: Dict[str, bytes] = {}
        self._context: Optional[List[bytes]] = None
        self._items = self._held_bytes = self._new_bytes = 0

    def page(self, since: str) -> Page:
        reader = _Reader(self._document)
        if len(self._document) > MAX_DOCUMENT_BYTES or reader.take(4) != MAGIC:
            raise Malformed("another format or version, or a document that is too large")
        flags = reader.take(1)[0]
        if flags > 63:
            raise Malformed("unknown flags")
        venue = reader.text(reader.number())
        start = reader.number() if flags & 2 else None
        to = reader.number() + (start or 0)
        digest = reader.digest()
        if flags & 4:
            reader.number()
        language, time_zone, country = (reader.optional_text() for _ in range(3))
        if flags & 16:
            reader.text(reader.number())  # speeds for routes, which this client does not compute
        unchanged = 4 * reader.number()
        if unchanged > len(since):
            raise Malformed("more of the cursor than the request has")
        cursor = since[:unchanged] + base64.urlsafe_b64encode(reader.take(reader.number())).rstrip(b"=").decode()
        index = reader.take(reader.number())
        if flags & 8:
            index = _inflate(index, b"", _MAX_INDEX_BYTES)
        blocks = self._read(_Reader(index), reader, bool(flags & 32))
        reader.expect_end()
        return Page(Frame(venue, start, to, digest, About(language, time_zone, country)), bool(flags & 1), blocks, cursor)

    def _read(self, index: _Reader, streams: _Reader, has_companions: bool) -> List[Block]:
        blocks = [self._block(index) for _ in range(self._count(index.number()))]
        owners = [number for number, block in enumerate(blocks) for _ in range(block.count)]
        bodies: List[bytes] = []
        context = index.number()
        example = (self._level(index), context - 1) if context else None
        groups = 0
        while len(bodies) < len(owners):
            groups += 1
            if groups > _MAX_GROUPS:
                raise Malformed("too many groups")
            number = index.number()
            size = number >> 1
            if size == 0 or len(bodies) + size > len(owners):
                raise Malformed("more bodies than announced")
            first = len(bodies)
            sources = self._sources(
                index, [(owner, blocks[owner].level) for owner in owners[first : first + size]])
            others = list(self._context_bodies(example)) if number & 1 else []
            for _ in range(self._count(index.number()) if has_companions else 0):
                others.append(self._body(self._id(self._level(index), index.number())))
            bodies += self._group(sources, others, streams.take(index.number()))
        index.expect_end()
        rest = iter(bodies)
        return [
            Block(
                block.level, block.kind, block.digest, block.is_continued,
                [Removal(id, "", None, False) for id in block.removed], [next(rest) for _ in range(block.count)])
            for block in blocks]

    def _count(self, number: int) -> int:
        self._items += number
        if self._items > _MAX_ITEMS:
            raise Malformed("too many features")
        return number

    def _block(self, index: _Reader) -> _Block:
        flags = index.take(1)[0]
        if flags > 31 or flags & 3 == 3:
            raise Malformed("a block of an unknown kind")
        level = self._level(index)
        digest = index.digest(8) if flags & 8 else None
        removed, rank = [], -1
        removed_count = self._count(index.number()) if flags & 16 else 0
        if flags & 16 and removed_count == 0:
            raise Malformed("no removals")
        for _ in range(removed_count):
            difference = index.number()
            if difference == 0:
                raise Malformed("ranks that do not ascend")
            rank += difference
            removed.append(self._id(level, rank))
        return _Block(level, _KINDS[flags & 3], bool(flags & 4), digest, removed, self._count(index.number()))

    def _level(self, index: _Reader) -> Optional[str]:
        number = index.number()
        if number == 0:
            return None
        if number == 1:
            return str(uuid.UUID(bytes=index.take(16)))
        if number - 2 >= len(self._levels):
            raise Malformed("a level that is not held")
        return self._levels[number - 2]

    def _id(self, level: Optional[str], rank: int) -> str:
        if level not in self._orders:
            self._orders[level] = self._base.ids(level)
        if rank >= len(self._orders[level]):
            raise Malformed("a rank that is out of range")
        return self._orders[level][rank]

    def _body(self, id: str) -> bytes:
        if id not in self._bodies:
            self._bodies[id] = self._base.body(id)
            self._held_bytes += len(self._bodies[id])
            if self._held_bytes > _MAX_BODY_BYTES:
                raise Malformed("too much that is held")
        return self._bodies[id]

    def _sources(self, index: _Reader, owners: List[Tuple[int, Optional[str]]]) -> List[Optional[_Source]]:
        """`owners`: for each body of a group the number of its block, and the level."""
        sources: List[Optional[_Source]] = []
        last, current = -1, -1
        for block, own_level in owners:
            if block != current:
                last, current = -1, block
            number = index.number()
            if number == 0:
                sources.append(None)
                continue
            if number == 1:
                level, rank = self._level(index), index.number()
            else:
                level, rank = own_level, last + number - 1
                last = rank
            sources.append((level, self._id(level, rank), index.number(), index.number()))
        return sources

    def _context_bodies(self, example: Optional[Tuple[Optional[str], int]]) -> List[bytes]:
        """The first features of a level with the type of the one with this rank. They are read once."""
        if example is None:
            raise Malformed("a document without a context")
        if self._context is None:
            level, rank = example
            self._context = []
            left = _MAX_CONTEXT_BYTES
            for body in self._base.same_type(level, self._id(level, rank)):
                left -= len(body) + 1
                if left < 0:
                    break
                self._context.append(body)
        return self._context

    def _group(self, sources: List[Optional[_Source]], others: List[bytes], stream: bytes) -> List[bytes]:
        """`others`: what the dictionary begins with."""
        held = [(self._body(source[1]), source) for source in sources if source is not None]
        for body, (_, _, prefix, suffix) in held:
            if prefix + suffix > len(body):
                raise Malformed("more bytes in common than the held body has")
        parts = others + [body for body, _ in held]
        parts += [body[prefix : len(body) - suffix] for body, (_, _, prefix, suffix) in held]
        lines = _inflate(stream, _dictionary(parts), _MAX_BODY_BYTES - self._new_bytes).split(b"\n")
        if len(lines) != len(sources) + 1 or lines.pop():
            raise Malformed("the number of bodies differs from the announced one")
        bodies = []
        for line, source in zip(lines, sources):
            if source is not None:
                body = self._body(source[1])
                line = body[: source[2]] + line + body[len(body) - source[3] :]
            self._new_bytes += len(line)
            if self._new_bytes > _MAX_BODY_BYTES:
                raise Malformed("a text that is too large")
            bodies.append(line)
        return bodies


def _dictionary(parts: List[bytes]) -> bytes:
    """The last 32 KiB of the parts, with a line feed after each. Only what is in them is copied."""
    last, length = [], 0
    for part in reversed(parts):
        if length >= _WINDOW:
            break
        last.append(part[-_WINDOW:] + b"\n")
        length += len(last[-1])
    return b"".join(reversed(last))[-_WINDOW:]


def _inflate(stream: bytes, dictionary: bytes, limit: int) -> bytes:
    inflater = zlib.decompressobj(-15, zdict=dictionary) if dictionary else zlib.decompressobj(-15)
    try:
        text = inflater.decompress(stream, limit + 1)
    except zlib.error:
        raise Malformed("a stream that is damaged") from None
    if len(text) > limit or not inflater.eof or inflater.unused_data:
        raise Malformed("a stream that is too large, truncated, or has a wrong length")
    return text
