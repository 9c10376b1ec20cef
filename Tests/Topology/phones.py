"""What many phones that poll cost: two nodes behind nginx with its cache, and one public venue that is published now and then.

    python3 phones.py --program PATH [--phones 100000] [--period 30] [--seconds 110] [--publish-every 35] [--levels 5] [--units 60]

Every phone polls once in each period, at a moment of its own, with its cursor, on a new connection, and takes what it gets. The
phones are one thread of this program: connections without TLS, responses compressed with gzip.
"""

import argparse
import collections
import gzip
import json
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"))
from machines import Machine  # noqa: E402
from one_machine import PROXY_PORT, Topology  # noqa: E402

from workload import request  # noqa: E402

VENUE = "mall"
SOURCES = [f"127.0.9.{number}" for number in range(1, 251)]
"""Addresses of the phones. A port of a closed connection cannot be used again for a minute."""

IP_BIND_ADDRESS_NO_PORT = 24


class Phones:
    def __init__(self, address, phones, period, cursor, seed):
        chooser = random.Random(seed)
        self.address, self.period = address, period
        self.phases = sorted(chooser.uniform(0, period) for _ in range(phones))
        self.cursors, self.first = [cursor] * phones, cursor
        self.epoll, self.open = select.epoll(), {}
        self.latencies, self.late = [], []
        self.statuses, self.caches = collections.Counter(), collections.Counter()
        self.received, self.failures, self.documents = 0, collections.Counter(), {}
        self.updates = []                           # (time, revision) of every phone that got a revision

    def run(self, seconds):
        begin, sent, rounds = time.monotonic(), 0, 0
        while (now := time.monotonic() - begin) < seconds or self.open:
            while now < seconds and now >= rounds * self.period + self.phases[sent]:
                self.late.append(now - rounds * self.period - self.phases[sent])
                self.start(sent)
                sent += 1
                if sent == len(self.phases):
                    sent, rounds = 0, rounds + 1
                now = time.monotonic() - begin
            for descriptor, event in self.epoll.poll(0.001):
                self.proceed(descriptor, event)
            if now > seconds + 15:
                self.failures["no response within 15 s"] += len(self.open)
                break
        return time.monotonic() - begin

    def start(self, phone):
        connection = socket.socket()
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        connection.bind((SOURCES[phone % len(SOURCES)], 0))
        begin = time.monotonic()
        connection.connect_ex(self.address)
        self.open[connection.fileno()] = [connection, phone, begin, []]
        self.epoll.register(connection.fileno(), select.EPOLLOUT)

    def proceed(self, descriptor, event):
        connection, phone, begin, parts = self.open[descriptor]
        try:
            if event & select.EPOLLOUT:
                connection.send(b"GET /venues/%b/sync?since=%b HTTP/1.1\r\nHost: proxy\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
                                % (VENUE.encode(), self.cursors[phone].encode()))
                self.epoll.modify(descriptor, select.EPOLLIN)
                return
            while part := connection.recv(1 << 16):
                parts.append(part)
        except BlockingIOError:
            return
        except OSError as error:
            self.failures[type(error).__name__] += 1
            return self.close(descriptor)
        self.latencies.append(time.monotonic() - begin)
        self.close(descriptor)
        self.take(phone, b"".join(parts))

    def close(self, descriptor):
        self.epoll.unregister(descriptor)
        self.open.pop(descriptor)[0].close()

    def take(self, phone, response):
        self.received += len(response)
        head, _, body = response.partition(b"\r\n\r\n")
        self.statuses[head[9:12].decode()] += 1
        cache = head.partition(b"X-Cache: ")[2].partition(b"\r\n")[0].decode()
        self.caches[cache] += 1
        if not head.startswith(b"HTTP/1.1 200"):
            self.failures[head[9:12].decode()] += 1
            return
        # Equal responses are read once.
        document = self.documents.get(body)
        if document is None:
            if b"chunked" in head:
                body = unchunked(body)
            text = gzip.decompress(body) if b"gzip" in head else body
            document = json.loads(text)
            assert document["complete"], "the changes of one publish are one page"
            document = self.documents[response.partition(b"\r\n\r\n")[2]] = (document["cursor"], document["to"], len(response))
        if self.cursors[phone] != document[0]:
            self.cursors[phone] = document[0]
            self.updates.append((time.monotonic(), document[1]))


def unchunked(body):
    parts = []
    while True:
        size, _, body = body.partition(b"\r\n")
        if not (count := int(size, 16)):
            return b"".join(parts)
        parts.append(body[:count])
        body = body[count + 2:]


def cpu(roots):
    """Seconds of processor time of these processes and all their descendants so far."""
    ticks = 0
    for pid in Machine.tree(roots):
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


class Publisher(threading.Thread):
    """Publishes a small change again and again, and remembers when the service acknowledged it."""

    def __init__(self, topology, venue, every):
        super().__init__(daemon=True)
        self.topology, self.venue, self.every, self.times = topology, venue, every, {}
        self.is_over = threading.Event()

    def run(self):
        number = 1
        while not self.is_over.wait(self.every):
            number += 1
            self.venue("push", f"v{number}.zip", "--to", VENUE)
            self.times[number] = time.monotonic()


def quantiles(values, unit=1):
    values = sorted(values)
    at = lambda share: round(values[min(len(values) - 1, int(share * len(values)))] * unit, 1)  # noqa: E731
    return {"p50": at(0.5), "p99": at(0.99), "p99.9": at(0.999), "longest": round(values[-1] * unit, 1)}


def spread(phones, publisher, count):
    """For each published revision: the seconds after which half of the phones, 99 of 100, and all of them had it."""
    rows = {}
    for revision, moment in publisher.times.items():
        times = sorted(at - moment for at, number in phones.updates if number == revision)
        if len(times) == count:
            rows[revision] = {"50 %": round(times[count // 2], 1), "99 %": round(times[int(count * 0.99)], 1), "all": round(times[-1], 1)}
        else:
            rows[revision] = f"{len(times)} of {count} phones had it when the run ended"
    return rows


def requests_of_nodes(topology):
    """Polls that reached the nodes, from their metrics."""
    total = 0
    for address in topology.node_addresses:
        _, _, body = request(address, "GET", "/metrics", None, topology.admin_key)
        for line in body.decode().splitlines():
            if line.startswith("venue_http_requests_total") and "/sync" in line:
                total += float(line.rsplit(" ", 1)[1])
    return total


def measure(topology, arguments, folder):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "VENUE_SERVER": topology.address, "VENUE_KEY": topology.admin_key}

    def venue(*words):
        subprocess.run([topology.program, *words], check=True, env=environment, cwd=folder, capture_output=True)

    count = int(arguments.seconds / arguments.publish_every) + 1
    venue("generate", "-o", "v1.zip", "--levels", str(arguments.levels), "--units", str(arguments.units))
    for number in range(2, count + 1):
        venue("generate", "-o", f"v{number}.zip", "--next-of", f"v{number - 1}.zip", "--edit", "rename=3,move=1", "--seed", str(number))
    venue("push", "v1.zip", "--to", VENUE, "--new")
    request(topology.address, "PATCH", f"/venues/{VENUE}", '{"public": true}', topology.admin_key)
    _, _, full = request(topology.address, "GET", f"/venues/{VENUE}/sync", None, None)
    phones = Phones((topology.proxy.address, PROXY_PORT), arguments.phones, arguments.period, json.loads(full)["cursor"], arguments.seed)
    publisher = Publisher(topology, venue, arguments.publish_every)
    processes = {
        "nginx": [topology.proxy.processes["nginx"].pid],
        "nodes": [machine.processes["serve"].pid for machine in topology.applications],
        "PostgreSQL, Patroni, etcd, HAProxy, workers": [
            *(machine.postmaster for machine in topology.databases),
            *(process.pid for machine in topology.databases for process in machine.processes.values()),
            *(machine.processes[name].pid for machine in topology.applications for name in ("haproxy", "work"))],
        "the phones": [os.getpid()]}
    before, requests = {name: cpu(roots) for name, roots in processes.items() if name != "the phones"}, requests_of_nodes(topology)
    own = time.process_time()
    publisher.start()
    seconds = phones.run(arguments.seconds)
    publisher.is_over.set()
    spent = {name: cpu(roots) - before[name] for name, roots in processes.items() if name in before}
    spent["the phones"] = time.process_time() - own
    polls = len(phones.latencies)
    sizes = collections.defaultdict(list)
    for cursor, revision, size in phones.documents.values():
        sizes[revision].append(size)
    return {
        "phones": arguments.phones, "period, s": arguments.period, "seconds": round(seconds, 1), "polls": polls,
        "polls/s": round(polls / seconds), "failures": dict(phones.failures), "statuses": dict(phones.statuses),
        "latency, ms": quantiles(phones.latencies, 1000), "polls sent late, ms": quantiles(phones.late, 1000),
        "X-Cache": dict(phones.caches), "polls that reached the nodes": int(requests_of_nodes(topology) - requests),
        "bytes received per poll": round(phones.received / polls), "sizes of responses by revision, with headers": {
            revision: sorted(set(values)) for revision, values in sizes.items()},
        "full venue, bytes": len(full), "phones that got revision after": spread(phones, publisher, arguments.phones),
        "CPU per poll, µs": {name: round(value / polls * 1e6, 1) for name, value in spent.items()},
        "CPU, % of a core": {name: round(value / seconds * 100, 1) for name, value in spent.items()},
        "load": os.getloadavg()[0]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("VENUE_PROGRAM"), required="VENUE_PROGRAM" not in os.environ)
    parser.add_argument("--phones", type=int, default=100_000)
    parser.add_argument("--period", type=float, default=30)
    parser.add_argument("--seconds", type=float, default=110)
    parser.add_argument("--publish-every", type=float, default=35)
    parser.add_argument("--levels", type=int, default=5)
    parser.add_argument("--units", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that everything is stopped
    folder = pathlib.Path(tempfile.mkdtemp(prefix="venuesync-phones-"))
    topology = Topology(folder, arguments.program)
    try:
        topology.start()
        result = measure(topology, arguments, folder)
    finally:
        topology.stop()
    print(json.dumps(result, indent=1, ensure_ascii=False))
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if result["failures"] else 0)


if __name__ == "__main__":
    main()
