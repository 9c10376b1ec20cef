"""Signs statements, for tests: Ed25519 (RFC 8032) in Python alone."""

from __future__ import annotations

import base64
import hashlib
from typing import Any, Dict, Mapping, Optional

from pages import compact
from venuesync.ed25519 import BASE, ORDER, challenge, encode, multiply


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Signer:
    def __init__(self, seed: bytes) -> None:
        digest = hashlib.sha512(seed).digest()
        self._scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
        self._prefix = digest[32:]
        self.public = encode(multiply(self._scalar, BASE))
        self.key = f"ed25519:{base64url(self.public)}"
        self.id = hashlib.sha256(self.public).hexdigest()[:16]

    def sign(self, message: bytes) -> bytes:
        nonce = challenge(self._prefix, message)
        point = encode(multiply(nonce, BASE))
        answer = (nonce + challenge(point, self.public, message) * self._scalar) % ORDER
        return point + answer.to_bytes(32, "little")

    def head(self, revision: int, whole: str, levels: Mapping[Optional[str], str], **changes: Any) -> Dict[str, Any]:
        """The response to `GET /venues/mall/head`. `whole`: the digest of the revision. `changes`: other values of members, which are signed."""
        members: Dict[str, Any] = {
            "as_of": "2026-04-01T09:00:00.000Z", "bytes": 100_000, "digest": whole, "epoch": "A", "expires": "2026-04-01T09:10:00.000Z",
            "key_id": self.id, "levels": [[level, levels[level]] for level in sorted(levels, key=lambda level: level or "")],
            "manifest_digest": None, "protocol": 1, "published_at": "2026-04-01T08:00:00.000Z", "revision": revision,
            "venue": "mall", **changes}
        members["signature"] = base64url(self.sign(compact(members).encode()))
        return response(members)


def response(members: Mapping[str, Any]) -> Dict[str, Any]:
    return {"status": 200, "body": [], "base64": base64.b64encode(compact(members).encode()).decode()}
