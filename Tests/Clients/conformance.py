"""Runs the conformance cases (Tests/Conformance) against a client in memory, such as the one in replica.py."""

import hashlib
import json


class Script:
    """Returns the responses of a case, and checks that the requests are exactly the expected ones."""

    def __init__(self, exchanges):
        self.exchanges = list(exchanges)

    def __call__(self, path, query):
        if not self.exchanges:
            raise AssertionError(f"unexpected request: {path} {query}")
        exchange = self.exchanges.pop(0)
        actual = {
            "path": path, "since": dict(query).get("since"),
            "level": sorted(value for name, value in query if name == "level")}
        expected = {**exchange["request"], "level": sorted(exchange["request"]["level"])}
        if actual != expected:
            raise AssertionError(f"requested {actual}, expected {expected}")
        response = exchange["reply"]
        body, fault = "".join(line + "\n" for line in response["body"]).encode(), response.get("fault", {})
        if "reset" in fault:
            return response["status"], response["headers"], b"", True
        return response["status"], response["headers"], body[:fault.get("cut", len(body))], False


def run(case, make):
    """Runs a case. `make(venue, send)` creates a replica with `sync(selection)` and `held`."""
    replica = make(case["venue"], None)
    for number, step in enumerate(case["steps"], 1):
        script = replica.send = Script(step["exchanges"])
        outcome = ("ok", None)
        try:
            replica.sync((step["levels"] or []) if "levels" in step else None)
        except AssertionError:
            raise
        except Exception as failure:
            if not hasattr(failure, "kind"):
                raise
            outcome = (failure.kind, failure.retry_after)
        expected = (step["result"], step.get("retry_after"))
        if outcome != expected:
            raise AssertionError(f"step {number} ends with {outcome}, expected {expected}")
        if script.exchanges:
            raise AssertionError(f"step {number}: {len(script.exchanges)} requests are missing")
        if describe(replica.held) != step["replica"]:
            raise AssertionError(f"step {number}: the replica differs from the case")


def describe(held):
    levels = {}
    for level, bodies in held["levels"].items():
        lines = [bodies[id] for id in sorted(bodies)]
        sha256 = hashlib.sha256(b"".join(line + b"\n" for line in lines))
        levels[level or "-"] = {"digest": f"sha-256:{sha256.hexdigest()}", "bodies": [line.decode() for line in lines]}
    return {"revision": held["revision"], "cursor": held["cursor"], "levels": levels}


def main(paths, make, can):
    """Prints a line for each case; returns 1 if any fails."""
    failures = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
        if not set(case["needs"]) <= can:
            print(f"skipped: {case['name']} needs {', '.join(case['needs'])}")
            continue
        try:
            run(case, make)
            print(f"ok: {case['name']}")
        except AssertionError as error:
            failures += 1
            print(f"failed: {case['name']}: {error}")
    return 1 if failures else 0
