"""A VenueSync server for tests, with its own data folder, admin key and free port."""
import atexit
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import tempfile
import time
import urllib.request
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("VENUE_PROGRAM", str(ROOT / ".build/debug/venue"))


class Service:
    def __init__(self, folder=None, is_installed=False, settings=None):
        """
        Starts a server. It serves the source files of the console as those that are built with the program: in bundles, which load much
        faster. With `is_installed`, it serves those that were built.
        """
        self.is_installed = is_installed
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="venue-console-"))
        self.port, self.process = 0, None
        if not folder:
            atexit.register(self.remove)
        self.folder.chmod(0o755)
        self.admin_key = secrets.token_hex(24)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("VENUE_")},
            "VENUE_ADMIN_KEY": self.admin_key,
        }
        library = os.environ.get("VENUE_MAP_LIBRARY", str(ROOT / ".map-library"))
        # Tests without a browser do not need it.
        if os.path.exists(library):
            self.environment["VENUE_MAP_LIBRARY"] = library
        self.program = PROGRAM if is_installed else self.program_beside_sources()
        self.environment |= settings or {}
        self.log = self.folder / "log"
        self.start()

    def program_beside_sources(self):
        """The program in a folder of its own, beside the source files of the console, where it looks for the installed ones."""
        folder = self.folder / "program"
        if not folder.exists():
            shutil.copytree(ROOT / "Sources/WebConsole/Web", folder / "VenueSync_WebConsole.resources/Web")
            try:
                os.link(os.path.realpath(PROGRAM), folder / "venue")
            except OSError:  # Another file system.
                shutil.copy2(PROGRAM, folder / "venue")
        return str(folder / "venue")

    def start(self):
        """Starts the server and waits until it has printed its address. A restart uses the same port."""
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [self.program, "up", "--port", str(self.port), "--data", str(self.folder / "data")],
                env=self.environment, stdout=log, stderr=subprocess.STDOUT, cwd=self.folder)
        found = self.wait_for(lambda: re.search(r"VenueSync is at (http://\S+)", self.log.read_text()), "the server does not start")
        self.address = found[1]
        self.port = int(self.address.rsplit(":", 1)[1])
        self.environment["VENUE_SERVER"] = self.address

    def wait_for(self, condition, failure):
        """The first true value of a condition. The limit only ends what hangs."""
        deadline = time.monotonic() + 300
        while not (value := condition()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{failure}:\n{self.log.read_text()}")
            time.sleep(0.05)  # Polling interval; the tests do not depend on it.
        return value

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)

    def remove(self):
        """Ends the server if it still runs, and removes the folder."""
        if self.process and self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder)

    def run_venue(self, *arguments):
        """Runs the `venue` command against the server, and returns its output."""
        result = subprocess.run(
            [PROGRAM, *map(str, arguments)], env=self.environment, cwd=self.folder, capture_output=True, text=True, timeout=600)
        if result.returncode != 0:
            log = self.log.read_text()[-4000:] if self.log.exists() else "none"
            raise RuntimeError(f"venue {' '.join(map(str, arguments))}: {result.stdout}{result.stderr}\nLog of the server: {log}")
        return result.stdout.strip()

    def generate(self, name, *arguments):
        self.run_venue("generate", "-o", self.folder / name, *arguments)
        return self.folder / name

    def create_venue(self, venue_key, *arguments):
        """Creates a venue from a generated sample mall, and returns the archive."""
        archive = self.generate(f"{venue_key}.zip", *(arguments or ("--levels", 3, "--units", 24, "--seed", 7)))
        self.run_venue("push", archive, "--to", venue_key, "--new")
        self.run_venue("set", venue_key, "time_zone=Asia/Tokyo")
        return archive

    def publish_edit(self, venue_key, archive, edits, seed=3):
        """Publishes an edited copy of an archive, and returns the copy."""
        following = self.generate(f"{archive.stem}+.zip", "--next-of", archive, "--edit", edits, "--seed", seed)
        self.run_venue("push", following, "--to", venue_key)
        return following

    def get_json(self, path, timeout=30):
        request = urllib.request.Request(self.address + path, headers={"Authorization": f"Bearer {self.admin_key}"})
        with urllib.request.urlopen(request, timeout=timeout) as response:
            return json.load(response)

    def features(self, venue_key, revision, *types):
        query = "&".join(f"type={name}" for name in types)
        return self.get_json(f"/venues/{venue_key}/revisions/{revision}/features?{query}")["features"]


def edited_archive(source, target, edits):
    """A copy of an archive. `edits` maps names of files to functions that get the list of features and may return another one."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            document = json.loads(old.read(name))
            if name in edits:
                features = edits[name](document["features"])
                document["features"] = document["features"] if features is None else features
            new.writestr(name, json.dumps(document))
    return target
