"""The interface to the network, which applications and tests can replace."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
import zlib
from typing import IO, Any, Mapping, Optional, Protocol

from .reason import reason


class Response(Protocol):
    """A response whose body is read incrementally."""

    status: int

    @property
    def headers(self) -> Mapping[str, str]:
        """Header fields by lower-case name."""

    def read(self, size: int) -> bytes:
        """Returns at most `size` decompressed bytes, none at the end. Raises `OSError` if the body is incomplete."""

    def close(self) -> None: ...


class Transport(Protocol):
    """Sends requests. Must not follow redirects, keep cookies or retry."""

    def get(self, url: str, headers: Mapping[str, str]) -> Response:
        """Raises `OSError` if there is no response. The text of one without `errno` is part of a message to the user."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Redirects are not followed, because the key is for one server only."""

    def redirect_request(self, *arguments: Any) -> None:
        return None


class HTTPTransport:
    """urllib, with gzip. Proxies come from the environment (`HTTPS_PROXY`, `NO_PROXY`)."""

    def __init__(self, timeout: float = 90.0, deadline: float = 900.0) -> None:
        """`timeout`: maximum seconds without a byte; `deadline`: maximum seconds for the whole response."""
        self._timeout = timeout
        self._deadline = deadline
        self._opener = urllib.request.build_opener(_NoRedirect())

    def get(self, url: str, headers: Mapping[str, str]) -> Response:
        request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip", **headers})
        deadline = time.monotonic() + self._deadline
        try:
            response = self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            return _HTTPResponse(error.code, error.headers, error, deadline)
        except http.client.HTTPException as error:
            raise OSError(reason(error)) from error
        return _HTTPResponse(response.status, response.headers, response, deadline)


class _HTTPResponse:
    def __init__(self, status: int, headers: Any, body: IO[bytes], deadline: float) -> None:
        self.status = status
        self.headers = {name.lower(): str(value) for name, value in headers.items()}
        self._body = body
        self._deadline = deadline
        length = self.headers.get("content-length", "")
        self._left = int(length) if length.isascii() and length.isdigit() and len(length) < 16 else None
        compressed = self.headers.get("content-encoding", "identity").lower()
        if compressed not in ("gzip", "x-gzip", "identity"):
            raise OSError("the body has an unsupported content encoding")
        # 16 selects the gzip format.
        self._inflater = zlib.decompressobj(16 + zlib.MAX_WBITS) if compressed != "identity" else None

    def read(self, size: int) -> bytes:
        if self._inflater is None:
            return self._receive(size)
        while not self._inflater.eof:
            compressed = self._inflater.unconsumed_tail or self._receive(size)
            try:
                chunk = self._inflater.decompress(compressed, size)
            except zlib.error as error:
                raise OSError("the body is not valid gzip") from error
            if chunk:
                return chunk
            if not compressed:
                raise OSError("the body is incomplete")
        return b""

    def _receive(self, size: int) -> bytes:
        if time.monotonic() > self._deadline:
            raise OSError("the body takes too long")
        try:
            chunk = self._body.read(size)
        except http.client.HTTPException as error:
            raise OSError("the body is incomplete") from error
        except ValueError as error:  # an invalid chunk length
            raise OSError("the body has invalid chunks") from error
        if self._left is not None:
            self._left -= len(chunk)
            if not chunk and self._left > 0:
                raise OSError("the body is incomplete")
        return chunk

    def close(self) -> None:
        self._body.close()


def default_transport(transport: Optional[Transport]) -> Transport:
    return HTTPTransport() if transport is None else transport
