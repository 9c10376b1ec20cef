#!/usr/bin/env python3
"""Lays the whole topology out on one machine, for tests and to try it: three database machines (etcd, Patroni, PostgreSQL), two
application machines (HAProxy, `venue serve`, `venue work`) and a proxy (nginx).

    deploy/one_machine.py [--folder FOLDER] [--network ports|namespaces] [--program PATH]

Every "machine" has an address of its own: 127.0.77.11 and so on, or, with `--network namespaces` (as root on Linux), a network
namespace, so that machines can be cut off from each other. Configuration files are those of this folder. Needs Debian's packages
postgresql, patroni, etcd-server, haproxy and nginx-light or nginx. Runs until it is interrupted, then everything is stopped.
"""

import argparse
import base64
import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from machines import Machine, Namespaces, Ports, run_as_postgres  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DATABASES, APPLICATIONS = ("db1", "db2", "db3"), ("app1", "app2")
PATRONI_PORT, NODE_PORT, PROXY_PORT = 8008, 8080, 8000


def find(program, *folders):
    path = shutil.which(program, path=os.pathsep.join([os.environ["PATH"], "/usr/sbin", *map(str, folders)]))
    if path is None:
        sys.exit(f"one_machine: {program} is not installed")
    return path


def postgres_programs():
    """The folder of PostgreSQL's newest programs."""
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    if not folders:
        sys.exit("one_machine: PostgreSQL is not installed")
    return folders[-1]


class Topology:
    def __init__(self, folder, program, network="ports", disk_megabytes=None, log_level="notice",
                 slow_disk=None):
        """`disk_megabytes` puts the data of each database machine on a small disk of its own in memory (as root). `slow_disk` is a
        library that can slow down PostgreSQL's disk."""
        self.folder, self.program = pathlib.Path(folder).resolve(), str(pathlib.Path(program).resolve())
        self.disk_megabytes, self.log_level, self.slow_disk = disk_megabytes, log_level, slow_disk
        self.postgres = postgres_programs()
        # Patroni before 3.0.3, which Debian 12 has, overwrites the leader's key of etcd v3 without a comparison: a primary that was
        # cut off becomes the primary again and discards what was committed meanwhile. With the interface of etcd v2 it compares.
        version = subprocess.run([find("patroni"), "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        self.uses_etcd_v2 = [int(part) for part in version.split(".")[:3]] < [3, 0, 3]
        self.admin_key, self.password = secrets.token_hex(24), secrets.token_hex(16)
        self.network = Namespaces() if network == "namespaces" else Ports()
        self.machines = {}
        for number, name in enumerate(DATABASES + APPLICATIONS + ("proxy",)):
            self.machines[name] = Machine(name, self.network.add(name, 11 + number), self.network, self.folder)
        self.databases = [self.machines[name] for name in DATABASES]
        self.applications = [self.machines[name] for name in APPLICATIONS]
        self.proxy = self.machines["proxy"]

    # Addresses --------------------------------------------------------------------------------------------------------

    @property
    def address(self):
        return f"http://{self.proxy.address}:{PROXY_PORT}"

    @property
    def node_addresses(self):
        return [f"http://{machine.address}:{NODE_PORT}" for machine in self.applications]

    def database_url(self, machine, port=5432):
        return f"postgresql://venuesync:{self.password}@{machine.address}:{port}/venuesync?sslmode=disable"

    def leader(self):
        """The machine whose Patroni says that it is the primary; None if there is none."""
        for machine in self.databases:
            if self.patroni_status(machine, "/primary") == 200:
                return machine
        return None

    def patroni_status(self, machine, path):
        try:
            with urllib.request.urlopen(f"http://{machine.address}:{PATRONI_PORT}{path}", timeout=2) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    # Start ------------------------------------------------------------------------------------------------------------

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        (self.folder / "wal-archive").mkdir(exist_ok=True)
        run_as_postgres.own(self.folder / "wal-archive")
        for machine in self.databases:
            self.start_database(machine)
        self.wait("a primary", 180, self.leader)
        self.wait("a synchronous standby", 180, self.has_synchronous_standby)
        self.wait("the database", 30, self.migrate)
        for machine in self.applications:
            self.start_application(machine)
        self.start_proxy()
        for address in self.node_addresses + [self.address]:
            self.wait(f"{address}/ready", 60, lambda: self.is_ready(address))

    @staticmethod
    def wait(what, seconds, condition):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if result := condition():
                return result
            time.sleep(0.3)
        raise TimeoutError(f"{what}: not within {seconds} seconds")

    @staticmethod
    def is_ready(address):
        try:
            with urllib.request.urlopen(address + "/ready", timeout=3) as response:
                return response.status == 200
        except OSError:
            return False

    def has_synchronous_standby(self):
        """Whether Patroni has chosen a synchronous standby of this primary, and would promote it. etcd knows; members answer
        `/synchronous` from what they read in their last round, so for two seconds after a restart of the primary they are wrong."""
        leader, choice = self.leader(), self.synchronous_choice()
        return bool(leader) and choice.get("leader") == leader.name and any(
            machine.name in (choice.get("sync_standby") or "").split(",") and self.patroni_status(machine, "/synchronous") == 200
            for machine in self.databases)

    def synchronous_choice(self):
        """What Patroni has stored about the synchronous standby; nothing if no member of etcd answers."""
        key = "/service/venuesync/sync"
        for machine in self.databases:
            address = f"http://{machine.address}:2379"
            try:
                if self.uses_etcd_v2:
                    with urllib.request.urlopen(f"{address}/v2/keys{key}?quorum=true", timeout=2) as response:
                        return json.loads(json.load(response)["node"]["value"])
                body = json.dumps({"key": base64.b64encode(key.encode()).decode()}).encode()
                with urllib.request.urlopen(f"{address}/v3/kv/range", body, timeout=2) as response:
                    return json.loads(base64.b64decode(json.load(response)["kvs"][0]["value"]))
            except (OSError, KeyError, ValueError):
                continue
        return {}

    def start_database(self, machine):
        """etcd and Patroni; Patroni starts PostgreSQL."""
        machine.make_disk(self.disk_megabytes)
        members = ",".join(f"{other.name}=http://{other.address}:2380" for other in self.databases)
        client, peer = f"http://{machine.address}:2379", f"http://{machine.address}:2380"
        machine.start(
            "etcd", [
                find("etcd"), "--name", machine.name, "--data-dir", str(machine.folder / "etcd"),
                "--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
                "--initial-advertise-peer-urls", peer, "--initial-cluster", members, "--initial-cluster-token", "venuesync",
                "--heartbeat-interval", "200", "--election-timeout", "2000", "--auto-compaction-retention", "1h",
                "--log-level", "warn", *(["--enable-v2"] if self.uses_etcd_v2 else [])], environment={"ETCD_UNSUPPORTED_ARCH": os.uname().machine})
        data = machine.disk / "data"
        # The servers would share the folder for sockets, so each gets its own.
        text = (HERE / "patroni" / "patroni.yml").read_text()
        configuration = machine.folder / "patroni.yml"
        local = f"unix_socket_directories: {machine.disk}\n    "
        if self.disk_megabytes:
            # PostgreSQL keeps up to 1 GB of WAL otherwise.
            local += f"max_wal_size: {self.disk_megabytes // 4}MB\n    "
        configuration.write_text(text.replace("password_encryption", f"{local}password_encryption"))
        patroni = [find("patroni"), str(configuration)]
        machine.start("patroni", patroni, as_postgres=True, environment={
            "PATH": f"{HERE / 'patroni'}:{self.postgres}:{os.environ['PATH']}",
            "PATRONI_NAME": machine.name,
            "PATRONI_RESTAPI_LISTEN": f"{machine.address}:{PATRONI_PORT}",
            "PATRONI_RESTAPI_CONNECT_ADDRESS": f"{machine.address}:{PATRONI_PORT}",
            "PATRONI_POSTGRESQL_LISTEN": f"{machine.address}:5432",
            "PATRONI_POSTGRESQL_CONNECT_ADDRESS": f"{machine.address}:5432",
            "PATRONI_POSTGRESQL_DATA_DIR": str(data),
            "PATRONI_POSTGRESQL_BIN_DIR": str(machine.postgres_with_faults(self.postgres, self.slow_disk)),
            "PATRONI_POSTGRESQL_PGPASS": str(machine.disk / "pgpass"),
            f"PATRONI_ETCD{'' if self.uses_etcd_v2 else '3'}_HOSTS": ",".join(
                f"{other.address}:2379" for other in self.databases),
            "PATRONI_SUPERUSER_USERNAME": "postgres", "PATRONI_SUPERUSER_PASSWORD": self.password,
            "PATRONI_REPLICATION_USERNAME": "replication", "PATRONI_REPLICATION_PASSWORD": self.password,
            "VENUE_DATABASE_PASSWORD": self.password, "WAL_ARCHIVE": str(self.folder / "wal-archive")})

    def migrate(self):
        leader = self.leader()
        if leader is None:
            return False
        outcome = subprocess.run(
            leader.command([self.program, "migrate"]), capture_output=True, text=True,
            env={**os.environ, "VENUE_DATABASE_URL": self.database_url(leader)})
        return outcome.returncode == 0

    def start_application(self, machine):
        machine.start("haproxy", [find("haproxy"), "-db", "-f", str(HERE / "haproxy" / "haproxy.cfg")], environment={
            "LISTEN_ADDRESS": machine.address,
            **{name.upper(): self.machines[name].address for name in DATABASES}})
        environment = {
            # A primary that was replaced is a standby for some checks of HAProxy, with commits that no other server has.
            "VENUE_DATABASE_URL": self.database_url(machine) + "&target_session_attrs=primary", "VENUE_ADMIN_KEY": self.admin_key,
            "VENUE_LOG_LEVEL": self.log_level, "VENUE_READ_DATABASE_URL": self.database_url(machine, 5433),
            "VENUE_TRUSTED_PROXIES": "1", "VENUE_DRAIN_SECONDS": "3", "VENUE_UNCONFIRMED_SECONDS": "60"}
        serve = [self.program, "serve", "--host", machine.address, "--port", str(NODE_PORT)]
        machine.start("serve", serve, environment=environment)
        machine.start("work", [self.program, "work"], environment=environment)

    def start_proxy(self):
        cache = self.proxy.folder / "cache"
        cache.mkdir(parents=True, exist_ok=True)
        text = (HERE / "nginx" / "nginx.conf.template").read_text()
        values = {"LISTEN": f"{self.proxy.address}:{PROXY_PORT}", "CACHE": str(cache)}
        values.update({name.upper(): self.machines[name].address for name in APPLICATIONS})
        for name, value in values.items():
            text = text.replace("${%s}" % name, value)
        if os.geteuid() == 0:
            text = "user root;\n" + text
        (self.proxy.folder / "nginx.conf").write_text(text)
        self.proxy.start("nginx", [find("nginx"), "-e", "stderr", "-p", str(cache), "-c", str(self.proxy.folder / "nginx.conf")])

    def stop(self):
        for machine in reversed(list(self.machines.values())):
            machine.stop()
        for machine in self.machines.values():
            machine.remove()
        self.network.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--folder", help="where data and logs are kept; a temporary folder by default")
    parser.add_argument("--network", choices=["ports", "namespaces"], default="ports")
    parser.add_argument("--program", default=os.environ.get("VENUE_PROGRAM") or shutil.which("venue") or "venue")
    arguments = parser.parse_args()
    folder = arguments.folder or tempfile.mkdtemp(prefix="venuesync-")
    topology = Topology(folder, arguments.program, arguments.network)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    try:
        topology.start()
        print(f"VenueSync is at {topology.address}; its nodes are at {', '.join(topology.node_addresses)}")
        print(f"Admin key: {topology.admin_key}")
        print(f"Logs: {folder}/*/*.log; the primary is {topology.leader().name}", flush=True)
        signal.pause()
    finally:
        topology.stop()


if __name__ == "__main__":
    main()
