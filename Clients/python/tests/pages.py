"""Builds responses of a server for tests."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Dict, List, Optional, Sequence

_REVISION = "sha-256:" + "0" * 64


def uuid(end: str) -> str:
    return f"00000000-0000-4000-8000-{end:>012}"


GROUND, FIRST = uuid("f0"), uuid("f1")


def compact(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def feature(end: str, type: str, **properties: object) -> str:
    return compact({"feature_type": type, "geometry": None, "id": uuid(end), "properties": properties, "type": "Feature"})


def named(end: str, type: str, name: str) -> str:
    return feature(end, type, name={"en": name})


def digest(bodies: Sequence[str]) -> str:
    return "sha-256:" + hashlib.sha256("".join(f"{body}\n" for body in bodies).encode()).hexdigest()


def block(
    level: Optional[str], kind: str, total: Optional[Sequence[str]], bodies: Sequence[str], removed: Sequence[str] = ()
) -> List[str]:
    """`total`: all bodies of the level after the change set, sorted by id; None for a level that is gone."""
    head = {"level_id": level, "ordinal": None, "kind": kind, "digest": None if total is None else digest(total)}
    gone = [{"id": id, "feature_type": "unit", "reason": "deleted"} for id in removed]
    lines = [body + ("," if index + 1 < len(bodies) else "") for index, body in enumerate(bodies)]
    return [compact(head)[:-1] + ',"features":[', *lines, '],"removed":' + compact(gone) + "}"]


def snapshot(level: Optional[str], *bodies: str) -> List[str]:
    return block(level, "snapshot", bodies, bodies)


def lines(start: Optional[int], to: int, cursor: Optional[str], *blocks: List[str], venue: str = "mall") -> List[str]:
    head: Dict[str, Any] = {
        "protocol": 1, "venue": venue, "from": start, "to": to, "digest": _REVISION, "about": {"language": "en"}, "complete": True}
    if cursor is not None:
        head["cursor"] = cursor
    result = [compact(head)[:-1] + ',"levels":[']
    for index, some in enumerate(blocks):
        result += some if index + 1 == len(blocks) else [*some[:-1], some[-1] + ","]
    return [*result, "]}"]


def response(start: Optional[int], to: int, cursor: str, *blocks: List[str]) -> Dict[str, Any]:
    return {"status": 200, "body": lines(start, to, cursor, *blocks)}


def problem(status: int, slug: str = "x", **headers: str) -> Dict[str, Any]:
    return {"status": status, "headers": headers, "body": [compact({"type": f"/problems/{slug}", "title": slug, "status": status})]}


def page_of_a_proxy(status: int, **headers: str) -> Dict[str, Any]:
    return {"status": status, "headers": {"Content-Type": "text/html", **headers}, "body": ["<html>Sign in</html>"]}


def collection(*bodies: str) -> Dict[str, Any]:
    lines = [body + ("," if index + 1 < len(bodies) else "") for index, body in enumerate(bodies)]
    return {"status": 200, "body": ['{"type":"FeatureCollection","features":[', *lines, "]}"]}
