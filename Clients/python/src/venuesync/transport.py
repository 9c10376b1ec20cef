"""How requests reach the server: the one seam between this package and the network."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
import zlib
from typing import IO, Any, Mapping, Optional, Protocol





class Response(Protocol):
    """A reply whose body is still on its way."""

    status: int

    @property
    def headers(self) -> Mapping[str, str]:
        """By their names in lower case."""

    def read(self, size: int) -> bytes:
        """At most so many bytes of the body, unpacked; no bytes at its end. Raises `OSError` when the body breaks off."""

    def close(self) -> None: ...


class Transport(Protocol):
    """Sends what it is given and judges nothing: it follows no redirect, keeps no cookie, and tries nothing twice."""

    def get(self, url: str, headers: Mapping[str, str]) -> Response:
        """Raises `OSError` when there is no reply."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key is for one server; a redirect is an answer like any other."""

    def redirect_request(self, *arguments: Any) -> None:
        return None


class HTTPTransport:
    """urllib, with gzip. Proxies come from the environment (`HTTPS_PROXY`, `NO_PROXY`)."""

    def __init__(self, timeout: float = 90.0, deadline: float = 900.0) -> None:
        """`timeout`: seconds without a byte; `deadline`: seconds for a whole reply, however it trickles."""
        self._timeout = timeout
        self._deadline = deadline
        self._opener = urllib.request.build_opener(_NoRedirect())

    def get(self, url: str, headers: Mapping[str, str]) -> Response:
        request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip", **headers})
        deadline = time.monotonic() + self._deadline
        try:
            reply = self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            return _HTTPResponse(error.code, error.headers, error, deadline)
        except http.client.HTTPException as error:
            raise OSError(f"no reply in HTTP: {error!r}") from error
        return _HTTPResponse(reply.status, reply.headers, reply, deadline)


class _HTTPResponse:
    def __init__(self, status: int, headers: Any, body: IO[bytes], deadline: float) -> None:
        self.status = status
        self.headers = {name.lower(): str(value) for name, value in headers.items()}
        self._body = body
        self._deadline = deadline
        length = self.headers.get("content-length", "")
        self._left = int(length) if length.isascii() and length.isdigit() and len(length) < 16 else None
        packed = self.headers.get("content-encoding", "identity").lower()
        if packed not in ("gzip", "x-gzip", "identity"):
            raise OSError("the body is compressed otherwise than asked for")
        # 16: with the header of gzip.
        self._inflater = zlib.decompressobj(16 + zlib.MAX_WBITS) if packed != "identity" else None

    def read(self, size: int) -> bytes:
        if self._inflater is None:
            return self._receive(size)
        while not self._inflater.eof:
            packed = self._inflater.unconsumed_tail or self._receive(size)
            try:
                piece = self._inflater.decompress(packed, size)
            except zlib.error as error:
                raise OSError("the body is no gzip") from error
            if piece:
                return piece
            if not packed:
                raise OSError("the body broke off")
        return b""

    def _receive(self, size: int) -> bytes:
        if time.monotonic() > self._deadline:
            raise OSError("the body takes too long")
        try:
            piece = self._body.read(size)
        except http.client.HTTPException as error:
            raise OSError("the body broke off") from error
        except ValueError as error:  # a chunk's length that is no number
            raise OSError("the body is no HTTP") from error
        if self._left is not None:
            self._left -= len(piece)
            if not piece and self._left > 0:
                raise OSError("the body broke off")
        return piece

    def close(self) -> None:
        self._body.close()


def default_transport(transport: Optional[Transport]) -> Transport:
    return HTTPTransport() if transport is None else transport
