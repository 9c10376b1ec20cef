"""Tells the bodies of a reply from what stands around them, while the reply is being read."""

from __future__ import annotations

import json
from typing import Any, Iterator, Tuple

from .errors import Malformed

_OPENING = b'"features":['
_LONGEST_NUMBER = 24


class BodyLines:
    """Splits a reply into its bodies, one per line and byte for byte, and the document without them.

    Bodies stand behind a line that ends in `"features":[`, each but the last with a comma behind it, up to the first line that
    does not begin with `{`.
    """

    #: A feature has at most 32 MiB.
    LONGEST_LINE = 48 << 20
    #: What stands around the bodies; removals are the largest part of it.
    LARGEST_SKELETON = 16 << 20

    def __init__(self) -> None:
        #: How many lists of bodies have begun.
        self.lists = 0
        self._skeleton = bytearray()
        self._rest = bytearray()
        self._is_inside = False

    def feed(self, piece: bytes) -> Iterator[Tuple[int, bytes]]:
        """Takes the next piece of the reply; yields the number of the list, from 0, and the body for each that is complete."""
        self._rest += piece
        end = self._rest.rfind(b"\n", max(0, len(self._rest) - len(piece)))
        if end < 0:
            if len(self._rest) > self.LONGEST_LINE:
                raise Malformed("a line without an end")
            return
        text = bytes(self._rest[:end])
        del self._rest[: end + 1]
        for line in text.split(b"\n"):
            if self._is_inside and line[:1] == b"{":
                yield self.lists - 1, line[:-1] if line[-1:] == b"," else line
            else:
                self._add(line)

    def finish(self) -> Any:
        """The document without its bodies, whose lists are empty in it.

        Raises `Malformed` when that is no JSON, which is so when the reply ended too early.
        """
        self._add(bytes(self._rest))
        return parse(bytes(self._skeleton))

    def _add(self, line: bytes) -> None:
        self._skeleton += line
        if len(self._skeleton) > self.LARGEST_SKELETON:
            raise Malformed("too much that is no feature")
        self._is_inside = line.endswith(_OPENING)
        self.lists += self._is_inside


def parse(text: bytes) -> Any:
    """A JSON document of whatever origin: depth and numbers are bounded."""
    try:
        return _DECODER.decode(text.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Malformed("no JSON, or not all of it") from None


def _integer(token: str) -> int:
    if len(token) > _LONGEST_NUMBER:
        raise ValueError("a number of too many digits")
    return int(token)


def _constant(token: str) -> float:
    raise ValueError(f"{token} is no JSON")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_constant=_constant)
