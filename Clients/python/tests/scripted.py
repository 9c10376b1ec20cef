"""A transport that returns responses from a list."""

from __future__ import annotations

import urllib.parse
from typing import Any, Dict, List, Mapping, Optional

from venuesync import Response

SERVER = "https://maps.example"


class ScriptedResponse:
    def __init__(self, reply: Mapping[str, Any]) -> None:
        self.status: int = reply["status"]
        self.headers: Dict[str, str] = {name.lower(): value for name, value in reply.get("headers", {}).items()}
        fault = reply.get("fault", {})
        body = "".join(line + "\n" for line in reply["body"]).encode()
        self._breaks_off = "reset" in fault
        self._body = body[: fault.get("reset", fault.get("cut", len(body)))]

    def read(self, size: int) -> bytes:
        chunk, self._body = self._body[:size], self._body[size:]
        if not chunk and self._breaks_off:
            raise ConnectionResetError("the connection was reset")
        return chunk

    def close(self) -> None:
        pass


class ScriptedTransport:
    def __init__(self, replies: Optional[List[Any]] = None) -> None:
        self.replies = list(replies or [])
        self.requests: List[Dict[str, Any]] = []

    def get(self, url: str, headers: Mapping[str, str]) -> Response:
        parts = urllib.parse.urlsplit(url)
        query = urllib.parse.parse_qsl(parts.query)
        self.requests.append({
            "server": f"{parts.scheme}://{parts.netloc}", "path": parts.path, "since": dict(query).get("since"),
            "level": sorted(value for name, value in query if name == "level"), "headers": dict(headers), "query": dict(query)})
        if not self.replies:
            raise AssertionError(f"unexpected request: {url}")
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if reply.get("fault", {}).get("reset") == 0:
            raise ConnectionRefusedError("there is no network")
        return ScriptedResponse(reply)
