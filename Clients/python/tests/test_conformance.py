"""The conformance cases for all clients (Tests/Conformance)."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
import unittest
from typing import Any, Dict, Optional, Tuple

from scripted import SERVER, ScriptedTransport
from venuesync import EVERYTHING, RetryPolicy, SyncError, Unavailable, VenueReplica

CASES = pathlib.Path(
    os.environ.get("VENUE_CONFORMANCE", pathlib.Path(__file__).resolve().parents[3] / "Tests/Conformance")) / "cases"


def held(replica: VenueReplica) -> Dict[str, Any]:
    with replica.store.read() as reader:
        state = reader.state(replica.venue)
        assert state is not None
        levels = {
            level or "-": {
                "digest": reader.computed_digest(state, level),
                "bodies": [feature.body.decode() for feature in reader.features(state, [level])]}
            for level in reader.digests(state)}
        assert reader.damaged(state) == []
        return {"revision": state.revision, "cursor": state.cursor, "levels": levels}


class ConformanceTests(unittest.TestCase):
    def test_every_case(self) -> None:
        files = sorted(CASES.glob("*.json"))
        self.assertGreater(len(files), 40)
        for file in files:
            with self.subTest(file.stem), tempfile.TemporaryDirectory() as folder:
                self.play(json.loads(file.read_text(encoding="utf-8")), pathlib.Path(folder) / "replica.sqlite")

    def play(self, case: Dict[str, Any], file: pathlib.Path) -> None:
        self.assertLessEqual(set(case["needs"]), {"repair", "disk-full", "delta", "kept-levels"})
        transport = ScriptedTransport()
        with self.open(case, file, transport) as replica:
            for number, step in enumerate(case["steps"], 1):
                self.step(replica, transport, step, f"step {number}", checks_form="delta" in case["needs"])
        # And the file says the same to whoever opens it next.
        with self.open(case, file, transport) as replica:
            self.assertEqual(held(replica), case["steps"][-1]["replica"])

    def open(self, case: Dict[str, Any], file: pathlib.Path, transport: ScriptedTransport) -> VenueReplica:
        return VenueReplica(file, SERVER, case["venue"], "secret", transport=transport, policy=RetryPolicy(attempts=1))

    def step(
        self, replica: VenueReplica, transport: ScriptedTransport, step: Dict[str, Any], name: str, checks_form: bool
    ) -> None:
        transport.responses = [exchange["reply"] for exchange in step["exchanges"]]
        transport.requests = []
        pages, = replica.store.writer.execute("PRAGMA page_count").fetchone()
        if step.get("disk") == "full":
            replica.store.writer.execute(f"PRAGMA max_page_count = {pages}")
        self.assertEqual(self.outcome(replica, step), (step["result"], step.get("retry_after")), name)
        replica.store.writer.execute("PRAGMA max_page_count = 1073741823")
        requested = [{name: request[name] for name in ("path", "since", "level")} for request in transport.requests]
        expected = [
            {"path": request["path"], "since": request["since"], "level": sorted(request["level"])}
            for request in (exchange["request"] for exchange in step["exchanges"])]
        self.assertEqual(requested, expected, name)
        if checks_form:
            forms = [exchange["request"].get("form") for exchange in step["exchanges"]]
            self.assertEqual([request["query"].get("form") for request in transport.requests], forms, name)
        for request in transport.requests:
            self.assertEqual((request["server"], request["headers"]["Authorization"]), (SERVER, "Bearer secret"))
        self.assertEqual(held(replica), step["replica"], name)

    def outcome(self, replica: VenueReplica, step: Dict[str, Any]) -> Tuple[str, Optional[float]]:
        try:
            if "levels" in step:
                replica.sync(levels=EVERYTHING if step["levels"] is None else step["levels"])
            else:
                replica.sync()
            return "ok", None
        except SyncError as error:
            return error.result, error.retry_after if isinstance(error, Unavailable) else None


if __name__ == "__main__":
    unittest.main()
