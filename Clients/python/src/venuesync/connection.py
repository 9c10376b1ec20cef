"""Sends requests to the server and turns failures into errors."""

from __future__ import annotations

import itertools
import urllib.parse
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, TypeVar, Union

from . import delta
from .body_lines import BodyLines, parse
from .errors import (
    Contradiction, HistoryLost, Malformed, Refused, SyncError, Unauthorized, Unavailable, UnknownVenue, Unreachable,
    Untrusted, VenueGone)
from .reason import reason
from .retry import RetryPolicy
from .transport import Response, Transport

_Result = TypeVar("_Result")

_CHUNK = 1 << 18
#: More than any page needs: 8 MiB of bodies, or one body of 32 MiB, and the rest of the document.
_MAX_PAGE_BYTES = 96 << 20
_MAX_PROBLEM_BYTES = 16 << 20


class ServerConnection:
    """One server, and the key that is sent only to it."""

    def __init__(self, server: str, key: Optional[str], transport: Transport, policy: RetryPolicy) -> None:
        parts = urllib.parse.urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
            raise ValueError(f"“{server}” is not the address of a server")
        if key is not None and not (key.isascii() and key.isprintable()):
            raise ValueError("the key has characters that are not allowed in a header")
        self._base = server.rstrip("/")
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._transport = transport
        self.policy = policy

    def change_set(self, path: str) -> Union[bytes, Tuple[Any, List[List[bytes]]]]:
        """Fetches a page of a change set: the bytes of the delta form, or in the plain form the same as `document`."""
        chunks = self.chunks(path)
        first = next(chunks, b"")
        if not delta.begins(first):
            return self._separated(itertools.chain([first], chunks))
        text = bytearray(first)
        for chunk in chunks:
            text += chunk
            if len(text) > delta.MAX_DOCUMENT_BYTES:
                raise Malformed(f"a response of more than {delta.MAX_DOCUMENT_BYTES} bytes")
        return bytes(text)

    def text(self, path: str, limit: int) -> bytes:
        """Fetches a document as it is."""
        text = bytearray()
        for chunk in self.chunks(path):
            text += chunk
            if len(text) > limit:
                raise Malformed(f"a response of more than {limit} bytes")
        return bytes(text)

    def document(self, path: str, attempts: int = 1) -> Tuple[Any, List[List[bytes]]]:
        """Fetches a document. Returns it without its bodies, and its lists of bodies."""
        return self.attempting(attempts, lambda: self._document(path))

    def _document(self, path: str) -> Tuple[Any, List[List[bytes]]]:
        return self._separated(self.chunks(path))

    @staticmethod
    def _separated(chunks: Iterable[bytes]) -> Tuple[Any, List[List[bytes]]]:
        lines = BodyLines()
        lists: List[List[bytes]] = []
        total = 0
        for chunk in chunks:
            total += len(chunk)
            if total > _MAX_PAGE_BYTES:
                raise Malformed(f"a response of more than {_MAX_PAGE_BYTES} bytes")
            for index, body in lines.feed(chunk):
                while len(lists) <= index:
                    lists.append([])
                lists[index].append(body)
        document = lines.finish()
        lists += [[] for _ in range(lines.lists - len(lists))]
        return document, lists

    def attempting(self, attempts: int, operation: Callable[[], _Result]) -> _Result:
        """Repeats an operation until it succeeds or the number of attempts is reached."""
        failures = 0
        while True:
            try:
                return operation()
            except SyncError as error:
                failures += 1
                if failures >= attempts or not error.is_retryable:
                    raise
                self.policy.sleep(self.policy.pause(failures, getattr(error, "retry_after", None)))

    def chunks(self, path: str) -> Iterator[bytes]:
        """Yields the body of a successful response in chunks."""
        response = self._send(path)
        try:
            if response.status != 200:
                raise self._refusal(response)
            while True:
                chunk = self._read(response)
                if not chunk:
                    return
                yield chunk
        finally:
            response.close()

    def _send(self, path: str) -> Response:
        if not _is_path(path):
            raise Contradiction(f"“{path[:100]}” is not a path on the server")
        try:
            return self._transport.get(self._base + path, self._headers)
        except (OSError, ValueError) as error:
            raise Unreachable(f"{self._base} does not answer: {reason(error)}") from error

    @staticmethod
    def _read(response: Response) -> bytes:
        try:
            return response.read(_CHUNK)
        except OSError as error:
            raise Unreachable(f"the response is incomplete: {reason(error)}") from error

    def _refusal(self, response: Response) -> Exception:
        status = response.status
        if status == 429 or status >= 500:
            return Unavailable(status, self.policy.retry_after(response.headers.get("retry-after")))
        if status < 400:
            return Refused(status, location=response.headers.get("location"))
        problem = self._problem(response)
        if problem is None:
            return Refused(status, "the response is not from VenueSync")
        if status in (401, 403):
            return Unauthorized("the key is missing, wrong or revoked, or may not read this")
        if status == 404 and problem["type"] == "/problems/not-signed":
            return Untrusted("the server has no signature of the revision")
        if status == 404:
            return UnknownVenue("there is no such venue, or the key may not see it")
        if status == 400 and problem["type"] in ("/problems/invalid-cursor", "/problems/target-before-cursor"):
            # Only what the client holds decides on these, and nothing that it holds may keep it from the next revision.
            return HistoryLost(None)
        if status == 410:
            return VenueGone("the venue was deleted") if problem["type"] == "/problems/venue-gone" else HistoryLost(problem)
        return Refused(status, str(problem.get("title", ""))[:200])

    def _problem(self, response: Response) -> Optional[Dict[str, Any]]:
        """The problem document of a refusal; None if the response is from something between client and server, such as a proxy."""
        problem = self._problem_document(response)
        kind = problem.get("type") if isinstance(problem, dict) else None
        return problem if isinstance(kind, str) and kind.startswith("/problems/") else None

    def _problem_document(self, response: Response) -> Any:
        text = bytearray()
        try:
            while len(text) <= _MAX_PROBLEM_BYTES:
                chunk = self._read(response)
                if not chunk:
                    return parse(bytes(text))
                text += chunk
        except SyncError:
            pass
        return None


def _is_path(path: str) -> bool:
    """`//host`, and variants that lenient parsers accept, name another server. Only visible ASCII is allowed in a path."""
    return path[:1] == "/" and path[1:2] != "/" and all("!" <= c <= "~" and c not in "\\#" for c in path)


def query(parameters: List[Tuple[str, str]]) -> str:
    return urllib.parse.urlencode(parameters, quote_via=urllib.parse.quote, safe="")
