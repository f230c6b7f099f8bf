"""A PostgreSQL cluster of three nodes that Patroni leads, with etcd, on this machine; its leader is killed in several ways.

DAYBOOK_PATRONI names Patroni's program, and DAYBOOK_FENCE what runs before a promotion (Tools/scripts/patroni-fence).
"""

import glob
import itertools
import json
import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
import urllib.request

from servers import until

NODES = (1, 2, 3)
# PostgreSQL refuses to run as root.
OWNER = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
# What happens to the leader: PostgreSQL ends; Patroni ends, and its PostgreSQL goes on with nobody that tells it to stop;
# the machine loses its power; it hangs, and comes back; Patroni does not reach etcd; Patroni ends, and the Patroni of a
# standby, whose PostgreSQL follows it still, does not reach etcd.
WAYS = ("postgres", "patroni", "machine", "hang", "etcd", "patroni+etcd")


class Patroni:
    def __init__(self, folder, chance, port, network=None):
        """In a network, the nodes are n1, n2 and n3, and etcd is e1."""
        self.folder, self.random, self.port, self.network = folder, chance, port, network
        self.programs = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
        self.processes, self.kills, self.seconds = {}, 0, []
        # What is set while nobody is to write.
        self.quiet = threading.Event()
        self.ways = itertools.cycle(os.environ.get("WAYS", " ".join(WAYS)).split())

    # Making it

    def start(self):
        """Returns once there is a leader with two standbys, and the database."""
        os.makedirs(self.folder)
        if OWNER:
            shutil.chown(self.folder, "postgres", "postgres")
        store, peers = (f"http://{self.host('e1')}:{self.port + 6 + n}" for n in (0, 1))
        self.run("etcd", "e1", ["etcd", "--data-dir", f"{self.folder}/etcd", "--listen-client-urls", store,
                          "--advertise-client-urls", store, "--listen-peer-urls", peers,
                          "--initial-advertise-peer-urls", peers, "--initial-cluster", f"default={peers}"])
        until(60, lambda: self.is_decided(store), "etcd has not begun")
        for node in NODES:
            # Each has a way to etcd of its own, that can be closed.
            self.run(f"way{node}", f"n{node}", [
                "etcd", "gateway", "start", "--endpoints", f"{self.host('e1')}:{self.port + 6}",
                "--listen-addr", f"127.0.0.1:{self.port + 7 + node}"])
            with open(f"{self.folder}/n{node}.yml", "w", encoding="utf-8") as file:
                json.dump(self.settings(node), file, indent=2)  # JSON is YAML, too.
            self.run_patroni(node)
        until(120, self.is_whole, f"Patroni's cluster is not there: see {self.folder}/*.log")
        self.client("createdb", int(self.leader()[1:]), "relay").check_returncode()
        # Whoever reaches a standby that has no such database yet is refused, and tries no other.
        until(60, lambda: all(self.client("psql", node, "relay", "-c", "").returncode == 0 for node in NODES),
              "not all nodes have the database")

    def is_decided(self, store):
        """Whether etcd knows its own version: Patroni ends where it does not."""
        try:
            return json.load(urllib.request.urlopen(f"{store}/version", timeout=2))["etcdcluster"] != "not_decided"
        except OSError:
            return False

    def client(self, program, node, *arguments):
        """Runs a client of PostgreSQL's on a node."""
        return subprocess.run([f"{self.programs}/{program}", "-h", self.host(f"n{node}"), "-p", str(self.port + node - 1),
                               "-U", "postgres", *arguments], capture_output=True, text=True)

    def host(self, name):
        return self.network.addresses[name] if self.network else "127.0.0.1"

    def server(self, node):
        return f"{self.host(f'n{node}')}:{self.port + node - 1}"

    def settings(self, node):
        here = self.server(node)
        others = [self.server(other) for other in NODES if other != node]
        return {
            "scope": "relay", "name": f"n{node}",
            "etcd3": {"host": f"127.0.0.1:{self.port + 7 + node}", "use_proxies": True},
            "restapi": {"listen": self.api(node), "connect_address": self.api(node)},
            "bootstrap": {
                "dcs": {
                    "ttl": 20, "loop_wait": 2, "retry_timeout": 4,
                    "synchronous_mode": "quorum", "synchronous_mode_strict": True, "synchronous_node_count": 1,
                    "primary_start_timeout": 0, "check_timeline": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {
                        "wal_keep_size": "256MB", "max_connections": 100, "shared_buffers": "64MB"}},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}],
            },
            "postgresql": {
                "listen": here, "connect_address": here, "bin_dir": self.programs,
                "data_dir": f"{self.folder}/{node}", "pgpass": f"{self.folder}/pgpass{node}",
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "postgres"}},
                "pg_hba": ["local all all trust", "host all all samenet trust", "host replication all samenet trust"],
                "parameters": {"unix_socket_directories": self.folder},
            } | ({"pre_promote": shlex.join([os.environ["DAYBOOK_FENCE"], here, *others])}
                 if os.environ.get("DAYBOOK_FENCE") else {}),
        }

    def api(self, node):
        return f"{self.host(f'n{node}')}:{self.port + 2 + node}"

    def run(self, name, place, command):
        within = self.network.within(place) if self.network else []
        with open(f"{self.folder}/{name}.log", "a", encoding="utf-8") as log:
            self.processes[name] = subprocess.Popen(
                [*within, *OWNER, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True)

    def run_patroni(self, node):
        self.run(f"n{node}", f"n{node}", [os.environ["DAYBOOK_PATRONI"], f"{self.folder}/n{node}.yml"])

    def stop(self):
        for process in self.processes.values():
            process.kill()
            process.wait()
        for node in NODES:
            self.signal(self.servers(node), signal.SIGKILL)

    # Asking it

    def members(self):
        """What one of the Patronis says of all."""
        for node in NODES:
            try:
                return json.load(urllib.request.urlopen(f"http://{self.api(node)}/cluster", timeout=2))["members"]
            except OSError:
                pass
        return []

    def leader(self):
        """The name of the node that has the leader's key."""
        return next((one["name"] for one in self.members() if one["role"] == "leader"), None)

    def is_whole(self):
        """Whether both others follow the leader, and may confirm its commits."""
        found = sorted((one["role"], one["state"]) for one in self.members())
        return found == [("leader", "running")] + [("quorum_standby", "streaming")] * 2

    # Killing it

    def kill_leader(self):
        """Another one leads at its end; the one that led comes back on its own. Before it, all three have to be there."""
        until(180, self.is_whole, "Patroni's cluster does not come together")
        last, way, began = self.leader(), next(self.ways), time.monotonic()
        node = int(last[1:])
        patroni, servers = self.processes[last], self.servers(node)
        standby = self.random.choice([one for one in NODES if one != node])
        stopped = {"hang": [patroni.pid, *servers], "etcd": [self.processes[f"way{node}"].pid],
                   "patroni+etcd": [self.processes[f"way{standby}"].pid]}.get(way, [])
        self.signal(stopped, signal.SIGSTOP)
        if way in ("patroni", "machine", "patroni+etcd"):
            patroni.kill()
            patroni.wait()
        if way in ("postgres", "machine"):
            self.signal(servers, signal.SIGKILL)
        if way == "patroni+etcd":
            # Nothing is written until the other standby has the key: it finds that nobody has more. Then pushes come.
            self.quiet.set()
            time.sleep(35)
            self.quiet.clear()
            time.sleep(20)
            self.signal(stopped, signal.SIGCONT)
        until(120, lambda: self.leader() not in (None, last), f"nobody else leads ({way})")
        self.seconds.append((way, time.monotonic() - began))
        time.sleep(self.random.random() * 5)
        self.signal(stopped, signal.SIGCONT)
        if way in ("patroni", "machine", "patroni+etcd"):
            self.run_patroni(node)
        self.kills += 1

    def servers(self, node):
        """The processes of a node's PostgreSQL. After a kill its number may be another program's."""
        folder = f"{self.folder}/{node}"
        try:
            with open(f"{folder}/postmaster.pid", encoding="utf-8") as file:
                first = file.readline().strip()
            if os.readlink(f"/proc/{first}/cwd") != os.path.realpath(folder):
                return []
        except OSError:
            return []
        found = subprocess.run(["pgrep", "-P", first], capture_output=True, text=True).stdout.split()
        return [int(first), *map(int, found)]

    @staticmethod
    def signal(processes, number):
        for process in processes:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass
