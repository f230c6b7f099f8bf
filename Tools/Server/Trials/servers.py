"""What the trials of several devices kill: relays, and the nodes of a cluster behind them."""

import os
import subprocess
import time
import urllib.request

POSTGRES = os.environ.get("DAYBOOK_POSTGRES")


class Relay:
    """A relay's process, which comes back whenever it was killed."""

    def __init__(self, program, place, port):
        self.program, self.place, self.process = program, place, None
        self.port, self.url = port, f"http://127.0.0.1:{port}"

    def make(self):
        """Makes a log; the first device's token."""
        made = subprocess.run([self.program, "init", *self.place], capture_output=True, text=True, check=True)
        return made.stdout.split("--token ")[1].split()[0]

    def start(self):
        """Returns when it is ready. Before a cluster it may end until there is a leader again."""
        end = time.monotonic() + (60 if POSTGRES else 10)
        while time.monotonic() < end:
            if self.process is None or self.process.poll() is not None:
                if self.process is not None and not POSTGRES and self.process.returncode > 0:
                    raise SystemExit("the relay does not start")
                self.process = subprocess.Popen(
                    [self.program, "serve", *self.place, "--port", str(self.port)],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                return urllib.request.urlopen(f"{self.url}/health/ready", timeout=5).read()
            except OSError:
                time.sleep(0.05)
        raise SystemExit("the relay does not answer")

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Cluster:
    """Three nodes, one of which leads."""

    script = os.path.join(os.path.dirname(__file__), "../../scripts/postgres-cluster")

    def __init__(self, folder, chance):
        self.folder, self.leader, self.random, self.kills = folder, 1, chance, 0

    def act(self, action, node):
        subprocess.run([self.script, action, self.folder, str(node)], check=True, stdout=subprocess.DEVNULL)

    def is_whole(self):
        """Whether both other nodes follow the leader."""
        found = subprocess.run(
            ["psql", "-qAtX", f"{POSTGRES} target_session_attrs=read-write connect_timeout=2",
             "-c", "select count(*) from pg_stat_replication where state = 'streaming'"],
            capture_output=True, text=True)
        return found.stdout.strip() == "2"

    def kill_leader(self):
        """Kills it; another takes over, and it comes back as a standby. Before it, all three have to be there."""
        end = time.monotonic() + 60
        while not self.is_whole():
            if time.monotonic() > end:
                raise SystemExit("the cluster does not come together")
            time.sleep(0.1)
        last, self.leader = self.leader, self.random.choice([n for n in (1, 2, 3) if n != self.leader])
        self.act("kill", last)
        time.sleep(self.random.random())
        self.act("promote", self.leader)
        self.act("rejoin", last)
        self.kills += 1
