"""Restores a database to a point in time: a base backup and the archive of the WAL, with the scripts of deploy/patroni.

    python3 restore.py --program PATH

Revisions 1 and 2 are published after the backup, then the moment is noted, then a mistake is made. The restored database has revision 2
and not the mistake; clients that hold revision 3 start over by themselves.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"))
from machines import run_as_postgres  # noqa: E402
from one_machine import HERE, Topology, postgres_programs  # noqa: E402

from workload import five_steps, request  # noqa: E402

KEY = "restore-test-key-000000000000000000000000"


class Server:
    """A PostgreSQL server with a WAL archive, on a socket in its folder."""

    def __init__(self, folder, archive, programs):
        self.folder, self.archive, self.programs = folder, archive, programs
        self.url = f"postgresql://postgres@/postgres?host={folder}"

    def run(self, program, *arguments):
        command = run_as_postgres.command([str(self.programs / program), *map(str, arguments)])
        environment = {**os.environ, "WAL_ARCHIVE": str(self.archive), "PATH": f"{HERE / 'patroni'}:{os.environ['PATH']}"}
        subprocess.run(command, check=True, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd="/")

    def make_folder(self):
        self.folder.mkdir()
        run_as_postgres.own(self.folder)

    def create(self):
        self.make_folder()
        self.run("initdb", "--auth=trust", "--username=postgres", "--pgdata", self.folder / "data")
        self.configure("archive_mode = on", "archive_command = 'archive-wal \"%p\" \"%f\"'")

    def configure(self, *lines):
        with open(self.folder / "data" / "postgresql.conf", "a") as file:
            file.write("\n".join(["listen_addresses = ''", f"unix_socket_directories = '{self.folder}'", *lines, ""]))

    def start(self):
        self.run("pg_ctl", "--wait", "--pgdata", self.folder / "data", "--log", self.folder / "log", "start")

    def stop(self):
        self.run("pg_ctl", "--wait", "--pgdata", self.folder / "data", "--mode=fast", "stop")

    def sql(self, text):
        return subprocess.run(
            [str(self.programs / "psql"), "-XAt", "-v", "ON_ERROR_STOP=1", self.url, "-c", text], check=True,
            capture_output=True, text=True).stdout.strip()


class Service:
    """A node and a worker on a database."""

    def __init__(self, program, url, folder, port):
        self.program, self.address = program, f"http://127.0.0.1:{port}"
        self.environment = {**os.environ, "VENUE_DATABASE_URL": url, "VENUE_ADMIN_KEY": KEY, "VENUE_SERVER": self.address,
                            "VENUE_KEY": KEY, "PWD": str(folder)}
        self.folder, self.port, self.processes = folder, port, []

    def start(self):
        for arguments in (["serve", "--port", str(self.port)], ["work"]):
            with open(self.folder / f"{arguments[0]}.log", "ab") as log:
                self.processes.append(subprocess.Popen(
                    [self.program, *arguments], env=self.environment, cwd=self.folder, stdout=log, stderr=log))
        Topology.wait("the node", 30, lambda: Topology.is_ready(self.address))

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(60)
        self.processes = []

    def venue(self, *arguments):
        return subprocess.run(
            [self.program, *arguments], env=self.environment, cwd=self.folder, check=True, capture_output=True, text=True).stdout


def expect(condition, text):
    if not condition:
        sys.exit(f"restore: not so: {text}")
    print(f"restore: {text}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("VENUE_PROGRAM"), required="VENUE_PROGRAM" not in os.environ)
    parser.add_argument("--port", type=int, default=18080)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that everything is stopped
    folder = pathlib.Path(tempfile.mkdtemp(prefix="venuesync-restore-"))
    folder.chmod(0o755)
    archive, programs = folder / "archive", postgres_programs()
    archive.mkdir()
    run_as_postgres.own(archive)
    old, new = Server(folder / "old", archive, programs), Server(folder / "new", archive, programs)
    running, service = [], Service(str(pathlib.Path(arguments.program).resolve()), old.url, folder, arguments.port)
    try:
        old.create()
        old.start()
        running.append(old)
        service.venue("migrate")
        # The backup is taken while the service runs.
        service.start()
        service.venue("generate", "-o", "v1.zip", "--levels", "2", "--units", "12")
        service.venue("generate", "-o", "v2.zip", "--next-of", "v1.zip", "--edit", "rename=3")
        new.make_folder()
        old.run("pg_basebackup", "--dbname", old.url, "--pgdata", new.folder / "data", "--wal-method=none",
                "--checkpoint=fast", "--no-manifest")
        service.venue("push", "v1.zip", "--to", "mall", "--new")
        service.venue("push", "v2.zip", "--to", "mall")
        good = json.loads(request(service.address, "GET", "/venues/mall", None, KEY)[2])
        time.sleep(1)
        moment = old.sql("SELECT now()")
        time.sleep(1)
        service.venue("rollback", "mall", "1", "--message", "a mistake")
        client = Phone("mall", service)
        client.sync()
        expect(client.held["revision"] == 3, "a client holds revision 3, which will be lost")
        service.stop()
        old.sql("SELECT pg_switch_wal()")
        Topology.wait("the archive of the WAL", 30, lambda: old.sql(
            "SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'") == "0")
        old.stop()
        running.remove(old)

        (new.folder / "data" / "recovery.signal").touch()
        run_as_postgres.own(new.folder / "data" / "recovery.signal")
        new.configure("archive_mode = off", "restore_command = 'restore-wal \"%f\" \"%p\"'", f"recovery_target_time = '{moment}'",
                      "recovery_target_action = promote")
        new.start()
        running.append(new)
        Topology.wait("the end of the recovery", 60, lambda: new.sql("SELECT pg_is_in_recovery()") == "f")
        service.environment["VENUE_DATABASE_URL"] = new.url
        service.start()
        restored = json.loads(request(service.address, "GET", "/venues/mall", None, KEY)[2])
        expect((restored["head"], restored["digest"]) == (2, good["digest"]), "the restored venue is at revision 2, as before the mistake")
        client.sync()
        expect(client.held["revision"] == 2 and client.lost == 1, "the client got 410, started over, and holds revision 2")
        service.venue("push", "v1.zip", "--to", "mall")
        client.sync()
        expect(client.held["revision"] == 3, "the next revision is 3 again, and the client has it")
    finally:
        service.stop()
        for server in running:
            server.stop()
    shutil.rmtree(folder)


class Phone(five_steps.Client):
    """A client of the five steps that counts how often it had to start over."""

    def __init__(self, venue, service):
        super().__init__(venue, self.get)
        self.service, self.lost = service, 0

    def get(self, path, query):
        status, headers, body = request(self.service.address, "GET", f"{path}?{urllib.parse.urlencode(query)}", None, KEY)
        self.lost += status == 410
        return status, headers, body, False


if __name__ == "__main__":
    main()
