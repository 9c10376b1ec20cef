"""The machines of deploy/one_machine.py: processes that are restarted when they end, with an address of their own."""

import collections
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time


class run_as_postgres:
    """PostgreSQL refuses root. Root starts it as the user that Debian creates for it; others start it as themselves."""

    @staticmethod
    def own(path):
        if os.geteuid() == 0:
            shutil.chown(path, "postgres", "postgres")

    @staticmethod
    def command(arguments):
        if os.geteuid() != 0:
            return arguments
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *arguments]


class Ports:
    """One address of the loopback interface for each machine. Machines cannot be cut off from each other."""

    can_partition = False

    def add(self, name, number):
        return f"127.0.77.{number}"

    def command(self, name, arguments):
        return arguments

    def remove(self):
        pass


class Namespaces:
    """One network namespace for each machine, all on one bridge. Needs root."""

    can_partition = True

    def __init__(self):
        self.prefix = f"v{os.getpid()}"
        self.names = []
        self.cuts, self.lock = collections.Counter(), threading.Lock()
        self.ip("link", "add", self.bridge, "type", "bridge")
        self.ip("addr", "add", "10.77.0.1/24", "dev", self.bridge)
        self.ip("link", "set", self.bridge, "up")

    @property
    def bridge(self):
        return f"{self.prefix}br"[:15]

    @staticmethod
    def ip(*arguments):
        subprocess.run(["ip", *arguments], check=True)

    def add(self, name, number):
        namespace, link = f"{self.prefix}-{name}", f"{self.prefix}{name}"[:15]
        self.ip("netns", "add", namespace)
        self.names.append(namespace)
        self.ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", namespace)
        self.ip("link", "set", link, "master", self.bridge, "up")
        self.ip("-n", namespace, "addr", "add", f"10.77.0.{number}/24", "dev", "eth0")
        self.ip("-n", namespace, "link", "set", "lo", "up")
        self.ip("-n", namespace, "link", "set", "eth0", "up")
        return f"10.77.0.{number}"

    def command(self, name, arguments):
        return ["ip", "netns", "exec", f"{self.prefix}-{name}", *arguments]

    def cut(self, first, second):
        """Drops everything that two machines send to each other, without an answer, as a failed switch does."""
        self.change(first, second, "add")

    def mend(self, first, second):
        """Undoes one cut. If two machines were cut off from each other twice, they stay so until the second one is undone."""
        self.change(first, second, "del")

    def change(self, first, second, action):
        pair = frozenset((first.name, second.name))
        with self.lock:
            before = self.cuts[pair]
            self.cuts[pair] += 1 if action == "add" else -1
            if before and self.cuts[pair]:
                return
            for machine, other in ((first, second), (second, first)):
                self.ip("-n", f"{self.prefix}-{machine.name}", "route", action, "blackhole", f"{other.address}/32")

    def remove(self):
        for namespace in self.names:
            subprocess.run(["ip", "netns", "delete", namespace], check=False)
        subprocess.run(["ip", "link", "delete", self.bridge], check=False)


class Process:
    """A program that is started again one second after it has ended, as systemd would."""

    def __init__(self, name, command, environment, log):
        self.name, self.command, self.environment, self.log = name, command, environment, log
        self.child, self.is_wanted, self.lock = None, True, threading.Lock()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while self.is_wanted:
            with self.lock:
                if not self.is_wanted:
                    return
                with open(self.log, "ab") as log:
                    self.child = subprocess.Popen(
                        self.command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                        start_new_session=True)
            self.child.wait()
            if self.is_wanted:
                time.sleep(1)

    @property
    def pid(self):
        return self.child.pid if self.child and self.child.poll() is None else None

    def signal(self, number):
        if self.pid:
            os.kill(self.pid, number)


class Machine:
    def __init__(self, name, address, network, folder):
        self.name, self.address, self.network = name, address, network
        self.folder = pathlib.Path(folder) / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.disk, self.is_mounted = self.folder / "disk", False
        self.processes, self.starts = {}, {}

    def command(self, arguments):
        return self.network.command(self.name, arguments)

    def make_disk(self, megabytes):
        self.disk.mkdir(exist_ok=True)
        if megabytes and not self.is_mounted:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(self.disk)], check=True)
            self.is_mounted = True
        run_as_postgres.own(self.disk)

    def start(self, name, arguments, environment=None, as_postgres=False):
        command = run_as_postgres.command(arguments) if as_postgres else arguments
        self.starts[name] = (self.command(command), {**os.environ, **(environment or {})})
        self.launch(name)

    def launch(self, name):
        command, environment = self.starts[name]
        self.processes[name] = Process(name, command, environment, self.folder / f"{name}.log")

    # The clock and the disk of PostgreSQL -----------------------------------------------------------------------------

    LIBRARIES = list(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    has_clock = bool(LIBRARIES)

    def postgres_with_faults(self, programs, slow_disk=None):
        """A folder with PostgreSQL's programs. If libfaketime is installed, the wall clock of its `postgres` can be stepped; the
        monotonic clock goes on. Patroni cannot be run with the library: Python's `sleep` fails then. `slow_disk` is the library of
        Tests/Topology/slow_disk.c."""
        libraries = [*map(str, self.LIBRARIES[:1]), *([str(slow_disk)] if slow_disk else [])]
        if not libraries:
            return programs
        self.step_clock(0)
        (self.folder / "delay").write_bytes(bytes(4))
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        for program in programs.iterdir():
            if program.name != "postgres" and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)
        (folder / "postgres").write_text(
            f"#!/bin/sh\nexport LD_PRELOAD={':'.join(libraries)} FAKETIME_TIMESTAMP_FILE={self.folder}/clock\n"
            f"export FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1 SLOW_DISK={self.folder}/delay\n"
            f'exec {programs}/postgres "$@"\n')
        (folder / "postgres").chmod(0o755)
        return folder

    def step_clock(self, seconds):
        path = self.folder / "clock"
        temporary = path.with_suffix(".new")
        temporary.write_text(f"{seconds:+d}\n")
        temporary.chmod(0o644)
        temporary.rename(path)

    def slow_disk(self, seconds):
        """Makes every flush of PostgreSQL's files take so much longer. The file is mapped by its processes, so it is not replaced."""
        with open(self.folder / "delay", "r+b") as file:
            file.write(int(seconds * 1e6).to_bytes(4, sys.byteorder))

    # Faults -----------------------------------------------------------------------------------------------------------

    @property
    def postmaster(self):
        try:
            pid = int((self.disk / "data" / "postmaster.pid").read_text().split()[0])
            return pid if b"postgres" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() else None
        except (OSError, ValueError, IndexError):
            return None

    @staticmethod
    def tree(roots):
        """These processes with all their descendants."""
        children = {}
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                except (OSError, IndexError, ValueError):
                    continue
                children.setdefault(parent, []).append(int(entry.name))
        pids, queue = [], [pid for pid in roots if pid]
        while queue:
            pid = queue.pop()
            if pid not in pids:
                pids.append(pid)
                queue += children.get(pid, [])
        return pids

    def signal_tree(self, root, number):
        self.send(number, self.tree([root]))

    def signal_all(self, number):
        """PostgreSQL is not a child of Patroni."""
        self.send(number, self.tree([self.postmaster, *(process.pid for process in self.processes.values())]))

    @staticmethod
    def send(number, pids):
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def power_off(self):
        """Ends all processes at once, without any chance to clean up."""
        for process in self.processes.values():
            process.is_wanted = False
        self.signal_all(signal.SIGSTOP)
        self.signal_all(signal.SIGKILL)

    def power_on(self):
        for process in self.processes.values():
            process.thread.join(10)
        for name in list(self.processes):
            self.launch(name)

    def fill_disk(self):
        """Uses the whole disk up, except for a page."""
        try:
            with open(self.disk / "ballast", "wb") as file:
                while True:
                    file.write(bytes(1 << 16))
                    file.flush()
        except OSError:
            pass

    def empty_disk(self):
        (self.disk / "ballast").unlink(missing_ok=True)

    def stop(self):
        for process in self.processes.values():
            process.is_wanted = False
        self.signal_all(signal.SIGCONT)
        for process in self.processes.values():
            process.signal(signal.SIGTERM)
        for process in self.processes.values():
            process.thread.join(5)
        self.power_off()

    def remove(self):
        if self.is_mounted:
            time.sleep(0.2)
            subprocess.run(["umount", "--lazy", str(self.disk)], check=False)
            self.is_mounted = False
