"""What many venues cost a node: start, memory, statements and times of `GET /venues` and of `sync` over all venues, and one upload.

    python3 many_venues.py --program PATH [--program PATH …] [--venues 10,1000,10000] [--levels 2] [--units 12]
        [--folder FOLDER --prepare | --folder FOLDER]

One venue is published; its rows are copied in the database under other keys, because this takes a minute where ten thousand uploads take
ten (`venue generate --venues 10000` makes such uploads, with venues that differ). Times are of one run each, after a run that is not
counted where it says warm; those of the first request of a node are cold. Statements are those that PostgreSQL counts, without the polls
of the node. Of several programs, the oldest comes first and the newest last. With --folder, the databases are prepared once and measured later.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

from restore import KEY, Server, Service, postgres_programs, run_as_postgres
from workload import request

COPY = """
BEGIN;
CREATE TEMPORARY TABLE copy AS SELECT number FROM generate_series(1, {count}) AS number;
INSERT INTO venue (key, head, epoch, public, catalogue_index, change_number, time_zone, time_zone_source)
    SELECT 'venue-' || number, head, epoch + number, public, catalogue_index + number, change_number + number, time_zone,
        time_zone_source FROM venue, copy WHERE key = 'mall';
{revisions}
COMMIT;
VACUUM ANALYZE;
"""

# Copies what a revision of the first venue added to all others, and raises all heads.
REVISIONS = """
UPDATE feature_version AS version SET to_revision = {number} FROM venue AS target, feature_version AS old, venue
    WHERE venue.key = 'mall' AND old.venue_id = venue.id AND old.to_revision = {number} AND target.key LIKE 'venue-%'
        AND version.venue_id = target.id AND version.feature_id = old.feature_id AND version.from_revision = old.from_revision;
INSERT INTO feature_version (venue_id, feature_id, from_revision, feature_type, level_id, touches, depth, ordinal, body_sha256, body)
    SELECT target.id, feature_id, from_revision, feature_type, level_id, touches, depth, ordinal, body_sha256, body
    FROM venue AS target, feature_version JOIN venue ON venue.id = venue_id AND venue.key = 'mall'
    WHERE target.key LIKE 'venue-%' AND from_revision = {number} ORDER BY target.id, feature_id;  -- as imports write them
INSERT INTO level_state (venue_id, revision, level_id, digest, features, bytes)
    SELECT target.id, revision, level_id, digest, features, bytes
    FROM venue AS target, level_state JOIN venue ON venue.id = venue_id AND venue.key = 'mall'
    WHERE target.key LIKE 'venue-%' AND revision = {number};
INSERT INTO revision (venue_id, number, kind, author, published_at, features, digest, manifest, file_names, venue_feature_id, language,
        country, facts, changes, position, chain_hash)
    SELECT target.id, number, kind, author, published_at, features, digest, manifest, file_names, venue_feature_id, language,
        country, facts, changes, catalogue.position + row_number() OVER (), sha256((target.id || '/' || number)::bytea)
    FROM catalogue, revision JOIN venue ON venue.id = revision.venue_id AND venue.key = 'mall'
        JOIN venue AS target ON target.key LIKE 'venue-%' WHERE revision.number = {number};
INSERT INTO catalogue_position (position, chain_hash) SELECT position, chain_hash FROM revision ON CONFLICT DO NOTHING;
WITH numbered AS (SELECT id, row_number() OVER () AS number FROM venue WHERE key LIKE 'venue-%')
UPDATE venue SET head = {number}, change_number = catalogue.change_number + numbered.number
    FROM catalogue, numbered WHERE venue.id = numbered.id;
UPDATE catalogue SET position = (SELECT max(position) FROM revision), change_number = (SELECT max(change_number) FROM venue),
    chain_hash = (SELECT chain_hash FROM revision ORDER BY position DESC LIMIT 1);
"""

STATEMENTS = """SELECT coalesce(sum(calls), 0) FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
    WHERE datname = '{database}' AND query NOT LIKE '%key_change_number%' AND query NOT LIKE '%server_timeline%'
        AND query NOT LIKE '%pg_stat_statements%' AND query ~ '(FROM|INTO|UPDATE)'"""


def distribution(times):
    """Milliseconds: the median, that of 99 of 100, and the longest."""
    times = sorted(times)
    return {name: round(1000 * times[math.ceil(part * len(times)) - 1], 1)
            for name, part in (("median", 0.5), ("99 of 100", 0.99), ("longest", 1))}


class Node:
    def __init__(self, program, server, folder, port, database):
        self.server, self.database = server, database
        url = f"postgresql://postgres@/{database}?host={server.folder}"
        self.service = Service(str(pathlib.Path(program).resolve()), url, folder, port)

    def statements(self):
        return int(self.server.sql(STATEMENTS.format(database=self.database)))

    def get(self, path):
        """Seconds, statements and the body."""
        count, begin = self.statements(), time.perf_counter()
        status, _, body = request(self.service.address, "GET", path, None, KEY, timeout=600)
        seconds = time.perf_counter() - begin
        assert status == 200, body[:300]
        return seconds, self.statements() - count, body

    def pages(self, path, following):
        """Figures of a pass over all pages, and the last document."""
        times, statements, size, document = [], 0, 0, None
        while path:
            seconds, count, body = self.get(path)
            times.append(seconds)
            statements, size = statements + count, size + len(body)
            document = json.loads(body)
            path = following(document)
        return {"seconds": round(sum(times), 2), "statements": statements, "pages": len(times), "MB": round(size / 1e6, 1),
                "ms for each page": distribution(times)}, document

    def sync(self, cursor=None):
        return self.pages("/sync?limit=50000" + (f"&since={cursor}" if cursor else ""),
                          lambda page: None if page["complete"] else f"/sync?limit=50000&since={page['cursor']}")

    def memory(self, name="VmRSS:"):
        text = pathlib.Path(f"/proc/{self.service.processes[0].pid}/status").read_text()
        return next(int(line.split()[1]) // 1024 for line in text.splitlines() if line.startswith(name))

    def warm(self, path):
        return round(1000 * min(self.get(path)[0] for _ in range(3)), 1)

    def polls(self, path, count=1_000):
        """Times of polls without changes, each on a new connection."""
        times = []
        for _ in range(count):
            begin = time.perf_counter()
            status, _, body = request(self.service.address, "GET", path, None, KEY)
            times.append(time.perf_counter() - begin)
            assert status == 200, body[:300]
        return distribution(times)

    def measure(self, archive):
        begin = time.perf_counter()
        self.service.start()
        figures = {"seconds until /ready": round(time.perf_counter() - begin, 2), "MB after the start": self.memory()}
        figures["GET /venues"] = self.pages("/venues", lambda page: page.get("next"))[0]
        figures["GET /venues, first page, warm: ms"] = self.warm("/venues")
        figures["GET /sync from nothing"], document = self.sync()
        cursor = document["cursor"]
        figures["GET /sync without changes: ms"] = self.polls(f"/sync?since={cursor}")
        figures["GET /sync from nothing, again"] = self.sync()[0]
        # Every venue changes.
        self.service.venue("push", archive, "--to", "mall")
        script = self.service.folder / "revision.sql"
        script.write_text(f"BEGIN; {REVISIONS.format(number=2)} COMMIT;")
        self.server.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", self.service.environment["VENUE_DATABASE_URL"], "-f", script)
        time.sleep(2)  # for the poll of the node
        figures["GET /sync, every venue changed"] = self.sync(cursor)[0]
        begin = time.perf_counter()
        self.service.venue("push", "v1.zip", "--to", "mall")
        figures["venue push of one small archive: seconds"] = round(time.perf_counter() - begin, 2)
        figures["MB at most"] = self.memory("VmHWM:")
        return figures


def prepare(server, folder, arguments):
    server.create()
    server.configure("archive_mode = off", "fsync = off", "max_wal_size = 4GB", "shared_buffers = 512MB",
                     "shared_preload_libraries = 'pg_stat_statements'", "pg_stat_statements.max = 20000")
    server.start()
    first = Node(arguments.program[0], server, folder, arguments.port, "postgres").service
    first.venue("migrate")
    first.start()
    first.venue("generate", "-o", "v1.zip", "--levels", str(arguments.levels), "--units", str(arguments.units))
    first.venue("generate", "-o", "v2.zip", "--next-of", "v1.zip", "--edit", "rename=3")
    first.venue("push", "v1.zip", "--to", "mall", "--new")
    first.stop()
    server.sql("CREATE EXTENSION pg_stat_statements")
    for count in arguments.venues:
        server.sql(f"CREATE DATABASE many_{count} TEMPLATE postgres")
        script = folder / "copy.sql"
        script.write_text(COPY.format(count=count - 1, revisions=REVISIONS.format(number=1)))
        url = f"postgresql://postgres@/many_{count}?host={server.folder}"
        server.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", url, "-f", script)
        for index in range(len(arguments.program)):
            server.sql(f"CREATE DATABASE many_{count}_{index} TEMPLATE many_{count}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("--venues", type=lambda text: [int(part) for part in text.split(",")], default=[10, 1_000, 10_000])
    parser.add_argument("--levels", type=int, default=2)
    parser.add_argument("--units", type=int, default=12)
    parser.add_argument("--port", type=int, default=18081)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--prepare", action="store_true")
    arguments = parser.parse_args()
    arguments.program = arguments.program or [os.environ["VENUE_PROGRAM"]]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that everything is stopped
    folder = arguments.folder or pathlib.Path(tempfile.mkdtemp(prefix="venuesync-many-"))
    isNew = arguments.prepare or not arguments.folder
    if isNew:
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
        (folder / "archive").mkdir()
        run_as_postgres.own(folder / "archive")
    server = Server(folder / "server", folder / "archive", postgres_programs())
    try:
        if isNew:
            prepare(server, folder, arguments)
        else:
            server.start()
        for count in [] if arguments.prepare else arguments.venues:
            for index, program in enumerate(arguments.program):
                node = Node(program, server, folder, arguments.port, f"many_{count}_{index}")
                if program == arguments.program[-1]:
                    node.service.venue("migrate")
                try:
                    print(json.dumps({"venues": count, "program": program, **node.measure("v2.zip")}, indent=1), flush=True)
                finally:
                    node.service.stop()
    finally:
        server.stop()
        if not arguments.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
