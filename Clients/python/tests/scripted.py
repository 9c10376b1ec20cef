"""A transport that returns responses from a list."""

from __future__ import annotations

import base64
import urllib.parse
from typing import Any, Dict, List, Mapping, Optional

from venuesync import Response

SERVER = "https://maps.example"


class ScriptedResponse:
    def __init__(self, response: Mapping[str, Any]) -> None:
        self.status: int = response["status"]
        self.headers: Dict[str, str] = {name.lower(): value for name, value in response.get("headers", {}).items()}
        fault = response.get("fault", {})
        lines = "".join(line + "\n" for line in response["body"]).encode()
        body = base64.b64decode(response["base64"]) if "base64" in response else lines
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
    def __init__(self, responses: Optional[List[Any]] = None) -> None:
        self.responses = list(responses or [])
        self.requests: List[Dict[str, Any]] = []

    def get(self, url: str, headers: Mapping[str, str]) -> Response:
        parts = urllib.parse.urlsplit(url)
        query = urllib.parse.parse_qsl(parts.query)
        self.requests.append({
            "server": f"{parts.scheme}://{parts.netloc}", "path": parts.path, "since": dict(query).get("since"),
            "level": sorted(value for name, value in query if name == "level"), "headers": dict(headers), "query": dict(query)})
        if not self.responses:
            raise AssertionError(f"unexpected request: {url}")
        response = self.responses.pop(0)
        if isinstance(response, Exception):
            raise response
        if response.get("fault", {}).get("reset") == 0:
            raise ConnectionRefusedError("there is no network")
        return ScriptedResponse(response)
