"""What the trials of several devices kill: relays, and the nodes of a cluster behind them."""

import os
import ssl
import subprocess
import time
import urllib.request

POSTGRES = os.environ.get("DAYBOOK_POSTGRES")
# A relay's certificate is of its trial's own making.
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE


def until(seconds, condition, what):
    """Waits for something, and ends the trial where it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"after {seconds} s {what}")
        time.sleep(0.1)


class Relay:
    """A relay's process, which comes back whenever it was killed."""

    def __init__(self, program, place, port, host="127.0.0.1", within=(), certificate=None):
        """`within` is what a command runs in, such as a network namespace; `certificate` a folder with a chain and a key."""
        self.program, self.place, self.within, self.process = program, place, [*within], None
        self.port, self.url = port, f"http{'s' if certificate else ''}://{host}:{port}"
        self.flags = ["--host", host, "--port", str(port)]
        if certificate:
            self.flags += ["--certificate", f"{certificate}/chain.pem", "--key", f"{certificate}/key.pem"]

    def run(self, command, *words):
        """What a command of the relay says; it has to end well."""
        done = subprocess.run([*self.within, self.program, command, *words, *self.place], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{command} ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}")
        return done.stdout

    def make(self, *ledger):
        """Makes a log; the first device's token."""
        return self.run("init", *ledger).split("--token ")[1].split()[0]

    def is_ready(self):
        try:
            return urllib.request.urlopen(f"{self.url}/health/ready", timeout=5, context=TRUSTING).read()
        except OSError:
            return None

    def start(self):
        """Returns when it is ready. Before a cluster it may end until there is a leader again."""
        end = time.monotonic() + (60 if POSTGRES else 10)
        while time.monotonic() < end:
            if self.process is None or self.process.poll() is not None:
                if self.process is not None and not POSTGRES and self.process.returncode > 0:
                    raise SystemExit("the relay does not start")
                self.process = subprocess.Popen(
                    [*self.within, self.program, "serve", *self.place, *self.flags],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if self.is_ready():
                return
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
        until(60, self.is_whole, "the cluster does not come together")
        last, self.leader = self.leader, self.random.choice([n for n in (1, 2, 3) if n != self.leader])
        self.act("kill", last)
        time.sleep(self.random.random())
        self.act("promote", self.leader)
        self.act("rejoin", last)
        self.kills += 1
