"""Cuts one of two nodes off from the database at random times, while keys are revoked, and checks that neither serves a revoked key for
longer than VENUE_UNCONFIRMED_SECONDS.

    python3 cut_off.py --program PATH [--seconds N] [--seed N]

The database is that of `venue up`. Each node reaches it through a relay, which passes bytes on, refuses connections, or keeps them and
passes nothing on, as a network does that loses packets. Ends with status 1 if a response came too late, if a node that reaches the database
refused a key that is valid for longer than the bound, or if nothing was cut or revoked.
"""

import argparse
import asyncio
import collections
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ADMIN = "the administrator of two nodes"
BOUND = 30
"""Seconds: the default of VENUE_UNCONFIRMED_SECONDS."""
SLACK = 2
"""Seconds that a response may be on its way."""
RECOVERY = 30
"""Seconds after a cut until a node has to serve again."""


class Relay:
    """A port of the loopback interface that stands for the network between a node and the socket of the database."""

    def __init__(self, database):
        self.database, self.mode, self.connections = database, "pass", set()
        self.passing = asyncio.Event()
        self.passing.set()

    async def start(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    def set(self, mode):
        """`pass`, `refuse` or `stall`."""
        self.mode = mode
        (self.passing.clear if mode == "stall" else self.passing.set)()
        if mode == "refuse":
            for writer in self.connections:
                writer.transport.abort()

    async def accept(self, reader, writer):
        if self.mode == "refuse":
            return writer.transport.abort()
        self.connections.add(writer)
        try:
            await self.passing.wait()
            above, below = await asyncio.open_unix_connection(self.database)
            await asyncio.gather(self.copy(reader, below), self.copy(above, writer))
        except OSError:
            pass
        finally:
            self.connections.discard(writer)
            writer.transport.abort()

    async def copy(self, reader, writer):
        try:
            while data := await reader.read(65536):
                await self.passing.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.transport.abort()


DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def request(port, method, path, key, body=None, timeout=20):
    """The status and the JSON of a response; status 0 if there was none."""
    data = json.dumps(body).encode() if body is not None else None
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    try:
        message = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers, method=method)
        with DIRECT.open(message, timeout=timeout) as response:
            text = response.read()
            return response.status, json.loads(text) if text[:1] == b"{" else None
    except urllib.error.HTTPError as error:
        error.read()
        return error.code, None
    except OSError:
        return 0, None


class Node:
    def __init__(self, program, relay, log):
        self.relay, self.cut_at, self.joined_at = relay, None, time.monotonic()
        environment = {**os.environ, "VENUE_ADMIN_KEY": ADMIN,
                       "VENUE_DATABASE_URL": f"postgresql://venue@127.0.0.1:{relay.port}/venuesync"}
        self.port = free_port()
        self.process = subprocess.Popen([program, "serve", "--port", str(self.port)], env=environment, stdout=log, stderr=log)


def stop(process):
    process.terminate()
    process.wait()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


async def ready(process, port):
    """Waits until a server is ready."""
    while (await asyncio.to_thread(request, port, "GET", "/ready", ADMIN))[0] != 200:
        if process.poll() is not None:
            sys.exit("A server ended before it was ready.")
        await asyncio.sleep(0.1)


async def pause(seconds, end):
    await asyncio.sleep(max(0, min(seconds, end - time.monotonic())))


class Story:
    def __init__(self, operator, nodes, seed):
        self.operator, self.nodes, self.random = operator, nodes, random.Random(seed)
        self.valid, self.revoked = {}, {}
        self.counts = collections.Counter()
        self.longest, self.violations = 0.0, []

    async def ask(self, *arguments, **options):
        return await asyncio.to_thread(request, *arguments, **options)

    async def make_key(self):
        status, key = await self.ask(self.operator, "POST", "/keys", ADMIN, {"name": "phone", "role": "read", "venues": ["mall"]})
        assert status == 201, status
        self.valid[key["secret"]] = (key["id"], time.monotonic())

    async def revoke(self, end):
        """Revokes a key every few seconds, and makes another."""
        while time.monotonic() < end:
            await pause(self.random.uniform(2, 8), end)
            secret = self.random.choice(list(self.valid))
            identifier, _ = self.valid.pop(secret)
            status, _ = await self.ask(self.operator, "DELETE", f"/keys/{identifier}", ADMIN)
            assert status == 204, status
            self.revoked[secret] = time.monotonic()
            self.counts["revoked"] += 1
            await self.make_key()

    async def cut(self, end):
        """Cuts one node off at a time."""
        while time.monotonic() < end:
            await pause(self.random.uniform(5, 40), end)
            node, mode = self.random.choice(self.nodes), self.random.choice(["refuse", "stall"])
            node.cut_at = time.monotonic()
            node.relay.set(mode)
            self.counts[f"cut: {mode}"] += 1
            await pause(self.random.uniform(5, 90), end)
            node.relay.set("pass")
            node.cut_at, node.joined_at = None, time.monotonic()

    async def poll(self, node, end):
        """Asks with valid and revoked keys, and waits for changes with some of them."""
        while time.monotonic() < end:
            await asyncio.sleep(self.random.uniform(0.05, 0.3))
            recent = [key for key, at in self.revoked.items() if time.monotonic() - at < 300]
            is_revoked = bool(recent) and self.random.random() < 0.5
            key = self.random.choice(recent if is_revoked else list(self.valid))
            path = self.random.choice(["/venues/mall/sync", "/venues/mall", "/venues/mall/search?q=shop", "/venues/mall/tiles/0.json"])
            made = self.valid.get(key, (None, time.monotonic()))[1]
            start = time.monotonic()
            status, _ = await self.ask(node.port, "GET", path, key)
            self.counts[f"{'revoked' if is_revoked else 'valid'} key: {status}"] += 1
            at = self.revoked.get(key)
            if status == 200 and at is not None:
                self.longest = max(self.longest, start - at)
                if start - at > BOUND + SLACK:
                    self.violations.append(f"{path}: 200 for a key that was revoked {start - at:.1f} s before")
            is_joined = node.cut_at is None and start - node.joined_at > RECOVERY
            if status != 200 and at is None and is_joined and start - made > BOUND:
                self.violations.append(f"{path}: {status} for a valid key, though the node reaches the database")


async def run(arguments, folder, processes):
    log = open(folder / "log", "w")
    operator = free_port()
    up = subprocess.Popen([arguments.program, "up", "--port", str(operator), "--data", folder / "data"], stdout=log, stderr=log,
                          env={**os.environ, "VENUE_ADMIN_KEY": ADMIN})
    processes.append(up)
    await ready(up, operator)
    environment = {**os.environ, "VENUE_SERVER": f"http://127.0.0.1:{operator}", "VENUE_KEY": ADMIN}
    archive = folder / "mall.zip"
    for command in (["generate", "-o", archive, "--levels", "2", "--units", "60"], ["push", archive, "--to", "mall", "--new"]):
        subprocess.run([arguments.program, *command], env=environment, check=True, stdout=subprocess.DEVNULL)
    pid_file = (folder / "data/postgresql/postmaster.pid").read_text().splitlines()
    database = f"{pid_file[4]}/.s.PGSQL.{pid_file[3]}"
    nodes = []
    for _ in range(2):
        relay = Relay(database)
        await relay.start()
        nodes.append(Node(arguments.program, relay, log))
        processes.append(nodes[-1].process)
        await ready(nodes[-1].process, nodes[-1].port)
    print("cut_off: two nodes are ready", flush=True)
    story = Story(operator, nodes, arguments.seed)
    for _ in range(20):
        await story.make_key()
    end = time.monotonic() + arguments.seconds
    await asyncio.gather(story.revoke(end), story.cut(end), *(story.poll(node, end) for node in nodes for _ in range(3)))
    for node in nodes:
        await asyncio.to_thread(stop, node.process)
        while node.relay.connections:
            await asyncio.sleep(0.05)
    for name, count in sorted(story.counts.items()):
        print(f"{count:7} {name}")
    print(f"longest use of a revoked key: {story.longest:.1f} s; the bound is {BOUND} s")
    for violation in story.violations[:20]:
        print(f"violation: {violation}")
    is_empty = not (story.counts["revoked"] and any(name.startswith("cut") for name in story.counts))
    return 1 if story.violations or is_empty else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    processes = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        try:
            status = asyncio.run(run(arguments, folder, processes))
        finally:
            for process in reversed(processes):
                stop(process)
    sys.exit(status)


main()
