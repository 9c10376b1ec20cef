"""What a venue of many revisions, and one of many features, cost: reading it, polling it, one edit, and the database.

    python3 large_venues.py --program PATH [--revisions 10000] [--levels 100 --units 5000] [--folder FOLDER]

Each venue has a database of its own, which `venue generate` fills with uploads that are published as by a worker. With no revisions
or no levels, that venue is left out. Times of single requests are the best of three, those of polls are distributions.
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
import uuid

from many_venues import Node
from restore import KEY, Server, postgres_programs, run_as_postgres
from workload import request

VENUE = "/venues/venue-0000001"
SIZES = "SELECT relname, pg_relation_size(oid), pg_indexes_size(oid) FROM pg_class WHERE relkind = 'r' AND relname !~ '^pg_' ORDER BY 2 DESC LIMIT 4"


def snapshot(node, query="limit=50000"):
    return node.pages(f"{VENUE}/sync?{query}", lambda page: None if page["complete"] else f"{VENUE}/sync?{query}&since={page['cursor']}")


def edit(node):
    """The seconds of an edit of one name."""
    path, units = f"{VENUE}/sync?limit=1000", []
    while not units:
        page = json.loads(request(node.service.address, "GET", path, None, KEY, timeout=600)[2])
        units = [feature["id"] for level in page["levels"] for feature in level["features"] if feature["feature_type"] == "unit"]
        path = f"{VENUE}/sync?limit=50000&since={page['cursor']}"
    patch = {"properties": {"name": {"en": f"Room {uuid.uuid4()}"}}}
    document = {"id": str(uuid.uuid4()), "message": "edit", "edits": [{"feature": units[0], "patch": patch}]}
    begin = time.perf_counter()
    status, _, body = request(node.service.address, "POST", f"{VENUE}/edits", json.dumps(document), KEY, timeout=600)
    assert status in (200, 201), body[:300]
    return round(time.perf_counter() - begin, 2)


def measure(node):
    service = node.service
    begin = time.perf_counter()
    service.start()
    figures = {"seconds until /ready": round(time.perf_counter() - begin, 2), "MB after the start": node.memory()}
    head = json.loads(node.get(VENUE)[2])["head"]
    figures["revisions"] = head
    figures["sync from nothing"], document = snapshot(node)
    cursor = document["cursor"]
    figures["sync from nothing, again"] = snapshot(node)[0]
    figures["sync without changes: ms"] = node.polls(f"{VENUE}/sync?since={cursor}")
    if head > 1:
        for revision in (1, head // 2, head - 1):
            figures[f"snapshot of revision {revision}"], held = snapshot(node, f"limit=50000&to={revision}")
            figures[f"changes since revision {revision}"] = snapshot(node, f"limit=50000&since={held['cursor']}")[0]
        figures["newest revisions: ms"] = node.warm(f"{VENUE}/revisions?limit=100")
        figures["oldest revisions: ms"] = node.warm(f"{VENUE}/revisions?limit=100&before=101")
    figures["edits of one name: seconds"] = [edit(node) for _ in range(3)]
    figures["changes after them"] = snapshot(node, f"limit=50000&since={cursor}")[0]
    figures["MB at most"] = node.memory("VmHWM:")
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("VENUE_PROGRAM"), required="VENUE_PROGRAM" not in os.environ)
    parser.add_argument("--revisions", type=int, default=10_000)
    parser.add_argument("--levels", type=int, default=100)
    parser.add_argument("--units", type=int, default=5_000)
    parser.add_argument("--port", type=int, default=18083)
    parser.add_argument("--folder", type=pathlib.Path)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that everything is stopped
    folder = arguments.folder or pathlib.Path(tempfile.mkdtemp(prefix="venuesync-large-"))
    folder.chmod(0o755)
    (folder / "archive").mkdir()
    run_as_postgres.own(folder / "archive")
    server = Server(folder / "server", folder / "archive", postgres_programs())
    server.create()
    server.configure("archive_mode = off", "fsync = off", "max_wal_size = 1GB", "shared_buffers = 512MB",
                     "shared_preload_libraries = 'pg_stat_statements'", "pg_stat_statements.max = 20000")
    server.start()
    venues = {
        "revisions": (arguments.revisions, ["--revisions", arguments.revisions, "--levels", 2, "--units", 12]),
        "features": (arguments.levels, ["--levels", arguments.levels, "--units", arguments.units])}
    try:
        server.sql("CREATE EXTENSION pg_stat_statements")
        for name, (wanted, options) in venues.items():
            if not wanted:
                continue
            server.sql(f"CREATE DATABASE {name}")
            node = Node(arguments.program, server, folder, arguments.port, name)
            node.service.environment |= {"VENUE_ARCHIVE_ENTRY_LIMIT": "1GiB", "VENUE_ARCHIVE_TOTAL_LIMIT": "8GiB"}
            node.service.venue("migrate")
            begin = time.perf_counter()
            node.service.venue("generate", "--venues", "1", *map(str, options))
            figures = {"venue": name, "seconds to publish": round(time.perf_counter() - begin)}
            server.run("vacuumdb", "--analyze", "--host", server.folder, "--username", "postgres", name)
            try:
                figures |= measure(node)
            finally:
                node.service.stop()
            url, server.url = server.url, server.url.replace("/postgres?", f"/{name}?")
            figures["bytes: table, its indexes"] = server.sql(SIZES).splitlines()
            server.url = url
            print(json.dumps(figures, indent=1), flush=True)
    finally:
        server.stop()
        if not arguments.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
