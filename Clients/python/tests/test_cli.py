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

from pages import GROUND, feature, named, response, snapshot
from support import ReplicaTestCase
from venuesync.cli import main

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
