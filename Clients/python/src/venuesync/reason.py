"""Why there was no response, in words. The texts of Python are those of its libraries, with codes."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
from typing import List, Tuple

_NO_ROUTE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN}
#: The first one that fits counts; those of a library are subclasses of `OSError`, too.
_REASONS: List[Tuple[Tuple[type, ...], str]] = [
    ((ConnectionRefusedError,), "nothing listens at this address and port"),
    ((socket.gaierror,), "there is no host of this name"),
    ((ssl.SSLCertVerificationError,), "its certificate is not trusted here, or has expired"),
    ((ssl.SSLError,), "it does not speak https"),
    ((TimeoutError, socket.timeout), "it did not respond in time"),
    ((ConnectionError,), "the connection ended before the response"),
    ((http.client.HTTPException,), "it does not speak HTTP"),
]


def reason(error: BaseException) -> str:
    """A part of a sentence after a colon."""
    if type(error) is OSError and error.errno is None and error.args:
        # Not the system's: a transport wrote this sentence, and the cause is only a text of its library.
        return str(error.args[0])
    cause = getattr(error, "reason", None) or error.__cause__
    if isinstance(cause, BaseException):
        return reason(cause)
    if isinstance(error, OSError) and error.errno in _NO_ROUTE:
        return "no network leads to this address"
    return next((text for kinds, text in _REASONS if isinstance(error, kinds)), str(error))
