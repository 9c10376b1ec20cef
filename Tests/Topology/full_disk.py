"""Fills the disk of `venue up` at random moments of work, until PostgreSQL cannot begin a new WAL file or a table cannot grow, makes space
again, and checks that everything acknowledged is there.

    python3 full_disk.py --program PATH [--rounds N] [--seed N]

The disk is a tmpfs of 512 MiB, so this needs root. Each round says what `/health` and `/ready` responded while the disk was full, and with
which status the service ended, if it did. Ends with status 1 if something acknowledged is missing or has changed, if the service does not
go on after there is space, or if no round ended at a new WAL file.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid

ADMIN = "the administrator of a small disk"
SIZE = 512 << 20
ENDED = 6
"""The exit status of `venue up` whose PostgreSQL has ended."""
LIMIT = 120
"""Seconds, which only end a hang."""
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Service:
    """`venue up` on the small disk."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.environment = {**os.environ, "VENUE_ADMIN_KEY": ADMIN, "VENUE_KEY": ADMIN, "TMPDIR": str(folder)}
        self.log = open(folder / "log", "a+")
        self.start()

    def start(self):
        with open(self.folder / "port", "w+") as said:
            self.process = subprocess.Popen(
                [self.program, "up", "--port", "0", "--data", self.folder / "disk/data"], env=self.environment, stdout=said, stderr=self.log)
            self.port = self.listening(self.folder / "port")
        self.environment["VENUE_SERVER"] = f"http://127.0.0.1:{self.port}"

    def listening(self, path):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and self.process.poll() is None:
            for word in path.read_text().split():
                if word.startswith("http://127.0.0.1:"):
                    return int(word.split(":")[2].strip("/.,"))
            time.sleep(0.05)
        sys.exit(f"The service did not start:\n{(self.folder / 'log').read_text()[-2000:]}")

    def command(self, *arguments):
        subprocess.run([self.program, *arguments], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def request(self, method, path, body=None, type="application/json"):
        """The status and the bytes of a response; status 0 if there was none."""
        headers = {"Authorization": f"Bearer {ADMIN}", "Content-Type": type}
        message = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, headers, method=method)
        try:
            with DIRECT.open(message, timeout=LIMIT) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""


class Story:
    def __init__(self, service, seed):
        self.service, self.random = service, random.Random(seed)
        self.edits, self.uploads, self.states = {}, set(), {}
        self.archives = [path.read_bytes() for path in sorted(service.folder.glob("other*.zip"))]
        _, features = service.request("GET", "/venues/mall/revisions/1/features?type=occupant&limit=50")
        self.shops = [feature["id"] for feature in json.loads(features)["features"]]
        self.ballast = service.folder / "disk/ballast"

    def fill(self):
        """Leaves up to 24 MiB: less than a WAL file, or more than one."""
        rest = self.random.choice([0, self.random.randrange(4 << 20), self.random.randrange(24 << 20)])
        with open(self.ballast, "wb") as file:
            while True:
                disk = os.statvfs(self.ballast.parent)
                try:
                    return os.posix_fallocate(file.fileno(), 0, max(1, disk.f_bavail * disk.f_frsize - rest))
                except OSError:  # PostgreSQL took some of it meanwhile.
                    file.truncate()

    def edit(self, identifier):
        patch = {"properties": {"website": f"https://{identifier}.example"}}
        shop = self.shops[int(identifier, 16) % len(self.shops)]
        body = json.dumps({"id": str(uuid.UUID(identifier)), "edits": [{"feature": shop, "patch": patch}]})
        return self.service.request("POST", "/venues/mall/edits", body.encode())

    def upload(self, venue):
        return self.service.request("POST", f"/venues/{venue}/uploads", self.random.choice(self.archives), "application/zip")

    def switch(self):
        """Lets PostgreSQL begin a new WAL file, as it does by itself after 16 MiB of changes."""
        try:
            pid_file = (self.service.folder / "disk/data/postgresql/postmaster.pid").read_text().splitlines()
        except FileNotFoundError:  # It has ended.
            return
        subprocess.run(["psql", f"postgresql://venue@/venuesync?host={pid_file[4]}&port={pid_file[3]}", "-c", "SELECT pg_switch_wal()"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def work(self, switches):
        """Edits and uploads until the service ends or has refused ten requests; what was refused, by status."""
        refused = collections.Counter()
        while self.service.process.poll() is None and sum(refused.values()) < 10:
            if switches:
                self.switch()
            if self.random.random() < 0.7:
                identifier = f"{self.random.getrandbits(128):032x}"
                status, outcome = self.edit(identifier)
                if status in (200, 201):
                    self.edits[identifier] = outcome
                    revision = json.loads(outcome)["revision"]
                    self.remember(revision)
            else:
                status, outcome = self.upload(f"other{self.random.randrange(3)}")
                if status in (200, 201, 202):
                    self.uploads.add(json.loads(outcome)["id"])
            if status not in (200, 201, 202):
                refused[status] += 1
        return refused

    def remember(self, revision):
        status, page = self.service.request("GET", f"/venues/mall/sync?to={revision}&limit=1")
        if status == 200:
            digest = json.loads(page)["digest"]
            if self.states.setdefault(revision, digest) != digest:
                sys.exit(f"full_disk: revision {revision} has another digest than before")

    def await_ready(self):
        """The exit status of the service if it ended instead of going on; it was started again then."""
        end, status = time.monotonic() + LIMIT, None
        while self.service.request("GET", "/ready")[0] != 200:
            if time.monotonic() > end:
                sys.exit("full_disk: the service does not go on though there is space")
            status = self.service.process.poll()
            if status is not None:
                self.service.start()
            time.sleep(0.1)
        return status

    def check(self):
        """Every acknowledged edit has the outcome that it had, every acknowledged upload ends, and every revision is what it was."""
        _, before = self.service.request("GET", "/venues/mall")
        for identifier, outcome in self.edits.items():
            if self.edit(identifier) != (200, outcome) and self.edit(identifier)[1] != outcome:
                sys.exit(f"full_disk: the acknowledged edit {identifier} is lost")
        if json.loads(self.service.request("GET", "/venues/mall")[1])["head"] != json.loads(before)["head"]:
            sys.exit("full_disk: an acknowledged edit was made a second time")
        for revision in list(self.states):
            self.remember(revision)
        for upload in self.uploads:
            end = time.monotonic() + LIMIT
            while True:
                status, text = self.service.request("GET", f"/uploads/{upload}")
                state = json.loads(text).get("state") if status == 200 else None
                if state in ("published", "unchanged", "superseded", "staged"):
                    break
                if status == 404 or state in ("failed", "rejected") or time.monotonic() > end:
                    sys.exit(f"full_disk: the acknowledged upload {upload} is {state or status}")
                time.sleep(0.05)

    def round(self, number):
        self.fill()
        refused = self.work(switches=number % 3 == 0)
        health, ready = (self.service.request("GET", path)[0] for path in ("/health", "/ready"))
        self.ballast.unlink()
        status = self.await_ready()
        self.check()
        print(f"round {number}: refused {dict(refused)}, /health {health or 'none'}, /ready {ready or 'none'}, "
              f"{'went on' if status is None else f'ended with status {status}'}", flush=True)
        if status not in (None, ENDED):
            sys.exit(f"full_disk: `venue up` ended with status {status}, not {ENDED}")
        return status


def run(arguments, folder):
    service = Service(arguments.program, folder)
    try:
        service.command("generate", "-o", folder / "mall.zip", "--levels", "4", "--units", "250")
        service.command("push", folder / "mall.zip", "--to", "mall", "--new")
        for seed in range(1, 9):
            service.command("generate", "-o", folder / f"other{seed}.zip", "--levels", "4", "--units", "250", "--seed", str(seed))
        story = Story(service, arguments.seed)
        ends = collections.Counter(story.round(number) for number in range(1, arguments.rounds + 1))
        said = (folder / "log").read_text()
        switches = sum("pg_wal/" in line and "No space left" in line for line in said.splitlines())
        print(f"full_disk: {len(story.edits)} edits and {len(story.uploads)} uploads acknowledged, none lost; "
              f"{ends[ENDED]} of {arguments.rounds} rounds ended the service, {switches} at a new WAL file")
        return 0 if switches and ends[ENDED] else 1
    finally:
        if service.process.poll() is None:
            service.process.terminate()
            service.process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        (folder / "disk").mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0755", "tmpfs", folder / "disk"], check=True)
        try:
            status = run(arguments, folder)
        finally:
            subprocess.run(["umount", "--lazy", folder / "disk"], check=True)
    sys.exit(status)


main()
