"""Tests the example of a client's README against a running service: first start, edit, and second start without a network.

    VENUE_PROGRAM=.build/debug/venue python3 readme.py README.md Mall.java -- COMMAND…

The first code block of the README is written to a folder under the given name, and COMMAND is run there. It prints a line that begins
with `unit` for each unit, and a line that begins with `revision` for each change.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

from follower import client_command
from service import Service


class Example:
    def __init__(self, service, command, folder):
        self.service, self.command, self.folder = service, command, folder

    def start(self):
        environment = {**self.service.environment, "VENUE_KEY": self.service.admin_key}
        return subprocess.Popen(self.command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, text=True)

    @staticmethod
    def line(process):
        line = process.stdout.readline()
        if not line:
            raise AssertionError(f"the example exited with {process.wait()}")
        return line

    def run(self):
        archive = self.service.create_venue("mall")
        floors = {
            level["level_id"]: level["features"] for level in self.service.get_json("/venues/mall")["levels"] if level["ordinal"] == 0}
        units = [
            feature for feature in self.service.features("mall", 1, "unit") if feature["properties"].get("level_id") in floors]
        first = self.start()
        units_online = [self.line(first) for _ in units]
        assert all(line.startswith("unit ") for line in units_online), units_online
        self.service.publish_edit("mall", archive, "rename=3,floor")
        changed = self.line(first)
        assert changed.startswith("revision 2"), changed
        first.kill()
        first.communicate()
        self.service.stop()
        offline = self.start()
        units_offline = [self.line(offline) for _ in units]
        assert len(set(units_online) & set(units_offline)) > len(units) / 2 and all(line.startswith("unit ") for line in units_offline), units_offline
        assert offline.poll() is None, "the example ends without a network"
        offline.kill()
        offline.communicate()


def main():
    (readme, name), command = client_command(sys.argv[1:], "python3 readme.py README.md NAME -- COMMAND…")
    code = re.search(r"```\w+\n(.*?)```", pathlib.Path(readme).read_text(encoding="utf-8"), re.DOTALL)
    with Service() as service, tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(code[1], encoding="utf-8")
        Example(service, command, folder).run()
    print(f"ok: the first {len(code[1].splitlines())} lines of {readme}")


if __name__ == "__main__":
    main()
