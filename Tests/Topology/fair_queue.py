"""How long one upload takes while another venue has many uploads in the queue.

    python3 fair_queue.py --program PATH [--uploads 1000]

The uploads of the busy venue differ in one name each and have one key; the single upload is sent with the same key, and with another one.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

from many_venues import distribution
from restore import KEY, Server, Service, postgres_programs, run_as_postgres
from workload import request

SAMPLES = 20


def upload(service, venue, archive, key=KEY, wait=True):
    """The seconds until the upload is published."""
    begin = time.perf_counter()
    status, _, body = request(service.address, "POST", f"/venues/{venue}/uploads", archive, key, timeout=60,
                              content="application/zip")
    assert status == 202, body[:300]
    document = json.loads(body)
    while wait and document["state"] in ("received", "processing"):
        _, _, body = request(service.address, "GET", f"/uploads/{document['id']}?wait=60", None, key, timeout=90)
        document = json.loads(body)
    assert not wait or document["state"] in ("published", "unchanged"), document
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("VENUE_PROGRAM"), required="VENUE_PROGRAM" not in os.environ)
    parser.add_argument("--uploads", type=int, default=1_000)
    parser.add_argument("--port", type=int, default=18082)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that everything is stopped
    folder = pathlib.Path(tempfile.mkdtemp(prefix="venuesync-fair-"))
    folder.chmod(0o755)
    (folder / "archive").mkdir()
    run_as_postgres.own(folder / "archive")
    server = Server(folder / "server", folder / "archive", postgres_programs())
    service = Service(str(pathlib.Path(arguments.program).resolve()), server.url, folder, arguments.port)
    service.environment |= {"VENUE_QUEUE_PER_VENUE": "100000", "VENUE_QUEUE_PER_KEY": "100000"}
    server.create()
    server.configure("archive_mode = off", "fsync = off")
    server.start()
    try:
        service.venue("migrate")
        service.start()
        archives = []
        service.venue("generate", "-o", "0.zip", "--levels", "1", "--units", "12")
        for number in range(8):
            # Revisions of one venue: other venues would be staged.
            service.venue("generate", "-o", f"{number + 1}.zip", "--next-of", f"{number}.zip", "--edit", "rename=2", "--seed", str(number))
            archives.append((folder / f"{number}.zip").read_bytes())
        other = service.venue("keys", "create", "--name", "other", "--role", "publish").strip()
        for venue in ("busy", "calm", "quiet"):
            upload(service, venue, archives[0])
        figures = {"idle: ms": distribution([upload(service, "calm", archives[1 + number % 2]) for number in range(SAMPLES)])}
        # Every upload has other bytes: a comment at the end of the zip file.
        for number in range(arguments.uploads):
            comment = f"{number:08}".encode()
            archive = archives[number % 8]
            upload(service, "busy", archive[:-2] + len(comment).to_bytes(2, "little") + comment, wait=False)
        waiting = int(server.sql("SELECT count(*) FROM upload WHERE state = 'received'"))
        figures["waiting"] = waiting
        figures["while they wait, same key: ms"] = distribution(
            [upload(service, "calm", archives[3 + number % 2]) for number in range(SAMPLES)])
        figures["while they wait, another key: ms"] = distribution(
            [upload(service, "quiet", archives[5 + number % 2], key=other) for number in range(SAMPLES)])
        figures["waiting in the end"] = int(server.sql("SELECT count(*) FROM upload WHERE state = 'received'"))
        print(json.dumps(figures, indent=1))
    finally:
        service.stop()
        server.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
