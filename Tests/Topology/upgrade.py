"""Upgrades the topology of deploy/one_machine.py while clients work: schema, nodes, workers, PostgreSQL.

    python3 upgrade.py --program PATH [--seed N] [--network ports|namespaces]

There is one program. What an older one meets is tested by a migration that it does not know, which is applied while it runs and under
which it is started again. No read and no write may fail until PostgreSQL is restarted; from then on no read. Ends with status 1 if
anything was violated.
"""

import argparse
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"))
from one_machine import PATRONI_PORT, Topology  # noqa: E402

from audit import Audit  # noqa: E402
from faults import Faults  # noqa: E402
from ledger import Ledger  # noqa: E402
from workload import Workload  # noqa: E402

MIGRATION = """
CREATE TABLE later_setting (name text PRIMARY KEY, value text NOT NULL);
ALTER TABLE venue ADD COLUMN later_note text;
ALTER TABLE revision ADD COLUMN later_note text, ADD COLUMN later_count integer NOT NULL DEFAULT 0;
ALTER TABLE upload ADD COLUMN later_note text;
CREATE INDEX later_revision_note ON revision (later_note) WHERE later_note IS NOT NULL;
"""
"""Of every kind that docs/CONTRIBUTING.md permits: tables, columns that may be null or have a default, indexes."""

FAILED_WRITES = ("writes refused with", "writes without a response")


def migrate(topology):
    """Applies the migration as `venue migrate` of a newer program does: in one transaction, with its row."""
    leader = topology.leader()
    checksum = hashlib.sha256(MIGRATION.encode()).hexdigest()
    row = f"INSERT INTO schema_migration (number, name, sha256) VALUES (900, 'V900__later', '\\x{checksum}')"
    subprocess.run(
        leader.command([str(topology.postgres / "psql"), "--no-psqlrc", "--quiet", "-v", "ON_ERROR_STOP=1", "--single-transaction",
                        topology.database_url(leader), "-c", MIGRATION, "-c", row]), check=True)


def replace(topology, machine, name):
    """Stops a process as a service manager does, which then starts it again."""
    process = machine.processes[name]
    before = process.pid
    process.signal(signal.SIGTERM)
    topology.wait(f"{name} of {machine.name} to be replaced", 90, lambda: process.pid not in (None, before))
    topology.wait("all nodes", 60, lambda: all(map(topology.is_ready, topology.node_addresses)))


def restart_postgres(topology, machine):
    request = urllib.request.Request(
        f"http://{machine.address}:{PATRONI_PORT}/restart", b"{}", {"Content-Type": "application/json"}, method="POST")
    urllib.request.urlopen(request, timeout=120).read()
    topology.wait("all members", 120, lambda: topology.has_synchronous_standby() and all(
        topology.patroni_status(other, "/readiness") == 200 for other in topology.databases))


def replace_databases(topology):
    primary = topology.leader()
    for machine in topology.databases:
        if machine is not primary:
            restart_postgres(topology, machine)
    faults = Faults(topology, None)
    faults.switch_over()
    topology.wait("another primary", 60, lambda: topology.leader() not in (None, primary))
    topology.wait("a synchronous standby", 60, topology.has_synchronous_standby)
    restart_postgres(topology, primary)


def step(topology, ledger, name, action, can_fail_writes=False):
    """One step of the upgrade, with the reads and writes that failed during it and for some seconds after it."""
    def failures():
        writes = sum(count for what, count in ledger.counts.items() if what.startswith(FAILED_WRITES))
        return ledger.counts["failed reads"], writes

    ledger.fault = name
    reads, writes, before, begin = ledger.counts["reads"], ledger.counts["acknowledged writes"], failures(), time.monotonic()
    action()
    end = time.monotonic()
    topology.wait(f"writes after: {name}", 60, lambda: ledger.first_write_after(end + 3))
    failed = [after - first for first, after in zip(before, failures())]
    print(f"{name}: {end - begin:.1f} s; {failed[0]} of {ledger.counts['reads'] - reads} reads failed, {failed[1]} writes, beside "
          f"{ledger.counts['acknowledged writes'] - writes} that were acknowledged", flush=True)
    if failed[0] or failed[1] and not can_fail_writes:
        ledger.violate(f"{name}: {failed[0]} reads and {failed[1]} writes failed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("VENUE_PROGRAM"), required="VENUE_PROGRAM" not in os.environ)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--network", choices=["ports", "namespaces"], default="ports")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that everything is stopped
    folder = tempfile.mkdtemp(prefix="venuesync-upgrade-")
    ledger = Ledger()
    topology = Topology(folder, arguments.program, arguments.network)
    try:
        topology.start()
        workload = Workload(topology, ledger, arguments.seed)
        workload.prepare()
        workload.start()
        topology.wait("the first write", 30, lambda: ledger.first_write_after(0))
        try:
            step(topology, ledger, "before", lambda: time.sleep(5))
            step(topology, ledger, "migration", lambda: migrate(topology))
            for machine in topology.applications:
                step(topology, ledger, f"node of {machine.name}", lambda: replace(topology, machine, "serve"))
            for machine in topology.applications:
                step(topology, ledger, f"worker of {machine.name}", lambda: replace(topology, machine, "work"))
            step(topology, ledger, "PostgreSQL", lambda: replace_databases(topology), can_fail_writes=True)
        except TimeoutError as error:
            ledger.violate(str(error))
        workload.finish()
        audit = Audit(topology, ledger)
        audit.workers = workload.workers
        audit.run()
    finally:
        ledger.is_over.set()
        topology.stop()
    for violation in sorted(set(ledger.violations)):
        print(f"VIOLATION: {violation}")
    for _, what, reader, reason in ledger.failed_reads:
        print(f"failed read of {reader}, during “{what}”: {reason}")
    print(f"{len(ledger.violations)} violations, {len(ledger.failed_reads)} failed reads of {ledger.counts['reads']}")
    if not ledger.violations:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if ledger.violations else 0)


if __name__ == "__main__":
    main()
