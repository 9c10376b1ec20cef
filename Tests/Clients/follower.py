"""Runs a client in a process of its own and sends it commands.

The arguments of the client program are the address of the server, a key, the key of a venue, and the path of its replica. It reads
one command per line

    sync                 bring the replica up to date with the stored selection
    sync * | sync NAME…  the same, with everything or these levels as the new selection
    add NAME…            add these levels to the selection
    drop NAME…           remove these levels from the selection
    show                 send no request

and prints one line of JSON for each: `result` is `ok` or a class of the conformance cases, `revision` that of the replica, `levels` the
digests by level (`-` for the venue-wide part), computed from the stored bodies, and `report` the result of the synchronization: the
counts `added`, `changed` and `removed`, and the lists of levels `levels_added`, `levels_dropped` and `repaired`.
"""

import json
import os
import subprocess


class Follower:
    def __init__(self, command, server, key, venue, path):
        self.arguments = [*command, server, key, venue, str(path)]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def run(self, line):
        self.send(line)
        response = self.process.stdout.readline()
        if not response:
            raise AssertionError(f"the client exited with {self.process.wait()} after “{line}”")
        return json.loads(response)

    def kill(self):
        """Kills the process, as an operating system does with an app."""
        self.process.kill()
        self.end()

    def restart(self):
        self.kill()
        self.start()

    def stop(self):
        self.process.stdin.close()
        self.end()

    def end(self):
        self.process.wait()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass


def client_command(arguments, usage):
    """Splits a command line into the arguments before and after `--`."""
    if "--" not in arguments or arguments[-1] == "--":
        raise SystemExit(usage)
    index = arguments.index("--")
    return arguments[:index], [os.path.abspath(word) if os.path.exists(word) else word for word in arguments[index + 1:]]
