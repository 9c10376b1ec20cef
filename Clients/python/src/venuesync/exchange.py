"""Asks the server, and sorts out what went wrong."""

from __future__ import annotations

import urllib.parse
from typing import Any, Callable, Iterator, List, Optional, Tuple, TypeVar

from .errors import (
    Contradiction, HistoryLost, Malformed, Refused, SyncError, Unauthorized, Unavailable, UnknownVenue, Unreachable, VenueGone)
from .lines import BodyLines, parse
from .retry import RetryPolicy
from .transport import Response, Transport

_Answer = TypeVar("_Answer")

_PIECE = 1 << 18
#: More than any page takes: bodies of 8 MiB, or one of 32, and what stands around them.
_LARGEST_PAGE = 96 << 20
_LARGEST_PROBLEM = 16 << 20


class Exchange:
    """One server, and the key that is for it alone."""

    def __init__(self, server: str, key: Optional[str], transport: Transport, policy: RetryPolicy) -> None:
        parts = urllib.parse.urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
            raise ValueError(f"“{server}” is not the address of a server")
        if key is not None and not (key.isascii() and key.isprintable()):
            raise ValueError("the key has characters that no header takes")
        self._base = server.rstrip("/")
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._transport = transport
        self.policy = policy

    def document(self, path: str, attempts: int = 1) -> Tuple[Any, List[List[bytes]]]:
        """A reply without its bodies, and these, list by list."""
        return self.attempting(attempts, lambda: self._document(path))

    def _document(self, path: str) -> Tuple[Any, List[List[bytes]]]:
        lines = BodyLines()
        lists: List[List[bytes]] = []
        total = 0
        for piece in self.pieces(path):
            total += len(piece)
            if total > _LARGEST_PAGE:
                raise Malformed(f"a reply of more than {_LARGEST_PAGE} bytes")
            for index, body in lines.feed(piece):
                while len(lists) <= index:
                    lists.append([])
                lists[index].append(body)
        document = lines.finish()
        lists += [[] for _ in range(lines.lists - len(lists))]
        return document, lists

    def attempting(self, attempts: int, work: Callable[[], _Answer]) -> _Answer:
        """Does work that may be done again, until it succeeds or there were so many attempts."""
        failures = 0
        while True:
            try:
                return work()
            except SyncError as error:
                failures += 1
                if failures >= attempts or not error.is_retryable:
                    raise
                self.policy.sleep(self.policy.pause(failures, getattr(error, "retry_after", None)))

    def pieces(self, path: str) -> Iterator[bytes]:
        """The body of a successful reply, as it comes."""
        response = self._send(path)
        try:
            if response.status != 200:
                raise self._refusal(response)
            while True:
                piece = self._read(response)
                if not piece:
                    return
                yield piece
        finally:
            response.close()

    def _send(self, path: str) -> Response:
        if not _is_path(path):
            raise Contradiction(f"“{path[:100]}” leads away from the server")
        try:
            return self._transport.get(self._base + path, self._headers)
        except (OSError, ValueError) as error:
            raise Unreachable(f"no reply: {error}") from error

    @staticmethod
    def _read(response: Response) -> bytes:
        try:
            return response.read(_PIECE)
        except OSError as error:
            raise Unreachable(f"the reply broke off: {error}") from error

    def _refusal(self, response: Response) -> Exception:
        status = response.status
        if status in (401, 403):
            return Unauthorized("the key is missing, wrong or revoked, or may not read this")
        if status == 429 or status >= 500:
            return Unavailable(status, self.policy.wish(response.headers.get("retry-after")))
        problem = self._problem(response)
        kind = problem.get("type") if isinstance(problem, dict) else None
        if status == 404:
            return UnknownVenue("there is no such venue, or the key may not see it")
        if status == 410:
            return VenueGone("the venue was deleted") if kind == "/problems/venue-gone" else HistoryLost(problem)
        return Refused(status, str(problem.get("title", ""))[:200] if isinstance(problem, dict) else "")

    def _problem(self, response: Response) -> Any:
        text = bytearray()
        try:
            while len(text) <= _LARGEST_PROBLEM:
                piece = self._read(response)
                if not piece:
                    return parse(bytes(text))
                text += piece
        except SyncError:
            pass
        return None


def _is_path(path: str) -> bool:
    """`//host`, and what a lenient reader takes for it, is another server. Only visible ASCII has a place in a path."""
    return path[:1] == "/" and path[1:2] != "/" and all("!" <= c <= "~" and c not in "\\#" for c in path)


def query(parameters: List[Tuple[str, str]]) -> str:
    return urllib.parse.urlencode(parameters, quote_via=urllib.parse.quote, safe="")
