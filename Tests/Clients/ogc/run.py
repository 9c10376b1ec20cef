"""Runs the programs in this folder that read and edit venues of a service by OGC API – Features.

    VENUE_PROGRAM=.build/debug/venue VENUE_OGC_PYTHON=python /usr/bin/python3 run.py

`VENUE_OGC_PYTHON` has the packages of requirements.txt. If `VENUE_SAMPLES` is set, the archives in that folder are venues, too.
"""

import os
import pathlib
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "Browser"))

from service import Service
from venues import ADDRESS, KEY, VENUES


def create_venues(service):
    """Venues of different sizes, one whose history has all kinds of edits, and real archives."""
    service.create_venue("small", "--levels", 1, "--units", 1, "--seed", 1)
    archive = service.create_venue("mall", "--levels", 3, "--units", 60, "--seed", 7)
    service.run_venue("set", "mall", "removal_guard=false")
    service.publish_edit("mall", archive, "rename=5,move=5,hours=3,add=4,remove=4,relevel=2,retype=2,floor")
    keys = ["small", "mall"]
    if samples := os.environ.get("VENUE_SAMPLES"):
        for number, path in enumerate(sorted(pathlib.Path(samples).rglob("*.zip"))):
            service.run_venue("push", path, "--to", f"sample{number}", "--new")
            keys.append(f"sample{number}")
    for key in keys:
        # QGIS 3.22 cannot send keys.
        service.run_venue("set", key, "public=true")
    service.create_venue("edited", "--levels", 1, "--units", 12, "--seed", 3)
    return keys


def run(name, *command, **environment):
    start = time.monotonic()
    subprocess.run([*command, FOLDER / name], env=os.environ | environment, check=True, timeout=300)
    print(f"ogc: {name}: {time.monotonic() - start:.1f} s", flush=True)


def main():
    python = os.environ["VENUE_OGC_PYTHON"]
    with Service() as service:
        keys = create_venues(service)
        environment = {ADDRESS: service.address, KEY: service.admin_key, VENUES: " ".join(keys)}
        run("write.py", python, **environment)
        run("second_opinion.py", "pg_virtualenv", python, **environment)
        run("desktop.py", "/usr/bin/python3", HOME=str(service.folder), XDG_RUNTIME_DIR=str(service.folder), **environment)


if __name__ == "__main__":
    main()
