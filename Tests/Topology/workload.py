"""Clients that work while faults happen: uploads, edits, rollbacks, prunes, polls and replicas of the SDK."""

import http.client
import json
import pathlib
import random
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Clients"))
import five_steps  # noqa: E402

PUBLIC, PRIVATE, PRUNED, PROBE = "mall", "airport", "station", "probe"
VENUES = (PUBLIC, PRIVATE, PRUNED)


def request(address, method, path, body=None, key=None, timeout=10, content="application/json"):
    """Status, headers and body. Raises OSError or HTTPException without a complete response."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc, timeout=timeout)
    try:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        if body is not None:
            headers["Content-Type"] = content
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


UNREACHABLE = (OSError, http.client.HTTPException)


class Worker(threading.Thread):
    """A client that repeats something until the run is over. An exception in it is a defect of the harness or of the service."""

    def __init__(self, work, name, pause):
        super().__init__(name=name, daemon=True)
        self.work, self.name, self.pause = work, name, pause

    def run(self):
        ledger = self.work.ledger
        chooser = random.Random(f"{self.work.seed} {self.name}")
        while not ledger.is_over.is_set():
            try:
                self.step(chooser)
            except Exception as error:
                ledger.violate(f"{self.name}: {type(error).__name__}: {error}")
            ledger.is_over.wait(self.pause * chooser.uniform(0.5, 1.5))

    def step(self, chooser):
        raise NotImplementedError


class Writer(Worker):
    def write(self, method, path, body, timeout=5, content="application/json", attempts=True):
        """The response with a final status, after as many attempts as it takes; None when the run ended before, or, if only one
        attempt may be made, when it failed. Repeating must be safe."""
        ledger = self.work.ledger
        while not ledger.is_over.is_set():
            try:
                status, _, response = request(self.work.address, method, path, body, self.work.key, timeout, content)
                document = json.loads(response) if response.startswith(b"{") else {}
                # Also refused: a write that was decided on before a promotion, and that found new epochs.
                is_replaced = document.get("type") == "/problems/venue-replaced"
                if status < 500 and status != 429 and not is_replaced:
                    return status, document
                ledger.count(f"writes refused with {status}{' venue-replaced' if is_replaced else ''}")
            except UNREACHABLE:
                ledger.count("writes without a response")
            if not attempts:
                return None
            ledger.is_over.wait(0.3)
        return None


class Uploader(Writer):
    def __init__(self, work, venue):
        super().__init__(work, f"uploader of {venue}", 1.0)
        self.venue = venue

    def step(self, chooser):
        message = f"upload-{uuid.UUID(int=chooser.getrandbits(128))}"
        self.work.ledger.messages.add(message)
        query = urllib.parse.urlencode({"message": message})
        archive = chooser.choice(self.work.archives)
        answer = self.write("POST", f"/venues/{self.venue}/uploads?{query}", archive, content="application/zip", timeout=20)
        if answer is None:
            return
        status, upload = answer
        if status not in (200, 202):
            return self.work.ledger.violate(f"{self.name}: {status} {upload.get('type')}")
        self.work.ledger.uploads[upload["id"]] = self.venue
        while upload["state"] not in ("published", "unchanged", "rejected", "failed", "discarded", "staged"):
            if self.work.ledger.is_over.wait(0.5):
                return
            answer = self.write("GET", f"/uploads/{upload['id']}", None)
            if answer is None:
                return
            status, document = answer
            if status != 200:
                return self.work.ledger.violate(f"{self.name}: upload {upload['id']} answers {status} after it was acknowledged")
            upload = document
        if upload["state"] == "published":
            self.work.ledger.acknowledge(self.venue, upload["revision"], upload["message"])


class RollBacker(Writer):
    def __init__(self, work, venue):
        super().__init__(work, f"rollbacks of {venue}", 4.0)
        self.venue = venue

    def step(self, chooser):
        head = max((number for venue, number in list(self.work.ledger.digests) if venue == self.venue), default=1)
        message = f"rollback {uuid.UUID(int=chooser.getrandbits(128))}"
        self.work.ledger.messages.add(message)
        body = json.dumps({"to": max(1, head - chooser.randint(1, 4)), "message": message})
        # Not repeated: without a response it is unknown whether the revision was made.
        answer = self.write("POST", f"/venues/{self.venue}/rollback", body, attempts=False)
        if answer and answer[0] == 201:
            self.work.ledger.acknowledge(self.venue, answer[1]["number"], message)
            self.work.ledger.show(self.venue, answer[1]["number"], answer[1]["digest"])


class Prober(Writer):
    """Edits a venue of its own all the time; the times of its successful edits show how long writing was not possible."""

    def __init__(self, work):
        super().__init__(work, "prober", 0.4)

    def step(self, chooser):
        identifier = str(uuid.UUID(int=chooser.getrandbits(128), version=4))
        message = f"edit {identifier}"
        self.work.ledger.messages.add(message)
        patch = {"properties": {"name": {"en": f"Room {chooser.getrandbits(40)}"}}}
        body = json.dumps({"id": identifier, "message": message, "edits": [{"feature": self.work.unit, "patch": patch}]})
        while not self.work.ledger.is_over.is_set():
            begin = time.monotonic()
            # Repeated with the same id: the service answers with the first outcome.
            answer = self.write("POST", f"/venues/{PROBE}/edits", body, timeout=3, attempts=False)
            if answer:
                break
            self.work.ledger.is_over.wait(0.25)
        else:
            return
        if answer[0] not in (200, 201):
            return self.work.ledger.violate(f"prober: {answer[0]} {answer[1].get('type')} {answer[1].get('detail')}")
        self.work.ledger.wrote(begin, time.monotonic())
        revision = answer[1]["revision"]
        self.work.ledger.acknowledge(PROBE, revision["number"] if isinstance(revision, dict) else revision, message)


class Pruner(Writer):
    def __init__(self, work):
        super().__init__(work, "pruner", 9.0)

    def step(self, chooser):
        answer = self.write("POST", f"/venues/{PRUNED}/prune", json.dumps({"keep_revisions": chooser.randint(3, 12)}))
        if answer and answer[0] != 200:
            self.work.ledger.violate(f"pruner: {answer[0]} {answer[1].get('type')}")


class Poller(Worker):
    """A client of the five steps. Every read has to succeed at the first attempt."""

    def __init__(self, work, number, venue):
        super().__init__(work, f"poller {number} of {venue}", 0.5)
        self.client = five_steps.Client(venue, self.send)
        self.venue, self.limit = venue, [None, 40, 7][number % 3]

    def send(self, path, query):
        if self.limit and path.endswith("/sync"):
            query = [*query, ("limit", self.limit)]
        key = None if self.venue == PUBLIC else self.work.key
        self.work.ledger.count("reads")
        try:
            status, headers, body = request(self.work.address, "GET", f"{path}?{urllib.parse.urlencode(query)}", None, key)
        except UNREACHABLE as error:
            self.work.ledger.fail_read(self.name, f"{type(error).__name__} {error}")
            raise five_steps.Failure("unreachable") from None
        if status >= 500:
            kind = json.loads(body)["type"] if body.startswith(b"{") else body[:60]
            what = "page" if self.limit else "first" if not self.client.held["cursor"] else "poll"
            self.work.ledger.fail_read(self.name, f"{status} {kind} for {path.rsplit('/', 1)[-1]} ({what})")
            raise five_steps.Failure("unavailable")
        if status in (400, 404):
            self.work.ledger.violate(f"{self.name}: {status} for {path}?{query}: {body[:200]}")
        if status == 410:
            self.work.ledger.count(f"410 for {self.venue}")
        if status == 200 and path.endswith("/sync"):
            document, _ = five_steps.read(body)
            self.work.ledger.show(self.venue, document["to"], document["digest"])
        return status, headers, body, False

    def step(self, chooser):
        if chooser.random() < 0.02:
            self.client = five_steps.Client(self.venue, self.send)  # a new phone
        try:
            self.client.sync()
            self.work.ledger.count("verified synchronizations")
        except five_steps.Failure as failure:
            if failure.kind == "wrong":
                self.work.ledger.violate(f"{self.name}: a response that does not verify, during “{self.work.ledger.fault}”")
            elif failure.kind not in ("unreachable", "unavailable"):
                self.work.ledger.violate(f"{self.name}: {failure.kind} during “{self.work.ledger.fault}”")


class Replica(Worker):
    """`venue pull` into one file, again and again: the SDK verifies what it gets."""

    def __init__(self, work, venue):
        super().__init__(work, f"replica of {venue}", 2.0)
        self.venue, self.file = venue, work.folder / f"{venue}.sqlite"

    def step(self, chooser):
        outcome = subprocess.run(
            [self.work.program, "pull", self.venue, "--into", str(self.file), "--json"], capture_output=True, text=True,
            env=self.work.client_environment, timeout=120)
        if outcome.returncode == 0:
            self.work.ledger.count("pulls of the SDK")
        elif outcome.returncode == 6:
            self.work.ledger.fail_read(self.name, outcome.stderr.strip()[-120:])
        else:
            self.work.ledger.violate(f"{self.name}: exit {outcome.returncode} {outcome.stderr.strip()[-200:]}")


class Watcher(Worker):
    """`venue watch`: the SDK's replica that waits for changes."""

    def __init__(self, work, venue):
        super().__init__(work, f"watcher of {venue}", 1.0)
        self.venue, self.file = venue, work.folder / f"watched-{venue}.sqlite"

    def step(self, chooser):
        with open(self.work.folder / "watch.log", "ab") as log:
            process = subprocess.Popen(
                [self.work.program, "watch", self.venue, "--into", str(self.file), "--json"],
                stdout=subprocess.PIPE, stderr=log, env=self.work.client_environment, text=True)
        stopper = threading.Thread(target=lambda: (self.work.ledger.is_over.wait(), process.terminate()), daemon=True)
        stopper.start()
        for _ in process.stdout:
            self.work.ledger.count("revisions that the SDK reported")
        process.wait()
        if not self.work.ledger.is_over.is_set():
            self.work.ledger.count("watchers that had to be started again")


class Workload:
    def __init__(self, topology, ledger, seed):
        self.address, self.key, self.program = topology.address, topology.admin_key, topology.program
        self.ledger, self.seed, self.folder = ledger, seed, topology.folder
        self.client_environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(topology.folder), "VENUE_SERVER": self.address, "VENUE_KEY": self.key}

    def prepare(self):
        """Makes the archives and the venues."""
        names = [self.folder / f"v{number}.zip" for number in range(6)]
        self.run("generate", "-o", str(names[0]), "--levels", "2", "--units", "12", "--seed", str(self.seed))
        for number in range(1, len(names)):
            self.run("generate", "-o", str(names[number]), "--next-of", str(names[number - 1]), "--edit", "rename=3,move=2",
                     "--seed", str(self.seed + number))
        self.archives = [name.read_bytes() for name in names]
        for venue in (*VENUES, PROBE):
            self.run("push", str(names[0]), "--to", venue, "--new")
            settings = {"removal_guard": False, "public": venue == PUBLIC}
            status, _, body = request(self.address, "PATCH", f"/venues/{venue}", json.dumps(settings), self.key)
            assert status == 200, body
        _, _, body = request(self.address, "GET", f"/venues/{PROBE}/revisions/1/features?type=unit", None, self.key)
        self.unit = json.loads(body)["features"][0]["id"]

    def run(self, *arguments):
        outcome = subprocess.run([self.program, *arguments], capture_output=True, text=True, env=self.client_environment)
        assert outcome.returncode == 0, f"{arguments}: {outcome.stdout} {outcome.stderr}"

    def start(self):
        workers = [Prober(self), Pruner(self)]
        workers += [Uploader(self, venue) for venue in VENUES] + [RollBacker(self, venue) for venue in VENUES]
        workers += [Poller(self, number, VENUES[number % 3]) for number in range(6)] + [Poller(self, 6, PROBE)]
        workers += [Replica(self, PUBLIC), Replica(self, PRIVATE), Watcher(self, PRIVATE)]
        for worker in workers:
            worker.start()
        self.workers = workers

    def finish(self):
        self.ledger.is_over.set()
        for worker in self.workers:
            worker.join(60)
