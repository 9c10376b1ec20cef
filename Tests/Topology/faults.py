"""The faults: each does something to the topology, and undoes it. Times are in seconds."""

import json
import signal
import time
import urllib.error
import urllib.request

from one_machine import PATRONI_PORT


class Faults:
    def __init__(self, topology, chooser):
        self.topology, self.chooser = topology, chooser
        databases, applications = topology.databases, topology.applications
        # Name, weight, and whether the primary is concerned, so that writing is interrupted.
        self.kinds = [
            ("PostgreSQL of the primary killed", 3, self.kill_postgres),
            ("machine of the primary lost", 3, self.lose_primary),
            ("machine of the primary frozen", 2, self.freeze_primary),
            ("Patroni of the primary frozen", 2, self.freeze_patroni),
            ("switch-over", 3, self.switch_over),
            ("machine of the synchronous standby lost", 2, self.lose_standby),
            ("PostgreSQL of the synchronous standby frozen", 1, self.freeze_standby),
            ("etcd member killed", 1, lambda: self.kill(self.choose(databases), "etcd")),
            ("etcd frozen on all machines", 1, self.freeze_etcd),
            ("node killed", 2, lambda: self.kill(self.choose(applications), "serve")),
            ("worker killed", 2, lambda: self.kill(self.choose(applications), "work")),
            ("worker frozen", 1, lambda: self.freeze(self.choose(applications), "work")),
            ("HAProxy killed", 1, lambda: self.kill(self.choose(applications), "haproxy")),
            ("application machine lost", 2, self.lose_application),
            ("node frozen", 1, lambda: self.freeze(self.choose(applications), "serve")),
        ]
        if topology.network.can_partition:
            self.kinds += [
                ("primary cut off from the other databases", 3, self.cut_primary_off),
                ("primary cut off from everything", 2, self.isolate_primary),
                ("primary cut off from one application machine", 1, self.cut_application_off),
                ("two database machines cut off from each other", 2, self.cut_pair),
            ]
        if databases[0].has_clock:
            self.kinds.append(("clock of the primary stepped by an hour", 1, self.step_clock))
        if topology.disk_megabytes:
            self.kinds.append(("disk of the primary full", 2, self.fill_disk))

    def choose(self, items):
        return self.chooser.choice(list(items))

    def next(self):
        """A random kind of fault."""
        kinds = [kind for kind in self.kinds for _ in range(kind[1])]
        return self.choose(kinds)

    @staticmethod
    def wait(seconds):
        time.sleep(seconds)

    @property
    def primary(self):
        while True:
            if leader := self.topology.leader():
                return leader
            time.sleep(0.2)

    @property
    def standby(self):
        """The synchronous standby, or any other database machine."""
        for machine in self.topology.databases:
            if self.topology.patroni_status(machine, "/synchronous") == 200:
                return machine
        return next(machine for machine in self.topology.databases if machine is not self.primary)

    # Processes --------------------------------------------------------------------------------------------------------

    def kill(self, machine, name):
        machine.processes[name].signal(signal.SIGKILL)

    def freeze(self, machine, name):
        process = machine.processes[name]
        process.signal(signal.SIGSTOP)
        self.wait(self.chooser.uniform(2, 12))
        process.signal(signal.SIGCONT)

    def kill_postgres(self):
        machine = self.primary
        if machine.postmaster:
            machine.signal_tree(machine.postmaster, signal.SIGKILL)

    def freeze_patroni(self):
        """The lease of the primary expires, although its PostgreSQL goes on. Another one is promoted."""
        process = self.primary.processes["patroni"]
        process.signal(signal.SIGSTOP)
        self.wait(self.chooser.uniform(15, 35))
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
        self.wait(self.chooser.uniform(2, 15))
        for process in processes:
            process.signal(signal.SIGCONT)

    # Machines ---------------------------------------------------------------------------------------------------------

    def lose(self, machine, least, most):
        machine.power_off()
        self.wait(self.chooser.uniform(least, most))
        machine.power_on()

    def lose_primary(self):
        self.lose(self.primary, 5, 35)

    def lose_standby(self):
        self.lose(self.standby, 3, 15)

    def lose_application(self):
        self.lose(self.choose(self.topology.applications), 1, 8)

    def freeze_primary(self):
        """As when a virtual machine is moved: everything stops, and goes on later as if nothing had happened."""
        machine = self.primary
        machine.signal_all(signal.SIGSTOP)
        self.wait(self.chooser.uniform(3, 35))
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
        self.cut(self.others(self.primary, self.topology.databases), 5, 40)

    def isolate_primary(self):
        self.cut(self.others(self.primary, self.topology.machines.values()), 5, 40)

    def cut_application_off(self):
        self.cut([(self.primary, self.choose(self.topology.applications))], 3, 15)

    def cut_pair(self):
        first, second = self.chooser.sample(self.topology.databases, 2)
        self.cut([(first, second)], 5, 30)

    def step_clock(self):
        machine = self.primary
        machine.step_clock(self.choose([3600, -3600]))
        self.wait(self.chooser.uniform(3, 6))
        machine.step_clock(0)
        self.wait(1.5)

    def fill_disk(self):
        machine = self.primary
        machine.fill_disk()
        self.wait(self.chooser.uniform(4, 25))
        machine.empty_disk()
