"""Test cases with a temporary replica and a scripted transport."""

from __future__ import annotations

import pathlib
import tempfile
import unittest
from typing import Any

from scripted import SERVER, ScriptedTransport
from venuesync import RetryPolicy, VenueReplica


class ReplicaTestCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "replica.sqlite"
        self.transport = ScriptedTransport()

    def replica(self, *responses: Any) -> VenueReplica:
        self.transport.responses += responses
        policy = RetryPolicy(attempts=1, shortest=0.001, longest=0.002)
        replica = VenueReplica(self.file, SERVER, "mall", "secret", transport=self.transport, policy=policy)
        self.addCleanup(replica.close)
        return replica
