"""Ed25519 signatures (RFC 8032), in Python alone. Only for verification: it does not run in constant time.

A verification takes some milliseconds.
"""

from __future__ import annotations

import hashlib
from typing import Optional, Tuple

#: Extended homogeneous coordinates: X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z.
Point = Tuple[int, int, int, int]

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, PRIME - 2, PRIME) % PRIME
_ROOT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)
_NEUTRAL: Point = (0, 1, 1, 0)


def add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % PRIME
    b = (one[1] + one[0]) * (other[1] + other[0]) % PRIME
    c = 2 * one[3] * other[3] * _D % PRIME
    d = 2 * one[2] * other[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME)


def multiply(factor: int, point: Point) -> Point:
    result = _NEUTRAL
    while factor > 0:
        if factor & 1:
            result = add(result, point)
        point = add(point, point)
        factor >>= 1
    return result


def encode(point: Point) -> bytes:
    inverse = pow(point[2], PRIME - 2, PRIME)
    x, y = point[0] * inverse % PRIME, point[1] * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _x(y: int, sign: int) -> Optional[int]:
    if y >= PRIME:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, PRIME - 2, PRIME) % PRIME
    if square == 0:
        return None if sign else 0
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * _ROOT_OF_MINUS_ONE % PRIME
    if (x * x - square) % PRIME:
        return None
    return x if x & 1 == sign else PRIME - x


def decode(text: bytes) -> Optional[Point]:
    """The point of 32 bytes; None if they are not the encoding of one."""
    number = int.from_bytes(text, "little")
    y = number & (1 << 255) - 1
    x = _x(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % PRIME)


_BASE_Y = 4 * pow(5, PRIME - 2, PRIME) % PRIME
_BASE_X = _x(_BASE_Y, 0) or 0
BASE: Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % PRIME)


def challenge(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def is_signature(signature: bytes, message: bytes, public_key: bytes) -> bool:
    """Whether the signature over the message was made with the private key of this public key."""
    if len(signature) != 64 or len(public_key) != 32:
        return False
    key = decode(public_key)
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or scalar >= ORDER:
        return False
    negated: Point = (PRIME - key[0], key[1], key[2], PRIME - key[3])
    factor = challenge(signature[:32], public_key, message)
    return encode(add(multiply(scalar, BASE), multiply(factor, negated))) == signature[:32]
