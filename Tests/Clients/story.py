"""Tests any client against a running service: import, edit, rollback, no network, restart, new epoch, revoked key, deletion.

    VENUE_PROGRAM=.build/debug/venue python3 story.py -- COMMAND…

COMMAND is a client program; see follower.py.
"""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

from follower import Follower, client_command
from service import Service


class Session:
    def __init__(self, service, command, folder):
        self.service = service
        self.archive = service.create_venue("mall")
        self.key = json.loads(service.run_venue("keys", "create", "--name", "phones", "--role", "read", "--venue", "mall", "--json"))
        self.command, self.folder = command, folder
        self.client = Follower(command, service.address, self.key["secret"], "mall", folder / "phone.sqlite")

    def expect(self, condition, response):
        if not condition:
            raise AssertionError(json.dumps(response, indent=1))

    def digests(self):
        """The newest revision of the service, and its digests by level."""
        venue = self.service.get_json("/venues/mall")
        return venue["head"], {level["level_id"] or "-": level["digest"] for level in venue["levels"]}

    def check(self, response, levels=None):
        """Checks that the replica equals the newest revision, for these levels or for all."""
        head, digests = self.digests()
        if levels is not None:
            digests = {level: digests[level] for level in ["-", *levels]}
        self.expect(response["result"] == "ok" and response["revision"] == head and response["levels"] == digests, response)

    def same(self, response, before, result):
        """Checks that a failure left the replica unchanged."""
        self.expect(response["result"] == result, response)
        for name in ("revision", "cursor", "levels"):
            self.expect(response[name] == before[name], response)

    def section(self, title):
        print(f"story: {title}", flush=True)

    def run(self):
        client, service = self.client, self.service
        levels = [level["level_id"] for level in service.get_json("/venues/mall")["levels"] if level["level_id"]]

        self.section("the first floors of an imported venue")
        self.check(client.run("sync venue"), [])
        self.check(client.run(f"add {levels[0]}"), levels[:1])
        self.check(client.run(f"add {levels[1]}"), levels[:2])
        self.check(client.run("sync"), levels[:2])
        self.check(client.run(f"drop {levels[0]}"), levels[1:2])
        self.check(client.run("sync *"))
        first = client.run("show")

        self.section("an edit")
        service.publish_edit("mall", self.archive, "rename=3,move=2,relevel=2,add=2,remove=1")
        response = client.run("sync")
        self.check(response)
        report = response["report"]
        self.expect(report["added"] and report["changed"] and report["removed"] and not report["levels_dropped"], response)

        self.section("a rollback: the digests are those of the earlier revision")
        service.run_venue("rollback", "mall", "1", "--message", "Too early")
        response = client.run("sync")
        self.check(response)
        self.expect(response["levels"] == first["levels"] and response["revision"] == 3, response)

        self.section("no network: the replica stays, also after a restart")
        service.stop()
        self.same(client.run("sync"), response, "unreachable")
        client.restart()
        self.same(client.run("show"), response, "ok")

        self.section("the service is available again")
        service.start()
        self.check(client.run("sync"))
        service.publish_edit("mall", self.archive, "rename=1,floor", seed=8)
        self.check(client.run("sync"))

        self.section("a new epoch: unchanged levels are not fetched again")
        service.run_venue("epoch", "renew", "mall")
        response = client.run("sync")
        self.check(response)
        self.expect(not response["report"]["levels_dropped"] and not response["report"]["added"], response)

        self.section("a revoked key: the replica stays")
        service.run_venue("keys", "revoke", self.key["id"])
        self.same(client.run("sync"), response, "unauthorized")
        client.stop()

        self.section("a deleted venue: the replica stays")
        client = self.client = Follower(self.command, service.address, service.admin_key, "mall", self.folder / "phone.sqlite")
        self.check(client.run("sync"))
        response = client.run("show")
        service.run_venue("delete", "mall", "--confirm", "mall")
        self.same(client.run("sync"), response, "gone")
        client.stop()


def main():
    _, command = client_command(sys.argv[1:], "python3 story.py -- COMMAND…")
    with Service() as service:
        with tempfile.TemporaryDirectory() as folder:
            session = Session(service, command, pathlib.Path(folder))
            try:
                session.run()
            finally:
                session.client.process.kill()
    print("story: ok")


if __name__ == "__main__":
    main()
