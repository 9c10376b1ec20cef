"""The package as a client program for Tests/Clients/follower.py: reads commands and prints the state of its replica."""

from __future__ import annotations

import json
import sys
from typing import Any, Dict, List, Optional

from venuesync import EVERYTHING, RetryPolicy, SyncError, SyncReport, VenueReplica


def execute(replica: VenueReplica, arguments: List[str]) -> Optional[SyncReport]:
    command, names = arguments[0], arguments[1:]
    if command == "show":
        return None
    if command == "add":
        return replica.add(*names)
    if command == "drop":
        return replica.drop(*names)
    if not names:
        return replica.sync()
    return replica.sync(levels=EVERYTHING if names == ["*"] else names)


def describe(replica: VenueReplica) -> Dict[str, Any]:
    with replica.store.read() as reader:
        state = reader.state(replica.venue)
        assert state is not None and not reader.problems()
        levels = {level or "-": reader.computed_digest(state, level) for level in reader.digests(state)}
        assert not reader.damaged(state)
        return {"revision": state.revision, "cursor": state.cursor, "levels": levels}


def main() -> None:
    server, key, venue, path = sys.argv[1:5]
    policy = RetryPolicy(attempts=2, shortest=0.01)
    with VenueReplica(path, server, venue, key, policy=policy) as replica:
        for line in sys.stdin:
            result: Dict[str, Any] = {"result": "ok", "report": None}
            try:
                report = execute(replica, line.split())
                if report is not None:
                    result["report"] = {
                        "added": report.added, "changed": report.changed, "removed": report.removed,
                        "repaired": [level or "-" for level in report.repaired],
                        "levels_added": [count.level or "-" for count in report.levels_added],
                        "levels_dropped": [count.level or "-" for count in report.levels_dropped]}
            except SyncError as error:
                result.update(result=error.result, message=str(error))
            print(json.dumps({**result, **describe(replica)}), flush=True)


if __name__ == "__main__":
    main()
