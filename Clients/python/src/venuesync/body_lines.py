"""Separates the bodies of a response from the rest of the document while it is read."""

from __future__ import annotations

import json
from typing import Any, Iterator, Tuple

from .errors import Malformed

_OPENING = b'"features":['
_MAX_DIGITS = 24


class BodyLines:
    """Splits a response into its bodies, one per line and byte for byte, and the document without them.

    Bodies follow a line that ends in `"features":[`. Each except the last ends with a comma. The first line that does not begin
    with `{` ends the list.
    """

    #: A feature has at most 32 MiB.
    MAX_LINE_BYTES = 48 << 20
    #: The document without bodies, mostly removals.
    MAX_SKELETON_BYTES = 16 << 20

    def __init__(self) -> None:
        #: How many lists of bodies have begun.
        self.lists = 0
        self._skeleton = bytearray()
        self._rest = bytearray()
        self._is_inside = False

    def feed(self, chunk: bytes) -> Iterator[Tuple[int, bytes]]:
        """Processes the next chunk; yields each complete body with the index of its list."""
        self._rest += chunk
        end = self._rest.rfind(b"\n", max(0, len(self._rest) - len(chunk)))
        if end < 0:
            if len(self._rest) > self.MAX_LINE_BYTES:
                raise Malformed("a line that is too long")
            return
        text = bytes(self._rest[:end])
        del self._rest[: end + 1]
        for line in text.split(b"\n"):
            if self._is_inside and line[:1] == b"{":
                yield self.lists - 1, line[:-1] if line[-1:] == b"," else line
            else:
                self._add(line)

    def finish(self) -> Any:
        """Returns the document, in which all lists of bodies are empty.

        Raises `Malformed` if it is not valid JSON, which is the case when the response is truncated.
        """
        self._add(bytes(self._rest))
        return parse(bytes(self._skeleton))

    def _add(self, line: bytes) -> None:
        self._skeleton += line
        if len(self._skeleton) > self.MAX_SKELETON_BYTES:
            raise Malformed("too much data besides features")
        self._is_inside = line.endswith(_OPENING)
        self.lists += self._is_inside


def parse(text: bytes) -> Any:
    """Parses untrusted JSON with bounds on nesting and numbers."""
    try:
        return _DECODER.decode(text.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Malformed("invalid or truncated JSON") from None


def _integer(token: str) -> int:
    if len(token) > _MAX_DIGITS:
        raise ValueError("a number with too many digits")
    return int(token)


def _constant(token: str) -> float:
    raise ValueError(f"{token} is not JSON")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_constant=_constant)
