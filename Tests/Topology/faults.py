"""The faults: each does something to the topology, and undoes it. Times are in seconds."""

import collections
import json
import random
import signal
import threading
import time
import urllib.error
import urllib.request

from one_machine import PATRONI_PORT

Kind = collections.namedtuple("Kind", "name weight area method")
"""A kind of fault. `area` is what it concerns: with `primary`, writing may be interrupted. `method` is a name of a method of Faults."""

KINDS = [
    Kind("PostgreSQL of the primary killed", 3, "primary", "kill_postgres"),
    Kind("machine of the primary lost", 3, "primary", "lose_primary"),
    Kind("machine of the primary frozen", 2, "primary", "freeze_primary"),
    Kind("Patroni of the primary frozen", 2, "primary", "freeze_patroni"),
    Kind("switch-over", 3, "primary", "switch_over"),
    Kind("machine of the synchronous standby lost", 2, "standby", "lose_standby"),
    Kind("PostgreSQL of the synchronous standby frozen", 1, "standby", "freeze_standby"),
    Kind("etcd member killed", 1, "etcd", "kill_etcd"),
    Kind("etcd frozen on all machines", 1, "etcd", "freeze_etcd"),
    Kind("node killed", 2, "application", "kill_node"),
    Kind("worker killed", 2, "application", "kill_worker"),
    Kind("worker frozen", 1, "application", "freeze_worker"),
    Kind("HAProxy killed", 1, "application", "kill_haproxy"),
    Kind("application machine lost", 2, "application", "lose_application"),
    Kind("node frozen", 1, "application", "freeze_node"),
]
PARTITIONS = [
    Kind("primary cut off from the other databases", 3, "primary", "cut_primary_off"),
    Kind("primary cut off from everything", 2, "primary", "isolate_primary"),
    Kind("primary cut off from one application machine", 1, "network", "cut_application_off"),
    Kind("two database machines cut off from each other", 2, "network", "cut_pair"),
]
CLOCK = Kind("clock of the primary stepped by an hour", 1, "primary", "step_clock")
FULL_DISK = Kind("disk of the primary full", 2, "primary", "fill_disk")
SLOW_DISKS = [
    Kind("disk of the primary slow", 2, "primary", "slow_primary"),
    Kind("disk of the synchronous standby slow", 1, "standby", "slow_standby"),
]
TWO = Kind("two at once", 5, "primary", "two")


class Faults:
    def __init__(self, topology, chooser, targets=(None, None)):
        """`targets` are the primary and the synchronous standby; those of the moment if they are not given."""
        self.topology, self.chooser, self.targets = topology, chooser, targets
        self.kinds = list(KINDS)
        if topology.network.can_partition:
            self.kinds += PARTITIONS
        if topology.databases[0].has_clock:
            self.kinds.append(CLOCK)
        if topology.disk_megabytes:
            self.kinds.append(FULL_DISK)
        if topology.slow_disk:
            self.kinds += SLOW_DISKS
        self.single = list(self.kinds)
        self.kinds.append(TWO)

    def choose(self, items):
        return self.chooser.choice(list(items))

    def next(self):
        """A random kind of fault."""
        return self.choose(kind for kind in self.kinds for _ in range(kind.weight))

    def inject(self, kind):
        """The name of what was done, when it has been undone."""
        return getattr(self, kind.method)() or kind.name

    def two(self):
        """A fault of the primary and, within the next two seconds, another one somewhere else."""
        first = self.choose(kind for kind in self.single if kind.area == "primary" for _ in range(kind.weight))
        second = self.choose(kind for kind in self.single if kind.area != "primary" for _ in range(kind.weight))
        seeds, pause = [self.chooser.getrandbits(64) for _ in range(2)], self.chooser.uniform(0, 2)
        targets, errors = (self.primary, self.standby), []

        def run(kind, seed):
            try:
                Faults(self.topology, random.Random(seed), targets).inject(kind)
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=run, args=arguments) for arguments in zip((first, second), seeds)]
        threads[0].start()
        self.wait(pause)
        threads[1].start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        return f"{first.name}, and {second.name}"

    @staticmethod
    def wait(seconds):
        time.sleep(seconds)

    @property
    def primary(self):
        while self.targets[0] is None:
            if leader := self.topology.leader():
                return leader
            time.sleep(0.2)
        return self.targets[0]

    @property
    def standby(self):
        """The synchronous standby, or any other database machine."""
        if self.targets[1]:
            return self.targets[1]
        for machine in self.topology.databases:
            if self.topology.patroni_status(machine, "/synchronous") == 200:
                return machine
        primary = self.primary
        return next(machine for machine in self.topology.databases if machine is not primary)

    # Processes --------------------------------------------------------------------------------------------------------

    def kill(self, machine, name):
        machine.processes[name].signal(signal.SIGKILL)

    def freeze(self, machine, name):
        process = machine.processes[name]
        process.signal(signal.SIGSTOP)
        self.wait(self.chooser.uniform(2, 12))
        process.signal(signal.SIGCONT)

    def kill_etcd(self):
        self.kill(self.choose(self.topology.databases), "etcd")

    def kill_node(self):
        self.kill(self.choose(self.topology.applications), "serve")

    def kill_worker(self):
        self.kill(self.choose(self.topology.applications), "work")

    def kill_haproxy(self):
        self.kill(self.choose(self.topology.applications), "haproxy")

    def freeze_node(self):
        self.freeze(self.choose(self.topology.applications), "serve")

    def freeze_worker(self):
        self.freeze(self.choose(self.topology.applications), "work")

    def kill_postgres(self):
        machine = self.primary
        if machine.postmaster:
            machine.signal_tree(machine.postmaster, signal.SIGKILL)

    def freeze_patroni(self):
        """The lease of the primary expires, although its PostgreSQL goes on. Another one is promoted."""
        process = self.primary.processes["patroni"]
        process.signal(signal.SIGSTOP)
        self.wait(self.chooser.uniform(8, 26))
        process.signal(signal.SIGCONT)

    def freeze_standby(self):
        machine = self.standby
        pid = machine.postmaster
        if pid:
            machine.signal_tree(pid, signal.SIGSTOP)
            self.wait(self.chooser.uniform(3, 12))
            machine.signal_tree(pid, signal.SIGCONT)

    def freeze_etcd(self):
        processes = [machine.processes["etcd"] for machine in self.topology.databases]
        for process in processes:
            process.signal(signal.SIGSTOP)
        self.wait(self.chooser.uniform(2, 12))
        for process in processes:
            process.signal(signal.SIGCONT)

    # Machines ---------------------------------------------------------------------------------------------------------

    def lose(self, machine, least, most):
        machine.power_off()
        self.wait(self.chooser.uniform(least, most))
        machine.power_on()

    def lose_primary(self):
        self.lose(self.primary, 3, 28)

    def lose_standby(self):
        self.lose(self.standby, 3, 15)

    def lose_application(self):
        self.lose(self.choose(self.topology.applications), 1, 8)

    def freeze_primary(self):
        """As when a virtual machine is moved: everything stops, and goes on later as if nothing had happened."""
        machine = self.primary
        machine.signal_all(signal.SIGSTOP)
        self.wait(self.chooser.uniform(3, 26))
        machine.signal_all(signal.SIGCONT)

    def switch_over(self):
        leader = self.primary
        request = urllib.request.Request(
            f"http://{leader.address}:{PATRONI_PORT}/switchover", json.dumps({"leader": leader.name}).encode(),
            {"Content-Type": "application/json"}, method="POST")
        try:
            urllib.request.urlopen(request, timeout=60).read()
        except (urllib.error.URLError, OSError):
            pass  # refused when there is no healthy synchronous standby

    # Network, clock and disk ------------------------------------------------------------------------------------------

    def cut(self, pairs, least, most):
        for first, second in pairs:
            self.topology.network.cut(first, second)
        self.wait(self.chooser.uniform(least, most))
        for first, second in pairs:
            self.topology.network.mend(first, second)

    def others(self, machine, machines):
        return [(machine, other) for other in machines if other is not machine]

    def cut_primary_off(self):
        self.cut(self.others(self.primary, self.topology.databases), 5, 26)

    def isolate_primary(self):
        self.cut(self.others(self.primary, self.topology.machines.values()), 5, 26)

    def cut_application_off(self):
        self.cut([(self.primary, self.choose(self.topology.applications))], 3, 15)

    def cut_pair(self):
        first, second = self.chooser.sample(self.topology.databases, 2)
        self.cut([(first, second)], 5, 18)

    def step_clock(self):
        machine = self.primary
        machine.step_clock(self.choose([3600, -3600]))
        self.wait(self.chooser.uniform(3, 6))
        machine.step_clock(0)
        self.wait(1.5)

    def fill_disk(self):
        machine = self.primary
        machine.fill_disk()
        self.wait(self.chooser.uniform(4, 16))
        machine.empty_disk()

    def slow(self, machine):
        """Every flush takes as long as on a disk that is about to fail, or that others use up."""
        machine.slow_disk(self.choose([0.05, 0.2, 1, 4]))
        self.wait(self.chooser.uniform(4, 14))
        machine.slow_disk(0)

    def slow_primary(self):
        self.slow(self.primary)

    def slow_standby(self):
        self.slow(self.standby)
