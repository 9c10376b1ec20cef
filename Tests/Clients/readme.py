"""The first lines of a client's README against a running service: a cold start, an edit, and a second start without a network.

    VENUE_PROGRAM=.build/debug/venue python3 readme.py README.md Mall.java -- COMMAND…

The README's first block of code is written to a folder under the name given, and COMMAND is run there. It prints a line for each unit
that it draws, which begins with `unit`, and one for each change, which begins with `revision`.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

from follower import client_command
from service import Service


class Sample:
    def __init__(self, service, command, folder):
        self.service, self.command, self.folder = service, command, folder

    def start(self):
        environment = {**self.service.environment, "VENUE_KEY": self.service.key}
        return subprocess.Popen(self.command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, text=True)

    @staticmethod
    def line(process):
        line = process.stdout.readline()
        if not line:
            raise AssertionError(f"the sample ended with {process.wait()}")
        return line

    def tell(self):
        archive = self.service.make_venue("mall")
        floors = {
            level["level_id"]: level["features"] for level in self.service.ask("/venues/mall")["levels"] if level["ordinal"] == 0}
        units = [
            feature for feature in self.service.features("mall", 1, "unit") if feature["properties"].get("level_id") in floors]
        cold = self.start()
        drawn = [self.line(cold) for _ in units]
        assert all(line.startswith("unit ") for line in drawn), drawn
        self.service.edit("mall", archive, "rename=3,floor")
        changed = self.line(cold)
        assert changed.startswith("revision 2"), changed
        cold.kill()
        cold.communicate()
        self.service.stop()
        offline = self.start()
        again = [self.line(offline) for _ in units]
        assert len(set(drawn) & set(again)) > len(units) / 2 and all(line.startswith("unit ") for line in again), again
        assert offline.poll() is None, "the sample ends without a network"
        offline.kill()
        offline.communicate()


def main():
    (readme, name), command = client_command(sys.argv[1:], "python3 readme.py README.md NAME -- COMMAND…")
    code = re.search(r"```\w+\n(.*?)```", pathlib.Path(readme).read_text(encoding="utf-8"), re.DOTALL)
    service = Service()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(code[1], encoding="utf-8")
        try:
            Sample(service, command, folder).tell()
        finally:
            service.stop()
    print(f"ok: the first {len(code[1].splitlines())} lines of {readme}")


if __name__ == "__main__":
    main()
