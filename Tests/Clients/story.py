"""Any client against a running service: an import, an edit, a rollback, no network, a restart, another epoch, a revoked key, a deletion.

    VENUE_PROGRAM=.build/debug/venue python3 story.py -- COMMAND…

COMMAND is a client as follower.py describes it.
"""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

from follower import Follower, client_command
from service import Service


class Story:
    def __init__(self, service, command, folder):
        self.service = service
        self.archive = service.make_venue("mall")
        self.key = json.loads(service.venue("keys", "create", "--name", "phones", "--role", "read", "--venue", "mall", "--json"))
        self.command, self.folder = command, folder
        self.client = Follower(command, service.address, self.key["secret"], "mall", folder / "phone.sqlite")

    def expect(self, condition, answer):
        if not condition:
            raise AssertionError(json.dumps(answer, indent=1))

    def digests(self):
        """By level, what the service says of its newest revision."""
        venue = self.service.ask("/venues/mall")
        return venue["head"], {level["level_id"] or "-": level["digest"] for level in venue["levels"]}

    def check(self, answer, levels=None):
        """The replica is the newest revision, of these levels or of all."""
        head, digests = self.digests()
        if levels is not None:
            digests = {level: digests[level] for level in ["-", *levels]}
        self.expect(answer["result"] == "ok" and answer["revision"] == head and answer["levels"] == digests, answer)

    def same(self, answer, before, result):
        """A failure left the replica as it was."""
        self.expect(answer["result"] == result, answer)
        for name in ("revision", "cursor", "levels"):
            self.expect(answer[name] == before[name], answer)

    def chapter(self, words):
        print(f"story: {words}", flush=True)

    def tell(self):
        client, service = self.client, self.service
        levels = [level["level_id"] for level in service.ask("/venues/mall")["levels"] if level["level_id"]]

        self.chapter("the first floors of a venue that was imported")
        self.check(client.tell("sync venue"), [])
        self.check(client.tell(f"add {levels[0]}"), levels[:1])
        self.check(client.tell(f"add {levels[1]}"), levels[:2])
        self.check(client.tell("sync"), levels[:2])
        self.check(client.tell(f"drop {levels[0]}"), levels[1:2])
        self.check(client.tell("sync *"))
        first = client.tell("show")

        self.chapter("an edit")
        service.edit("mall", self.archive, "rename=3,move=2,relevel=2,add=2,remove=1")
        answer = client.tell("sync")
        self.check(answer)
        report = answer["report"]
        self.expect(report["added"] and report["changed"] and report["removed"] and not report["levels_dropped"], answer)

        self.chapter("a rollback: the digests are the old ones")
        service.venue("rollback", "mall", "1", "--message", "Too early")
        answer = client.tell("sync")
        self.check(answer)
        self.expect(answer["levels"] == first["levels"] and answer["revision"] == 3, answer)

        self.chapter("no network: what is held stays, also for an app that starts anew")
        service.stop()
        self.same(client.tell("sync"), answer, "unreachable")
        client.restart()
        self.same(client.tell("show"), answer, "ok")

        self.chapter("the service is back")
        service.start()
        self.check(client.tell("sync"))
        service.edit("mall", self.archive, "rename=1,floor", seed=8)
        self.check(client.tell("sync"))

        self.chapter("another epoch: nothing that is right is fetched again")
        service.venue("epoch", "renew", "mall")
        answer = client.tell("sync")
        self.check(answer)
        self.expect(not answer["report"]["levels_dropped"] and not answer["report"]["added"], answer)

        self.chapter("a revoked key: what is held stays")
        service.venue("keys", "revoke", self.key["id"])
        self.same(client.tell("sync"), answer, "unauthorized")
        client.stop()

        self.chapter("a deleted venue: what is held stays")
        client = self.client = Follower(self.command, service.address, service.key, "mall", self.folder / "phone.sqlite")
        self.check(client.tell("sync"))
        answer = client.tell("show")
        service.venue("delete", "mall", "--confirm", "mall")
        self.same(client.tell("sync"), answer, "gone")
        client.stop()


def main():
    _, command = client_command(sys.argv[1:], "python3 story.py -- COMMAND…")
    service = Service()
    try:
        with tempfile.TemporaryDirectory() as folder:
            story = Story(service, command, pathlib.Path(folder))
            try:
                story.tell()
            finally:
                story.client.process.kill()
    finally:
        service.stop()
    print("story: ok")


if __name__ == "__main__":
    main()
