"""A service of its own for the tests of the console: a folder, a key, a free port; ended by its process id."""
import json
import os
import pathlib
import re
import secrets
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("VENUE_PROGRAM", str(ROOT / ".build/debug/venue"))


class Service:
    def __init__(self, folder=None, is_installed=False):
        """With `is_installed`, the console is the one beside the program, and not the one that stands in the sources."""
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="venue-console-"))
        self.folder.chmod(0o755)
        self.key = secrets.token_hex(24)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("VENUE_")},
            "VENUE_ADMIN_KEY": self.key,
        }
        library = os.environ.get("VENUE_MAP_LIBRARY", str(ROOT / ".map-library"))
        # Tests that open no browser do without.
        if os.path.exists(library):
            self.environment["VENUE_MAP_LIBRARY"] = library
        if not is_installed:
            self.environment["VENUE_CONSOLE_FOLDER"] = str(ROOT / "Sources/WebConsole/Web")
        self.log = self.folder / "log"
        self.port = 0
        self.start()

    def start(self):
        """Starts, and waits until it says where it is. Started again, it takes the same port."""
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "up", "--port", str(self.port), "--data", str(self.folder / "data")],
                env=self.environment, stdout=log, stderr=subprocess.STDOUT, cwd=self.folder)
        deadline = time.monotonic() + 120
        while not (found := re.search(r"VenueSync is at (http://\S+)", self.log.read_text())):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the service does not start:\n{self.log.read_text()}")
            time.sleep(0.05)  # looks again; nothing depends on how long
        self.address = found[1]
        self.port = int(self.address.rsplit(":", 1)[1])
        self.environment["VENUE_SERVER"] = self.address

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)

    def venue(self, *arguments):
        """Runs the program as an operator does; what it prints."""
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)], env=self.environment, cwd=self.folder, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"venue {' '.join(map(str, arguments))}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def generate(self, name, *arguments):
        self.venue("generate", "-o", self.folder / name, *arguments)
        return self.folder / name

    def make_venue(self, key, *arguments):
        """A sample mall under a key, in the time zone of its shops; the archive it was made from."""
        archive = self.generate(f"{key}.zip", *(arguments or ("--levels", 3, "--units", 24, "--seed", 7)))
        self.venue("push", archive, "--to", key, "--new")
        self.venue("set", key, "time_zone=Asia/Tokyo")
        return archive

    def edit(self, key, archive, edits, seed=3):
        """Publishes the next revision of an archive; the archive."""
        following = self.generate(f"{archive.stem}+.zip", "--next-of", archive, "--edit", edits, "--seed", seed)
        self.venue("push", following, "--to", key)
        return following

    def ask(self, path):
        request = urllib.request.Request(self.address + path, headers={"Authorization": f"Bearer {self.key}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def features(self, key, revision, *types):
        query = "&".join(f"type={name}" for name in types)
        return self.ask(f"/venues/{key}/revisions/{revision}/features?{query}")["features"]
