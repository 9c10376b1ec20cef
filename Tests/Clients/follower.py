"""A client in a process of its own, which is told what to do line by line.

The client's program is given the server's address, a key, the key of a venue, and a path for its replica. For each line that it reads

    sync                 bring the replica up to date with what is wanted
    sync * | sync NAME…  the same, and want everything or these levels from now on
    add NAME…            want these levels too
    drop NAME…           want these levels no longer
    show                 ask nothing of the server

it answers with one line of JSON: `result` is `ok` or a class of the conformance cases, `revision` what is held, `levels` by id (`-` for the
venue-wide part) the digests as computed from what is held, `report` what was done: `added`,
`changed` and `removed`, and lists of levels: `levels_added`, `levels_dropped`, `repaired`.
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

    def tell(self, line):
        self.send(line)
        answer = self.process.stdout.readline()
        if not answer:
            raise AssertionError(f"the client ended with {self.process.wait()} at “{line}”")
        return json.loads(answer)

    def kill(self):
        """As when the system ends an app: without a farewell."""
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


def client_command(arguments, words):
    """What stands behind `--` on a command line."""
    if "--" not in arguments or arguments[-1] == "--":
        raise SystemExit(words)
    place = arguments.index("--")
    return arguments[:place], [os.path.abspath(word) if os.path.exists(word) else word for word in arguments[place + 1:]]
