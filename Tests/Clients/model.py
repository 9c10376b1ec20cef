"""Tests any client against a model of a venue with random changes, over an unreliable network.

    python3 model.py [--seeds N] -- COMMAND…

COMMAND is a client program; see follower.py. After every step its replica has to equal the venue, level by level. After a failure or a
kill it has to have the old or the new state, and nothing between.
"""

import gzip
import http.server
import pathlib
import random
import sys
import tempfile
import threading
import urllib.parse

from fake_venue import FakeVenue, digest
from follower import Follower, client_command

FAULTS = ["cut", "break", "503", "omit", "stale", "html"]


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, seed):
        super().__init__(("127.0.0.1", 0), Handler)
        self.venue = FakeVenue(seed)
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        #: The probability of a fault for each request.
        self.faultiness = 0.0
        self.earlier = {}

    def handle_error(self, request, client_address):
        """Ignores connections of killed clients; anything else is an error of this program."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        with self.server.lock:
            status, body, broken = self.respond()
        compressed = gzip.compress(body) if self.server.random.random() < 0.5 and "gzip" in self.headers.get("Accept-Encoding", "") else None
        self.send_response(status)
        if compressed is not None:
            self.send_header("Content-Encoding", "gzip")
        body = compressed or body
        self.send_header("Content-Length", str(len(body)))
        if status == 503:
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if broken else body)
        self.close_connection = self.close_connection or broken

    def respond(self):
        server, parts = self.server, urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(parts.query)
        fault = server.random.choice(FAULTS) if server.random.random() < server.faultiness else None
        if self.headers.get("Authorization") != "Bearer secret":
            return 401, b'{"type":"/problems/unauthorized"}', False
        if fault == "503":
            return 503, b'{"type":"/problems/unavailable"}', False
        if fault == "html":
            return 200, b"<html>\n<p>Welcome to our hotel!\n</html>\n", False
        if parts.path == "/venues/mall/sync":
            status, text = server.venue.sync(
                query.get("since", [""])[0], query.get("level", []), min(int(query["limit"][0]), server.random.choice([3, 10, 1000])))
        else:
            epoch = query.get("epoch", [str(server.venue.epoch)])[0]
            revision = int(parts.path.split("/")[4])
            status, text = (200, server.venue.features(revision, query["level"][0])) if epoch == str(server.venue.epoch) else (410, "{}")
        body = text.encode()
        if fault == "stale" and status == 200:
            # The previous response to the same request, as from a cache.
            body = server.earlier.get(self.path, body)
        elif status == 200:
            server.earlier[self.path] = body
        if fault == "omit":
            lines = body.split(b"\n")
            candidates = [index for index, line in enumerate(lines) if line.startswith(b'{"feature_type"') and line.endswith(b",")]
            if candidates:
                del lines[server.random.choice(candidates)]
                body = b"\n".join(lines)
        if fault == "cut":
            body = body[: server.random.randrange(len(body))]
        # A publication between two pages must not affect them.
        if server.random.random() < 0.1:
            server.venue.publish()
        return status, body, fault == "break"

    def log_message(self, *_):
        pass


class Model:
    def __init__(self, seed, command, folder):
        self.random = random.Random(seed)
        self.server = Server(seed)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.client = Follower(command, self.server.address, "secret", "mall", folder / "replica.sqlite")
        self.names = []
        self.counts = {"ok": 0, "failed": 0, "killed": 0, "repaired": 0}

    @property
    def venue(self):
        return self.server.venue

    def step(self):
        with self.server.lock:
            for _ in range(self.random.randint(0, 2)):
                self.venue.publish()
            if self.random.random() < 0.1:
                self.venue.renew_epoch()
        self.server.faultiness = self.random.choice([0, 0.2, 0.5])
        before = self.client.run("show")
        line, names = self.command([level for level in before["levels"] if level != "-"])
        if self.random.random() < 0.15:
            self.client.send(line)
            threading.Event().wait(self.random.random() * 0.05)  # at a random moment
            self.client.restart()
            after = self.client.run("show")
            self.counts["killed"] += 1
            if after["levels"] != before["levels"] or after["revision"] != before["revision"]:
                self.names = names
                self.check(after)
            elif after["revision"] is not None and line != "sync":
                # The selection may have been stored without any other change, which cannot be seen.
                self.names = names
                self.sync_again(line)
            return
        after = self.client.run(line)
        if after["result"] == "ok":
            self.counts["ok"] += 1
            self.counts["repaired"] += len(after["report"]["repaired"])
            self.names = names
            self.check(after)
            dropped, added = set(after["report"]["levels_dropped"]), set(after["report"]["levels_added"])
            if dropped - added != before["levels"].keys() - after["levels"].keys():
                raise AssertionError(f"wrong report of dropped levels: {after['report']}")
            if added - dropped != after["levels"].keys() - before["levels"].keys():
                raise AssertionError(f"wrong report of added levels: {after['report']}")
        else:
            self.counts["failed"] += 1
            if after["result"] not in ("wrong", "unreachable", "unavailable") or not self.server.faultiness:
                raise AssertionError(f"{line}: {after}")
            if {**after, "result": 0, "message": 0, "report": 0} != {**before, "result": 0, "message": 0, "report": 0}:
                raise AssertionError("a failure changed the replica")

    def sync_again(self, line):
        self.server.faultiness = 0
        after = self.client.run(line)
        if after["result"] != "ok":
            raise AssertionError(after)
        self.check(after)

    def command(self, held):
        """Returns a random command for the client, and the selection after it."""
        levels = self.venue.levels(self.venue.head)
        kind = self.random.randrange(8)
        if kind == 0:
            return "sync *", []
        if kind == 1:
            names = self.random.sample(levels, self.random.randint(0, len(levels))) or ["venue"]
            return f"sync {' '.join(names)}", names
        if kind == 2:
            return "sync ordinal:0 venue", ["ordinal:0", "venue"]
        if kind == 3 and held:
            added = self.random.choice(levels)
            return f"add {added}", self.names and [*self.names, added]
        if kind == 4 and held and "ordinal:0" not in self.names:
            dropped = self.random.choice(held)
            return f"drop {dropped}", [name for name in self.names or held if name != dropped] or ["venue"]
        return "sync", self.names

    def check(self, shown):
        with self.server.lock:
            state = self.venue.revisions[shown["revision"]]
            wanted = self.venue.wanted(shown["revision"], self.names)
        expected = {level or "-": digest(state[level]) for level in wanted}
        if shown["levels"] != expected:
            raise AssertionError(f"replica at {shown['revision']}: {shown['levels']}, expected {expected}")

    def end(self):
        """Without faults, the replica reaches the newest revision."""
        self.sync_again("sync")
        self.client.stop()
        self.server.shutdown()
        self.server.server_close()


def main():
    options, command = client_command(sys.argv[1:], "python3 model.py [--seeds N] -- COMMAND…")
    seeds = int(options[1]) if options[:1] == ["--seeds"] else 3
    for seed in range(seeds):
        with tempfile.TemporaryDirectory() as folder:
            model = Model(seed, command, pathlib.Path(folder))
            try:
                for number in range(60):
                    model.step()
                model.end()
            except AssertionError as error:
                raise SystemExit(f"failed: seed {seed}, step {number}: {error}") from error
            print(f"ok: seed {seed}: {model.counts}")


if __name__ == "__main__":
    main()
