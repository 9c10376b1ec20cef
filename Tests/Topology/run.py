"""Runs faults against the topology of deploy/one_machine.py while clients work, and checks that nothing was lost.

    python3 run.py --program PATH [--faults N] [--seconds S] [--seed N] [--network ports|namespaces] [--disk MEGABYTES]
        [--each] [--only TEXT] [--report FILE]

The order and the parameters of the faults and all requests of the clients follow from the seed; their times do not. Ends with status 1
if anything was violated.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"))
from one_machine import Topology  # noqa: E402

from audit import Audit  # noqa: E402
from faults import Faults  # noqa: E402
from ledger import Ledger  # noqa: E402
from workload import Workload  # noqa: E402

RECOVERY = 180
"""Seconds within which everything has to be as before a fault, at the latest."""


def is_healthy(topology):
    """A primary, a synchronous standby, three members that stream, and two nodes that are ready."""
    members = [topology.patroni_status(machine, "/readiness") for machine in topology.databases]
    return (members == [200, 200, 200] and topology.leader() and topology.has_synchronous_standby()
            and all(topology.is_ready(address) for address in topology.node_addresses))


def inject(topology, ledger, faults, number, is_each):
    """One fault. Returns what happened, with the time to the first write and to full health."""
    name, _, fault = faults.kinds[number - 1] if is_each else faults.next()
    ledger.fault = name
    failed = ledger.counts["failed reads"]
    begin = time.monotonic()
    fault()
    undone = time.monotonic()
    topology.wait(f"a write after {name}", RECOVERY, lambda: ledger.first_write_after(undone))
    write = writing_gap(ledger, begin)
    topology.wait(f"health after {name}", RECOVERY, lambda: is_healthy(topology))
    outcome = {
        "fault": name, "lasted": round(undone - begin, 1), "without writes": round(write, 1),
        "healthy after": round(time.monotonic() - begin, 1), "failed reads": ledger.counts["failed reads"] - failed}
    ledger.fault = f"none, after: {name}"
    print(f"{number:4d}  {json.dumps(outcome)}", flush=True)
    return outcome


def writing_gap(ledger, begin):
    """The longest time from the fault on in which no write was acknowledged."""
    with ledger.lock:
        ends = [end for _, end in ledger.writes[-600:] if end >= begin]
    moments = [begin, *sorted(ends)]
    return max((later - earlier for earlier, later in zip(moments, moments[1:])), default=0)


def summarize(outcomes, ledger):
    kinds = collections.defaultdict(list)
    for outcome in outcomes:
        kinds[outcome["fault"]].append(outcome)
    print(f"{'fault':50} {'times':>5} {'without writes: median':>23} {'longest':>8} {'failed reads':>13}")
    for name, items in sorted(kinds.items()):
        gaps = [item["without writes"] for item in items]
        print(f"{name:50} {len(items):5d} {statistics.median(gaps):21.1f} s {max(gaps):6.1f} s "
              f"{sum(item['failed reads'] for item in items):13d}")
    for what, count in sorted(ledger.counts.items()):
        print(f"{what}: {count}")
    by_reason = collections.Counter((fault, reason) for _, fault, _, reason in ledger.failed_reads)
    for (fault, reason), count in by_reason.most_common(20):
        print(f"failed read, {count} times, during “{fault}”: {reason}")
    for violation in sorted(set(ledger.violations))[:40]:
        print(f"VIOLATION: {violation}")
    print(f"{len(outcomes)} faults, {len(ledger.violations)} violations, {ledger.counts['failed reads']} failed reads of "
          f"{ledger.counts['reads']}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("VENUE_PROGRAM"), required="VENUE_PROGRAM" not in os.environ)
    parser.add_argument("--faults", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--network", choices=["ports", "namespaces"], default="ports")
    parser.add_argument("--disk", type=int, help="a disk in memory of so many MB for each database machine")
    parser.add_argument("--each", action="store_true", help="every kind of fault once, in order, instead of at random")
    parser.add_argument("--only", help="only faults whose name contains this")
    parser.add_argument("--report", help="a file for all outcomes, as JSON")
    parser.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that everything is stopped
    folder = tempfile.mkdtemp(prefix="venuesync-topology-")
    ledger, outcomes = Ledger(), []
    topology = Topology(folder, arguments.program, arguments.network, arguments.disk)
    try:
        topology.start()
        workload = Workload(topology, ledger, arguments.seed)
        workload.prepare()
        workload.start()
        faults = Faults(topology, random.Random(arguments.seed))
        if arguments.only:
            faults.kinds = [kind for kind in faults.kinds if arguments.only in kind[0]]
        limit = min(arguments.faults, len(faults.kinds) if arguments.each else arguments.faults)
        topology.wait("the first write", 30, lambda: ledger.first_write_after(0))
        print(f"logs in {folder}", flush=True)
        end = time.monotonic() + arguments.seconds
        try:
            while time.monotonic() < end and len(outcomes) < limit:
                time.sleep(faults.chooser.uniform(0.5, 3))
                outcomes.append(inject(topology, ledger, faults, len(outcomes) + 1, arguments.each))
        except TimeoutError as error:
            ledger.violate(str(error))
        time.sleep(2)
        workload.finish()
        audit = Audit(topology, ledger, any("disk" in outcome["fault"] for outcome in outcomes))
        audit.workers = workload.workers
        audit.run()
        summarize(outcomes, ledger)
    finally:
        topology.stop()
    if arguments.report:
        pathlib.Path(arguments.report).write_text(json.dumps(
            {"outcomes": outcomes, "counts": ledger.counts, "violations": ledger.violations, "reads": ledger.failed_reads}, indent=1))
    if not arguments.keep and not ledger.violations:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if ledger.violations or not outcomes else 0)


if __name__ == "__main__":
    main()
