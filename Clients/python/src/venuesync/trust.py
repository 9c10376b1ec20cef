"""Signed statements about revisions, and the keys that a program trusts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Dict, Iterable, List, Mapping, Optional

from .ed25519 import is_signature
from .errors import Untrusted
from .selection import Selection
from .wire import Page

#: More than the statement about a venue with 100,000 levels.
MAX_DOCUMENT_BYTES = 16 << 20
_LIFETIME = 600.0
_MEMBERS = {
    "bytes": int, "digest": str, "epoch": str, "key_id": str, "levels": list, "protocol": int, "published_at": str,
    "revision": int, "signature": str, "venue": str, "as_of": str, "expires": str}
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z")
_DIGEST = re.compile(r"sha-256:[0-9a-f]{64}")
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _from_base64url(text: str) -> bytes:
    """Raises `ValueError` unless this is the only spelling of the bytes."""
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(data).decode().rstrip("=") != text:
        raise ValueError("not base64url")
    return data


class TrustedKeys:
    """Public keys, by the id that statements name them by."""

    def __init__(self, texts: Iterable[str]) -> None:
        """`texts`: such as `ed25519:PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw`. Raises `ValueError` for anything else."""
        self._keys: Dict[str, bytes] = {}
        for text in texts:
            try:
                key = _from_base64url(text[len("ed25519:"):]) if text.startswith("ed25519:") else b""
            except ValueError:
                key = b""
            if len(key) != 32:
                raise ValueError(f"“{text}” is not a public key")
            self._keys[hashlib.sha256(key).hexdigest()[:16]] = key

    def head(self, document: bytes, venue: str) -> SignedHead:
        """Reads a signed head and verifies its signature. Raises `Untrusted`."""
        try:
            members = json.loads(document)
        except ValueError:
            raise Untrusted("the statement is not JSON") from None
        # Only the canonical form is accepted, so that no other reader can understand the signed bytes differently.
        if not _is_statement(members) or _canonical(members) != document:
            raise Untrusted("the statement has an unknown form")
        key = self._keys.get(members["key_id"])
        if key is None:
            raise Untrusted(f"the statement is signed with the key {members['key_id']}, which is not trusted")
        signed = {name: value for name, value in members.items() if name != "signature"}
        try:
            signature = _from_base64url(members["signature"])
        except ValueError:
            signature = b""
        if not is_signature(signature, _canonical(signed), key):
            raise Untrusted("the signature of the statement is wrong")
        if members["venue"] != venue:
            raise Untrusted(f"the statement is about the venue {members['venue'][:64]}")
        return SignedHead(
            document, members["epoch"], members["revision"], members["digest"], dict(members["levels"]), members["bytes"],
            _seconds(members["as_of"]), _seconds(members["expires"]))


@dataclass(frozen=True)
class SignedHead:
    """A verified statement about the newest revision of a venue."""

    document: bytes
    epoch: str
    revision: int
    digest: str
    #: The digests of the venue-wide part (None) and of all levels.
    levels: Mapping[Optional[str], str]
    #: The size of all bodies.
    bytes: int
    #: From when and until when the revision counts as the newest; seconds since 1970.
    as_of: float
    expires: float

    def check_time(self, now: float) -> None:
        if now >= self.expires:
            raise Untrusted("the statement about the newest revision has expired")

    def is_recent(self, now: float) -> bool:
        """Whether the statement counts for another while, so that a long poll without changes needs no other one."""
        return _LIFETIME / 2 <= self.expires - now <= 2 * _LIFETIME

    def check_succession(self, known: SignedHead) -> None:
        """Raises `Untrusted` for an older revision of the same epoch, and for an earlier epoch."""
        if self.epoch != known.epoch:
            if self.as_of <= known.as_of:
                raise Untrusted("the statement is about an earlier history")
        elif self.revision < known.revision:
            raise Untrusted(f"the statement is about revision {self.revision}, which is older than {known.revision}")
        elif self.revision == known.revision and self.digest != known.digest:
            raise Untrusted(f"revision {self.revision} has two digests")

    def check_page(self, page: Page) -> None:
        """Checks a page before anything of it is stored."""
        if (page.frame.to, page.frame.digest) != (self.revision, self.digest):
            raise Untrusted(f"the change set does not lead to the signed revision {self.revision}")
        for block in page.blocks:
            if block.digest is not None and not self.levels.get(block.level, "").startswith(block.digest):
                raise Untrusted(f"the statement has another digest of {_name(block.level)}")

    def check_held(
        self, held: Mapping[Optional[str], str], selection: Selection, ordinals: Mapping[str, Optional[int]]
    ) -> None:
        """Checks that exactly the selected levels are held, as they were signed. `ordinals`: of all levels of the revision."""
        for level, digest in held.items():
            if self.levels.get(level) != digest:
                raise Untrusted(f"the statement has another digest of {_name(level)}")
        for level in self.levels:
            names = selection.names
            is_selected = level is None or names is None or bool({level, f"ordinal:{ordinals.get(level)}"} & names)
            if is_selected and level not in held:
                raise Untrusted(f"the server leaves out {_name(level)}")


class DownloadLimit:
    """Ends a download that is larger than the signed revision."""

    def __init__(self, head: Optional[SignedHead]) -> None:
        self._left = None if head is None else head.bytes
        self._removed = 0

    def receive(self, page: Page, held: int) -> None:
        """`held`: the number of held features, which bounds what can be removed."""
        if self._left is None:
            return
        removed = sum(len(block.removed) for block in page.blocks)
        self._left -= sum(len(body) for block in page.blocks for body in block.bodies)
        self._removed += removed
        if self._left < 0 or not page.is_complete and self._removed > 2 * held:
            raise Untrusted("the response is larger than the signed revision")
        if not page.is_complete and not removed and not any(block.bodies for block in page.blocks):
            raise Untrusted("a page without content that is not the last one")


def collection_limit(head: Optional[SignedHead]) -> Optional[int]:
    """The maximum size of a FeatureCollection of one level; None if it is not known."""
    return None if head is None else 2 * head.bytes + (1 << 20)


def _canonical(value: object) -> bytes:
    """RFC 8785 for what statements consist of: ASCII texts, integers, lists, null and objects."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _is_statement(members: Any) -> bool:
    if not isinstance(members, dict) or members.keys() != _MEMBERS.keys() | {"manifest_digest"}:
        return False
    if not all(type(members[name]) is kind for name, kind in _MEMBERS.items()):
        return False
    manifest = members["manifest_digest"]
    return (
        members["protocol"] == 1 and members["revision"] > 0 and members["bytes"] >= 0
        and _DIGEST.fullmatch(members["digest"]) is not None
        and (manifest is None or isinstance(manifest, str) and _DIGEST.fullmatch(manifest) is not None)
        and all(_TIME.fullmatch(members[name]) for name in ("published_at", "as_of", "expires"))
        and _are_levels(members["levels"]))


def _are_levels(entries: List[Any]) -> bool:
    """The venue-wide part first, then the levels in ascending order, each once."""
    if not all(
            isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], str) and _DIGEST.fullmatch(entry[1])
            for entry in entries):
        return False
    if not entries or entries[0][0] is not None:
        return False
    ids = [entry[0] for entry in entries[1:]]
    return all(isinstance(id, str) and _ID.fullmatch(id) for id in ids) and all(a < b for a, b in zip(ids, ids[1:]))


def _seconds(text: str) -> float:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc).timestamp()
    except ValueError:
        raise Untrusted("the statement has an invalid time") from None


def _name(level: Optional[str]) -> str:
    return "the venue-wide part" if level is None else f"level {level}"
