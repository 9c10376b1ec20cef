"""Compares what was acknowledged and shown with what the database and the service say in the end."""

import json
import subprocess

from workload import PRIVATE, PROBE, PRUNED, PUBLIC, UNREACHABLE, five_steps, request

INVARIANTS = {
    "positions are gapless, or left a gap only with new epochs":
        "SELECT count(DISTINCT position) = count(*) AND max(position) = (SELECT position FROM catalogue) FROM revision",
    "revisions are gapless":
        "SELECT bool_and(numbers = head - first_revision + 1) FROM (SELECT head, first_revision, "
        "(SELECT count(*) FROM revision WHERE venue_id = venue.id AND number >= first_revision) AS numbers FROM venue "
        "WHERE head > 0) AS v",
    "no upload was published twice":
        "SELECT NOT EXISTS (SELECT FROM revision WHERE upload_id IS NOT NULL GROUP BY upload_id HAVING count(*) > 1)",
    "no request was carried out twice":
        "SELECT NOT EXISTS (SELECT FROM revision WHERE message ~ '^(edit |rollback |upload-)' GROUP BY message "
        "HAVING count(*) > 1)",
    "no version without its revision":
        "SELECT NOT EXISTS (SELECT FROM feature_version JOIN venue ON venue.id = venue_id WHERE from_revision > head)",
}


class Audit:
    def __init__(self, topology, ledger):
        self.topology, self.ledger = topology, ledger

    def sql(self, text):
        leader = self.topology.leader()
        outcome = subprocess.run(
            leader.command([str(self.topology.postgres / "psql"), "--no-psqlrc", "-At", "-v", "ON_ERROR_STOP=1",
                            self.topology.database_url(leader), "-c", text]), capture_output=True, text=True)
        if outcome.returncode != 0:
            raise RuntimeError(outcome.stderr)
        return [line.split("|") for line in outcome.stdout.splitlines()]

    def steady(self, path):
        """A response without an outage, as soon as there is one."""
        def attempt():
            try:
                status, _, body = request(self.topology.address, "GET", path, None, self.topology.admin_key)
                return status < 500 and (status, json.loads(body))
            except UNREACHABLE:
                return False
        return self.topology.wait(path, 60, attempt)

    def run(self):
        ledger = self.ledger
        for name, statement in INVARIANTS.items():
            if self.sql(statement) != [["t"]]:
                ledger.violate(f"audit: not so: {name}")
        rows = self.sql(
            "SELECT key, number, 'sha-256:' || encode(digest, 'hex'), coalesce(message, '') FROM revision "
            "JOIN venue ON venue.id = venue_id")
        stored = {(key, int(number)): (digest, message) for key, number, digest, message in rows}
        first = {key: int(number) for key, number in self.sql("SELECT key, first_revision FROM venue")}
        for (venue, number), message in ledger.revisions.items():
            if number < first[venue]:
                continue
            if stored.get((venue, number), (None, None))[1] != message:
                ledger.violate(f"lost: {message} was acknowledged as revision {number} of {venue}; stored is "
                               f"{stored.get((venue, number))}")
        for (venue, number), digest in ledger.digests.items():
            if number >= first[venue] and stored.get((venue, number), (None,))[0] != digest:
                ledger.violate(f"lost: clients were shown revision {number} of {venue} as {digest}; stored is "
                               f"{stored.get((venue, number))}")
        for venue in (PUBLIC, PRIVATE, PRUNED, PROBE):
            self.topology.wait(f"the uploads of {venue}", 120, lambda: self.sql(
                "SELECT NOT EXISTS (SELECT FROM upload WHERE state IN ('received', 'processing'))") == [["t"]])
        states = dict(self.sql("SELECT id, state FROM upload"))
        for upload, venue in ledger.uploads.items():
            if states.get(upload) not in ("published", "unchanged"):
                ledger.violate(f"audit: the acknowledged upload {upload} of {venue} is {states.get(upload)}")
        for worker in self.pollers():
            head = self.steady(f"/venues/{worker.venue}")[1]["head"]
            try:
                self.topology.wait(worker.name, 150, lambda: self.held_after_sync(worker) == head)
            except TimeoutError:
                ledger.violate(f"audit: {worker.name} ends at revision {worker.client.held['revision']}, not at {head}")
        ledger.counts["revisions"] = len(stored)
        ledger.counts["timeline"] = int(self.sql("SELECT timeline FROM lineage")[0][0])

    def held_after_sync(self, worker):
        """Shared caches may keep a response for a minute."""
        try:
            worker.client.sync()
        except five_steps.Failure as failure:
            if failure.kind == "wrong":
                self.ledger.violate(f"audit: {worker.name}: a response that does not verify")
        return worker.client.held["revision"]

    def pollers(self):
        return [worker for worker in self.workers if hasattr(worker, "client")]
