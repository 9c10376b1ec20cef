from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import sqlite3
import tempfile
from typing import Tuple
from unittest import mock

from pages import FIRST, GROUND, feature, named, response, snapshot, uuid
from support import ReplicaTestCase
from venuesync.cli import _names_online, main
from venuesync.level_names import AmbiguousName

WIDE = feature("f0", "level", ordinal=0, short_name={"en": "G"})
SHOP = named("a1", "unit", "Café")


class CommandLineTests(ReplicaTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.replica(response(None, 1, "one", snapshot(None, WIDE), snapshot(GROUND, SHOP))).sync()

    def run_main(self, *arguments: str) -> Tuple[int, bytes, str]:
        errors = io.StringIO()
        with tempfile.TemporaryFile() as file, io.TextIOWrapper(file, "utf-8", write_through=True) as output:
            with mock.patch("sys.stdout", output), contextlib.redirect_stderr(errors):
                code = main(list(arguments))
            file.seek(0)
            return code, file.read(), errors.getvalue()

    def test_export_writes_the_features_as_geojson(self) -> None:
        code, output, _ = self.run_main("export", str(self.file))
        collection = json.loads(output)
        self.assertEqual((code, collection["type"]), (0, "FeatureCollection"))
        self.assertEqual([found["feature_type"] for found in collection["features"]], ["level", "unit"])
        for level in (GROUND, "ordinal:0", "g"):
            self.assertEqual(self.run_main("export", str(self.file), "--level", level, "--lines")[1], f"{SHOP}\n".encode())
        self.assertEqual(self.run_main("export", str(self.file), "--level", "venue", "--lines")[1], f"{WIDE}\n".encode())
        self.assertEqual(json.loads(self.run_main("export", str(self.file), "--type", "kiosk")[1])["features"], [])
        target = self.file.with_name("out.geojsonl")
        self.run_main("export", str(self.file), "--lines", "--type", "unit", "-o", str(target))
        self.assertEqual(target.read_text("utf-8"), SHOP + "\n")

    def test_a_failed_export_writes_nothing_and_keeps_the_file(self) -> None:
        target = self.file.with_name("units.geojson")
        target.write_text("previous", "utf-8")
        for arguments, expected in ((["--level", "9F"], 4), (["--level", "ordinal:9"], 4), (["--level", "venue", "--level", FIRST], 4)):
            self.assertEqual(self.run_main("export", str(self.file), *arguments, "-o", str(target))[0], expected)
            code, output, errors = self.run_main("export", str(self.file), *arguments)
            self.assertEqual((code, output), (expected, b""))
            self.assertIn("there is no level", errors)
        with mock.patch("venuesync.cli._write", side_effect=OSError("the disk is full")):
            self.assertEqual(self.run_main("export", str(self.file), "-o", str(target))[0], 1)
        self.assertEqual(self.run_main("export", str(self.file), "-o", str(self.file))[0], 64)
        self.assertEqual(target.read_text("utf-8"), "previous")
        self.assertEqual(self.run_main("export", str(self.file), "-o", str(target.with_name("none") / "units.geojson"))[0], 1)
        self.assertEqual([file.name for file in target.parent.glob("*") if ".part" in file.name], [])
        self.assertEqual(self.run_main("export", str(self.file), "-o", os.devnull)[0], 0)
        self.assertFalse(pathlib.Path(os.devnull).is_file())

    def test_export_and_pull_refuse_a_name_of_several_levels_and_name_their_ordinal(self) -> None:
        twin = feature("f1", "level", ordinal=0, short_name={"en": "G", "ja": "地"}, name={"en": "West"})
        unlabelled = feature("f2", "level", ordinal=1, short_name=None, name={"en": "Roof"})
        replica = self.replica(response(1, 2, "two", snapshot(None, WIDE, twin, unlabelled), snapshot(FIRST)))
        replica.sync()
        levels = [
            {"level_id": None}, *({"level_id": level["id"], **level["properties"]} for level in map(json.loads, (WIDE, twin, unlabelled)))]
        self.transport.responses.append({"status": 200, "body": [json.dumps({"levels": levels})]})
        with self.assertRaises(AmbiguousName) as refused:
            _names_online(replica, ["venue", "g"])
        code, output, errors = self.run_main("export", str(self.file), "--level", "g")
        self.assertEqual((code, output), (64, b""))
        for message in (errors, str(refused.exception)):
            self.assertIn("2 levels are named “g”; use ordinal:0 for the whole floor, or the id of one of them:", message)
            self.assertIn(FIRST, message)
        self.assertEqual(self.run_main("export", str(self.file), "--level", "地", "--lines")[1], b"")
        self.assertEqual(self.run_main("export", str(self.file), "--level", "ordinal:0", "--lines")[1], f"{SHOP}\n".encode())
        self.transport.responses.append({"status": 200, "body": [json.dumps({"levels": levels})]})
        self.assertEqual(_names_online(replica, ["ordinal:0", "地", "roof"]), ["ordinal:0", FIRST, uuid("f2")])

    def test_verify_finds_damage(self) -> None:
        code, output, _ = self.run_main("verify", str(self.file), "--json")
        result = json.loads(output)
        self.assertEqual((code, result["problems"], result["venues"]["mall"]["revision"]), (0, [], 1))
        self.assertEqual(self.run_main("verify", str(self.file))[0], 0)
        with contextlib.closing(sqlite3.connect(self.file)) as connection, connection:
            connection.execute("UPDATE feature SET body = replace(body, 'Caf', 'caf') WHERE type = 'unit'")
        code, output, _ = self.run_main("verify", str(self.file))
        self.assertEqual(code, 1)
        self.assertIn(f"mall: {GROUND} differs from its digest", output.decode())

    def test_exit_codes_distinguish_errors(self) -> None:
        self.assertEqual(self.run_main("export", str(self.file), "--level", "9F")[0], 4)
        self.assertEqual(self.run_main("verify", "/nowhere/file")[0], 1)
        into = str(self.file.with_name("new.sqlite"))
        with mock.patch.dict(os.environ, {"VENUE_SERVER": "http://127.0.0.1:1"}):
            self.assertEqual(self.run_main("pull", "mall", "--into", into)[0], 6)
        self.assertEqual(self.run_main("pull", "Mall!", "--into", into)[0], 64)
        self.assertEqual(self.run_main("pull", "mall", "--into", into, "--everything", "--level", "venue")[0], 64)
        self.assertEqual(self.run_main("pull", "hall", "--into", str(self.file))[0], 1)
        self.assertFalse(pathlib.Path("/nowhere").exists())
