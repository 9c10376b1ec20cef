"""What many venues cost a node: start, memory, `GET /venues`, `sync` over all venues, and one upload.

    python3 many_venues.py --program PATH [--venues 10000] [--levels 2] [--units 12]

One venue is published; its rows are copied in the database under other keys, because ten thousand uploads would take an hour. Times are
of one run each, after a run that is not counted where it says warm.
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

from restore import KEY, Server, Service, Topology, postgres_programs, run_as_postgres
from workload import request

COPY = """
BEGIN;
CREATE TEMPORARY TABLE copy AS SELECT number FROM generate_series(1, {count}) AS number;
INSERT INTO venue (key, head, epoch, public, catalogue_index, change_number, time_zone, time_zone_source)
    SELECT 'venue-' || number, head, epoch + number, public, catalogue_index + number, change_number + number, time_zone,
        time_zone_source FROM venue, copy WHERE key = 'mall';
INSERT INTO revision (venue_id, number, kind, author, published_at, features, digest, manifest, file_names, venue_feature_id, language,
        country, facts, changes, position, chain_hash)
    SELECT target.id, r.number, kind, author, published_at, features, digest, manifest, file_names, venue_feature_id, language,
        country, facts, changes, {head} * copy.number + r.number, sha256((copy.number || '/' || r.number)::bytea)
    FROM revision AS r JOIN venue ON venue.id = r.venue_id AND venue.key = 'mall', copy
        JOIN venue AS target ON target.key = 'venue-' || copy.number;
INSERT INTO feature_version (venue_id, feature_id, from_revision, feature_type, level_id, touches, depth, ordinal, body_sha256, body)
    SELECT target.id, feature_id, from_revision, feature_type, level_id, touches, depth, ordinal, body_sha256, body
    FROM venue AS target, feature_version JOIN venue ON venue.id = venue_id AND venue.key = 'mall' WHERE target.key LIKE 'venue-%';
INSERT INTO level_state (venue_id, revision, level_id, digest, features, bytes)
    SELECT target.id, revision, level_id, digest, features, bytes
    FROM venue AS target, level_state JOIN venue ON venue.id = venue_id AND venue.key = 'mall' WHERE target.key LIKE 'venue-%';
INSERT INTO catalogue_position (position, chain_hash) SELECT position, chain_hash FROM revision ON CONFLICT DO NOTHING;
UPDATE catalogue SET position = (SELECT max(position) FROM revision), change_number = change_number + {count},
    chain_hash = (SELECT chain_hash FROM revision ORDER BY position DESC LIMIT 1);
COMMIT;
VACUUM ANALYZE;
"""


def timed(service, path):
    begin = time.perf_counter()
    status, _, body = request(service.address, "GET", path, None, KEY, timeout=600)
    assert status == 200, body[:300]
    return time.perf_counter() - begin, body


def memory(process):
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return {line.split()[0]: int(line.split()[1]) // 1024 for line in text.splitlines() if line.startswith(("VmRSS", "VmHWM"))}


def measure(service, archive):
    begin = time.perf_counter()
    service.start()
    figures = {"seconds until /ready": round(time.perf_counter() - begin, 2), "MB after the start": memory(service.processes[0])["VmRSS:"]}
    path, count, listing, size = "/venues", 0, 0, 0
    while path:
        seconds, body = timed(service, path)
        document = json.loads(body)
        count, listing, size, path = count + len(document["venues"]), listing + seconds, size + len(body), document.get("next")
    figures["GET /venues, all pages: seconds, venues, MB"] = [round(listing, 2), count, round(size / 1e6, 1)]
    figures["GET /venues, first page, warm: ms"] = round(1000 * min(timed(service, "/venues")[0] for _ in range(3)), 1)
    cursor, total, pages = None, 0, 0
    while True:
        seconds, body = timed(service, "/sync?limit=50000" + (f"&since={cursor}" if cursor else ""))
        document = json.loads(body)
        total, pages, cursor = total + seconds, pages + 1, document["cursor"]
        if document["complete"]:
            break
    figures["GET /sync from nothing: seconds, pages"] = [round(total, 2), pages]
    figures["GET /sync without news: ms"] = round(1000 * min(timed(service, f"/sync?since={cursor}")[0] for _ in range(3)), 1)
    figures["GET /venues/mall/sync, cold: ms"] = round(1000 * timed(service, "/venues/mall/sync")[0], 1)
    begin = time.perf_counter()
    service.venue("push", archive, "--to", "mall")
    figures["venue push of one small archive: seconds"] = round(time.perf_counter() - begin, 2)
    figures["MB in the end, at most"] = memory(service.processes[0])["VmHWM:"]
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("VENUE_PROGRAM"), required="VENUE_PROGRAM" not in os.environ)
    parser.add_argument("--venues", type=int, default=10_000)
    parser.add_argument("--levels", type=int, default=2)
    parser.add_argument("--units", type=int, default=12)
    parser.add_argument("--port", type=int, default=18081)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that everything is stopped
    folder = pathlib.Path(tempfile.mkdtemp(prefix="venuesync-many-"))
    folder.chmod(0o755)
    (folder / "archive").mkdir()
    run_as_postgres.own(folder / "archive")
    server = Server(folder / "server", folder / "archive", postgres_programs())
    service = Service(str(pathlib.Path(arguments.program).resolve()), server.url, folder, arguments.port)
    server.create()
    server.configure("archive_mode = off", "fsync = off", "max_wal_size = 4GB", "shared_buffers = 512MB")
    server.start()
    try:
        service.venue("migrate")
        service.start()
        service.venue("generate", "-o", "v1.zip", "--levels", str(arguments.levels), "--units", str(arguments.units))
        service.venue("generate", "-o", "v2.zip", "--next-of", "v1.zip", "--edit", "rename=3")
        service.venue("push", "v1.zip", "--to", "mall", "--new")
        service.stop()
        print(json.dumps({"venues": 1, **measure(service, "v2.zip")}, indent=1), flush=True)
        service.stop()
        script = folder / "copy.sql"
        script.write_text(COPY.format(count=arguments.venues, head=2))
        server.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", server.url, "-f", script)
        features = server.sql("SELECT count(*), pg_size_pretty(pg_database_size(current_database())) FROM feature_version")
        print(json.dumps({"venues": arguments.venues + 1, "feature versions, size": features, **measure(service, "v1.zip")}, indent=1))
    finally:
        service.stop()
        server.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
