"""The command line and the catalogue against a running service, whose program is VENUE_PROGRAM."""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from typing import Any, Dict, List

from venuesync.catalogue import CatalogueReplica

ROOT = pathlib.Path(__file__).resolve().parents[3]


@unittest.skipUnless("VENUE_PROGRAM" in os.environ or "CI" in os.environ, "VENUE_PROGRAM names no program")
class LiveTests(unittest.TestCase):
    service: Any

    @classmethod
    def setUpClass(cls) -> None:
        sys.path.insert(0, str(ROOT / "Tests/Browser"))
        from service import Service  # type: ignore[import-not-found]

        cls.service = Service()
        cls.addClassCleanup(cls.service.stop)

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def command(self, *arguments: str) -> List[str]:
        return [sys.executable, "-m", "venuesync", *arguments]

    @property
    def environment(self) -> Dict[str, str]:
        return {**os.environ, "VENUE_SERVER": self.service.address, "VENUE_KEY": self.service.admin_key}

    def run_command(self, *arguments: str) -> Any:
        done = subprocess.run(self.command(*arguments), env=self.environment, stdout=subprocess.PIPE, check=True, timeout=60)
        return done.stdout

    def digests(self, venue: str) -> Dict[str, str]:
        return {level["level_id"] or "-": level["digest"] for level in self.service.get_json(f"/venues/{venue}")["levels"]}

    def test_pull_export_verify_and_follow_in_a_pipeline(self) -> None:
        archive = self.service.create_venue("pipeline")
        file = str(self.folder / "mall.sqlite")
        levels = self.service.get_json("/venues/pipeline")["levels"]
        names = [name for level in levels[1:] for name in set(level["short_name"].values())]
        short = next(name for name in names if names.count(name) == 1)
        report = json.loads(self.run_command("pull", "pipeline", "--into", file, "--level", short, "--json"))
        self.assertEqual((report["to"], len(report["levels_added"])), (1, 2))
        report = json.loads(self.run_command("pull", "pipeline", "--into", file, "--json"))
        self.assertEqual((report["levels_added"], report["levels_dropped"]), ([], []))
        self.run_command("pull", "pipeline", "--into", file, "--everything")
        result = json.loads(self.run_command("verify", file, "--json"))
        self.assertEqual((result["problems"], result["venues"]["pipeline"]["levels"]), ([], self.digests("pipeline")))
        exported = json.loads(self.run_command("export", file))["features"]
        self.assertCountEqual(
            [feature["id"] for feature in exported],
            [feature["id"] for feature in self.service.get_json("/venues/pipeline/revisions/1/features")["features"]])
        following = subprocess.Popen(
            self.command("follow", "pipeline", "--into", file, "--json"), env=self.environment, stdout=subprocess.PIPE)
        try:
            assert following.stdout is not None
            self.service.publish_edit("pipeline", archive, "rename=2")
            self.assertEqual(json.loads(following.stdout.readline())["to"], 2)
        finally:
            following.terminate()
            following.communicate()
        result = json.loads(self.run_command("verify", file, "--json"))
        self.assertEqual(result["venues"]["pipeline"]["levels"], self.digests("pipeline"))

    def test_the_commands_of_the_readme_work_on_the_sample_mall(self) -> None:
        self.service.create_venue("mall", "--levels", 3, "--units", 24, "--seed", 7)
        readme = (ROOT / "Clients/python/README.md").read_text("utf-8")
        block = readme.partition("## The command line")[2].partition("```sh\n")[2].partition("```")[0]
        lines = [shlex.split(line, comments=True)[1:] for line in block.splitlines() if line.startswith("venuesync ")]
        # Those with a signing key run in test_trust, with a key.
        commands = [words for words in lines if words[0] != "follow" and not {"|", "ed25519:…"} & set(words)]
        self.assertEqual([words[0] for words in commands], ["pull", "pull", "export", "verify"])
        for words in commands:
            subprocess.run(
                self.command(*words), env=self.environment, cwd=self.folder, stdout=subprocess.DEVNULL, check=True, timeout=60)
        units = json.loads((self.folder / "units.geojson").read_text("utf-8"))["features"]
        ground = [
            level["level_id"] for level in self.service.get_json("/venues/mall")["levels"] if level["ordinal"] == 0]
        self.assertGreater(len(ground), 1)
        self.assertEqual({unit["properties"]["level_id"] for unit in units}, set(ground))

    def test_a_catalogue_follows_all_venues_through_pages_edits_and_deletions(self) -> None:
        with CatalogueReplica(self.folder / "all.sqlite", self.service.address, self.service.admin_key, page_limit=40) as replica:
            archive = self.service.create_venue("first")
            self.service.create_venue("second", "--levels", 2, "--units", 8, "--seed", 3)
            replica.sync()
            self.check(replica, "first", "second")
            self.service.publish_edit("first", archive, "rename=2,move=1,relevel=1,add=1,remove=1")
            self.assertEqual([report.venue for report in replica.sync()], ["first"])
            self.check(replica, "first", "second")
            self.service.run_venue("delete", "second", "--confirm", "second")
            self.service.run_venue("rollback", "first", "1", "--message", "Back")
            replica.sync(wait=20)
            self.assertNotIn("second", replica.venues())
            self.check(replica, "first")
            self.assertEqual(replica.sync(), [])

    def test_the_program_in_the_documentation_computes_matching_digests(self) -> None:
        self.service.create_venue("shown", "--levels", 2, "--units", 8, "--seed", 5)
        page = (ROOT / "docs/protocol/digests.md").read_text("utf-8")
        program = page.partition("```python\n")[2].partition("```")[0]
        request = urllib.request.Request(
            f"{self.service.address}/venues/shown/sync", headers={"Authorization": f"Bearer {self.service.admin_key}"})
        with tempfile.NamedTemporaryFile() as page_file, urllib.request.urlopen(request, timeout=30) as response:
            page_file.write(response.read())
            page_file.flush()
            result = subprocess.run(
                [sys.executable, "-c", program, page_file.name], stdout=subprocess.PIPE, check=True, timeout=60)
        lines = [line.split() for line in result.stdout.decode().splitlines()]
        computed = {"-" if words[0] == "venue-wide" else words[0]: words[-1] for words in lines}
        self.assertEqual(computed, self.digests("shown"))

    def check(self, replica: CatalogueReplica, *venues: str) -> None:
        with replica.store.read() as reader:
            for venue in venues:
                state = reader.state(venue)
                assert state is not None
                self.assertEqual(reader.damaged(state), [])
                held = {level or "-": digest for level, digest in reader.digests(state).items()}
                self.assertEqual((venue, held), (venue, self.digests(venue)))


if __name__ == "__main__":
    unittest.main()
