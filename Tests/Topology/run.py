"""Runs faults against the topology of deploy/one_machine.py while clients work, and checks that nothing was lost.

    python3 run.py --program PATH [--faults N] [--seconds S] [--seed N] [--network ports|namespaces] [--disk MEGABYTES]
        [--each] [--only TEXT] [--report FILE]

The order and the parameters of the faults and all requests of the clients follow from the seed; their times do not. Ends with status 1
if anything was violated.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
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
"""Seconds within which writes and a synchronous standby have to be there again after a fault, at the latest."""

REJOIN = 5
"""Seconds for which the next fault waits until all members stream again. If it begins without one of them, this is noted."""

PROMISE = 30
"""Seconds without writes that a fault of the primary may take."""


def can_continue(topology):
    """A primary, a synchronous standby, and two nodes that are ready."""
    return (topology.leader() and topology.has_synchronous_standby()
            and all(topology.is_ready(address) for address in topology.node_addresses))


def is_complete(topology):
    """All members stream."""
    return all(topology.patroni_status(machine, "/readiness") == 200 for machine in topology.databases)


def try_to_wait(topology, seconds, condition):
    try:
        return topology.wait("", seconds, condition)
    except TimeoutError:
        return None


def inject(topology, ledger, faults, number, kind):
    """One fault. Returns what happened, with the longest time without writes and the time until the next fault may begin."""
    complete = bool(try_to_wait(topology, REJOIN, lambda: is_complete(topology)))
    ledger.fault = kind.name
    failed = ledger.counts["failed reads"]
    begin = time.monotonic()
    name = ledger.fault = faults.inject(kind)
    undone = time.monotonic()
    topology.wait(f"a write after {name}", RECOVERY, lambda: ledger.first_write_after(undone))
    write = writing_gap(ledger, begin)
    topology.wait(f"health after {name}", RECOVERY, lambda: can_continue(topology))
    end = time.monotonic()
    outcome = {
        "fault": name, "lasted": round(undone - begin, 1), "without writes": round(write, 1),
        "could continue after": round(end - begin, 1), "failed reads": ledger.counts["failed reads"] - failed,
        "all members before": complete, "machine stood still": ledger.was_paused(begin, end), "load": round(os.getloadavg()[0], 1)}
    ledger.fault = f"none, after: {name}"
    print(f"{number:4d}  {json.dumps(outcome)}", flush=True)
    return outcome


def writing_gap(ledger, begin):
    """The longest time from the fault on in which no write was acknowledged."""
    with ledger.lock:
        ends = [end for _, end in ledger.writes[-600:] if end >= begin]
    moments = [begin, *sorted(ends)]
    return max((later - earlier for earlier, later in zip(moments, moments[1:])), default=0)


def table(outcomes):
    """The distribution of the times without writes, for each kind of fault. Two at once are one kind."""
    kinds = collections.defaultdict(list)
    for outcome in outcomes:
        kinds["two at once" if ", and " in outcome["fault"] else outcome["fault"]].append(outcome["without writes"])
    print(f"{'fault':52} {'times':>5} {'median':>7} {'9 of 10':>8} {'longest':>8}")
    for name, gaps in sorted(kinds.items(), key=lambda item: -statistics.median(item[1])):
        gaps.sort()
        print(f"{name:52} {len(gaps):5d} {statistics.median(gaps):7.1f} {gaps[math.ceil(0.9 * len(gaps)) - 1]:8.1f} {gaps[-1]:8.1f}")


def summarize(outcomes, ledger):
    undisturbed = [outcome for outcome in outcomes if outcome["all members before"] and not outcome["machine stood still"]]
    print(f"\nSeconds without writes, of {len(undisturbed)} faults that began with all members:")
    table(undisturbed)
    rest = [outcome for outcome in outcomes if not outcome["all members before"] and not outcome["machine stood still"]]
    if rest:
        print(f"\nSeconds without writes, of {len(rest)} faults that began while a member was still missing:")
        table(rest)
    over = [outcome for outcome in undisturbed if outcome["without writes"] > PROMISE]
    print(f"\nmore than {PROMISE} s without writes: {len(over)} of {len(undisturbed)}; faults while the machine stood still: "
          f"{sum(outcome['machine stood still'] for outcome in outcomes)}")
    loads = sorted(outcome["load"] for outcome in outcomes) or [0]
    print(f"load of the machine ({os.cpu_count()} cores): median {statistics.median(loads)}, at most {loads[-1]}")
    for what, count in sorted(ledger.counts.items()):
        print(f"{what}: {count}")
    failed = [read for read in ledger.failed_reads if not ledger.was_paused(read[0] - 15, read[0])]
    print(f"failed reads while the machine stood still, or right after: {len(ledger.failed_reads) - len(failed)}")
    by_reason = collections.Counter((fault, reason) for _, fault, _, reason in failed)
    for (fault, reason), count in by_reason.most_common(20):
        print(f"failed read, {count} times, during “{fault}”: {reason}")
    for violation in sorted(set(ledger.violations))[:40]:
        print(f"VIOLATION: {violation}")
    print(f"{len(outcomes)} faults, {len(ledger.violations)} violations, {len(failed)} failed reads of {ledger.counts['reads']}")


def build_slow_disk(folder):
    """The library that slows PostgreSQL's disk down; None without a C compiler."""
    compiler, library = shutil.which("cc"), pathlib.Path(folder) / "slow_disk.so"
    if compiler is None:
        return None
    source = pathlib.Path(__file__).resolve().parent / "slow_disk.c"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    return library


def run_faults(topology, ledger, faults, arguments):
    """Injects faults until the time or the number is reached, or until the topology did not recover twice."""
    outcomes, failures = [], 0
    end = time.monotonic() + arguments.seconds
    limit = min(arguments.faults, len(faults.kinds) if arguments.each else arguments.faults)
    while time.monotonic() < end and len(outcomes) + failures < limit and failures < 2:
        number = len(outcomes) + failures + 1
        kind = faults.kinds[number - 1] if arguments.each else faults.next()
        try:
            outcomes.append(inject(topology, ledger, faults, number, kind))
            if number % 25 == 0:
                print(json.dumps({"violations": len(ledger.violations), **ledger.counts}), flush=True)
        except TimeoutError as error:
            failures += 1
            ledger.violate(str(error))
            print(f"{number:4d}  {error}", flush=True)
    return outcomes


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
    topology = Topology(
        folder, arguments.program, arguments.network, arguments.disk, slow_disk=build_slow_disk(folder))
    try:
        topology.start()
        workload = Workload(topology, ledger, arguments.seed)
        workload.prepare()
        workload.start()
        faults = Faults(topology, random.Random(arguments.seed))
        if arguments.only:
            faults.kinds = [kind for kind in faults.kinds if arguments.only in kind.name]
        topology.wait("the first write", 30, lambda: ledger.first_write_after(0))
        print(f"logs in {folder}", flush=True)
        outcomes = run_faults(topology, ledger, faults, arguments)
        if not try_to_wait(topology, RECOVERY, lambda: is_complete(topology)):
            ledger.violate("not all members stream in the end")
        workload.finish()
        audit = Audit(topology, ledger)
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
