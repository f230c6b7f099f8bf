"""Goal: where packets get lost in one direction, nothing that a relay acknowledged is lost or moved, nothing that somebody read
changes, and whoever is not cut off goes on.

Method: the three nodes of a cluster and two relays, each in a network namespace of its own. Writers and readers ask both relays
(watched_log.py), while one case follows the other; where a leader is cut off, a standby is promoted by hand. At the end the log
is compared with what they were told. As a control, a relay whose commits do not wait for standbys must lose some.

Usage: partitions.py DAYBOOK-RELAY FOLDER [SEED], as root: Tools/scripts/postgres-partitions has it.
"""

import os
import random
import subprocess
import sys
import time

from network import Network
from servers import Cluster, Relay, until
from watched_log import WatchedLog

NODES, RELAYS = ["n1", "n2", "n3"], ["r1", "r2"]
PORT = 5461
# A relay gives a connection up that hangs after 60 s, and tries that server last from then on.
SECONDS_MAX = 180
# How long packets get lost at least: a relay's deadline is 15 s, and its system tells it after 10 s that nothing arrives.
SECONDS_MIN = 30


class Partitions:
    others_there = RELAYS

    def __init__(self, program, folder, seed):
        self.program, self.folder, self.random = program, folder, random.Random(seed)
        self.cluster, self.leader = f"{folder}/cluster", "n1"
        self.network = Network(NODES + self.others_there)
        self.environment = os.environ | {
            "CLUSTER_PORT": str(PORT), "NETNS": f"{self.network.prefix}n",
            "HOSTS": " ".join(self.network.addresses[node] for node in NODES)}
        self.relays, self.log = [], None

    def act(self, action, *nodes):
        """What the cluster's script says, of each of the nodes."""
        for node in nodes or [""]:
            done = subprocess.run([Cluster.script, action, self.cluster, *node[1:]], env=self.environment, check=True,
                                  stdout=subprocess.PIPE, text=True)
        return done.stdout.strip()

    def start(self):
        self.start_cluster()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "1", "-subj", "/CN=relay", "-keyout", f"{self.folder}/key.pem",
                        "-out", f"{self.folder}/chain.pem"], capture_output=True, check=True)
        self.watch("")

    def start_cluster(self):
        self.act("start")

    def stop_cluster(self):
        self.act("stop")

    def watch(self, options):
        """A log at two relays, which tell the server these options of their sessions."""
        place = ["--postgres", self.act("url") + options]
        self.relays = [Relay(self.program, place, 8481, self.network.addresses[name], self.network.within(name), self.folder)
                       for name in RELAYS]
        self.relays[0].run("migrate")
        for relay in self.relays:
            relay.start()
        self.log = WatchedLog(self.relays, self.random.randrange(1_000))
        self.log.begin()

    def stop(self):
        if self.log:
            self.log.end()
        for relay in self.relays:
            relay.kill()
        self.stop_cluster()
        self.network.remove()

    def is_whole(self):
        node = NODES.index(self.leader)
        found = subprocess.run(
            ["psql", "-qAtX", f"host={self.network.addresses[self.leader]} port={PORT + node} user=postgres dbname=relay",
             "-c", "select count(*) from pg_stat_replication where state = 'streaming'"], capture_output=True, text=True)
        return found.stdout.strip() == "2"

    def others(self):
        return self.random.sample([node for node in NODES if node != self.leader], 2)

    def all_but(self, name):
        return [other for other in self.network.addresses if other != name]

    def replace_leader(self):
        """Promotes a standby; the old leader goes on as it was. Its name."""
        old, heir = self.leader, self.others()[0]
        self.act("promote", heir)
        self.leader = heir
        return old

    def go_on(self, relays):
        """These acknowledge pushes as long as packets get lost; the others say that they cannot."""
        end = time.monotonic() + SECONDS_MIN
        while time.monotonic() < end:
            self.log.progress(SECONDS_MAX, relays)
        if any(relay.is_ready() for relay in self.relays if relay not in relays):
            raise SystemExit("a relay is ready that cannot reach the leader")

    # Cases

    def leader_is_not_heard(self):
        """the leader hears all, and nobody hears it"""
        self.network.lose(self.leader, *self.all_but(self.leader))
        old = self.replace_leader()
        self.log.progress(SECONDS_MAX)
        self.network.heal()
        self.log.progress(SECONDS_MAX)
        self.act("rejoin", old)

    def leader_does_not_hear(self):
        """all hear the leader, and it hears nobody"""
        for name in self.all_but(self.leader):
            self.network.lose(name, self.leader)
        old = self.replace_leader()
        self.log.progress(SECONDS_MAX)
        self.network.heal()
        self.log.progress(SECONDS_MAX)
        self.act("rejoin", old)

    def standby_is_not_heard(self):
        """a standby hears all, and nobody hears it"""
        standby = self.others()[0]
        self.network.lose(standby, *self.all_but(standby))
        self.go_on(self.relays)

    def standby_does_not_hear(self):
        """all hear a standby, and it hears nobody"""
        standby = self.others()[0]
        for name in self.all_but(standby):
            self.network.lose(name, standby)
        self.go_on(self.relays)

    def relay_is_not_heard(self):
        """the leader does not hear one of the relays"""
        self.network.lose("r1", self.leader)
        self.go_on(self.relays[1:])

    def relay_does_not_hear(self):
        """one of the relays does not hear the leader: it pushes, and is not answered"""
        self.network.lose(self.leader, "r1")
        self.go_on(self.relays[1:])

    def relay_has_the_old_leader(self):
        """one of the relays reaches the old leader alone, which cannot be heard by standbys: it tells nothing"""
        self.network.lose(self.leader, *self.others())
        self.network.lose("r1", *self.others())
        old = self.replace_leader()
        self.log.progress(SECONDS_MAX, self.relays[1:])
        until(SECONDS_MAX, lambda: not self.relays[0].is_ready(), "a relay is ready that reaches the old leader alone")
        before = self.log.answers[self.relays[0].url]
        self.log.progress(SECONDS_MAX, self.relays[1:], 100)
        if self.log.answers[self.relays[0].url] != before:
            raise SystemExit("a relay acknowledged what only the old leader has")
        self.act("rejoin", old)

    def cases(self):
        return [self.leader_is_not_heard, self.leader_does_not_hear, self.standby_is_not_heard, self.standby_does_not_hear,
                self.relay_is_not_heard, self.relay_does_not_hear, self.relay_has_the_old_leader]

    def run(self):
        for case in self.cases():
            until(SECONDS_MAX, self.is_whole, "the cluster does not come together")
            self.log.progress(SECONDS_MAX)
            began = time.monotonic()
            case()
            self.network.heal()
            self.log.progress(SECONDS_MAX)
            print(f"  {case.__doc__}: {time.monotonic() - began:.0f} s", flush=True)
        self.log.end()
        faults = self.log.moved()
        if faults:
            raise SystemExit("\n".join([f"{len(faults)} faults", *faults[:20]]))
        print(f"  {self.log.told()}: all where it was, and as it was", flush=True)
        for relay in self.relays:
            relay.kill()

    def control(self):
        """Where commits do not wait for standbys, what the old leader acknowledged is lost with it."""
        until(60, self.is_whole, "the cluster does not come together")
        self.watch(" options='-csynchronous_commit=local'")
        self.log.progress(SECONDS_MAX)
        self.network.lose(self.leader, *self.others())
        self.log.progress(SECONDS_MAX)
        old = self.replace_leader()
        self.network.heal()
        self.act("rejoin", old)
        self.log.end()
        faults = self.log.moved()
        if not any(fault.endswith("is lost") for fault in faults):
            raise SystemExit("the control lost nothing")
        print(f"  control, commits that do not wait: {len(faults)} pushes or entries lost or changed", flush=True)


def main(kind=Partitions):
    program, folder = sys.argv[1:3]
    trial = kind(program, folder, int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    print(f"{', '.join(trial.network.addresses)}: each in a network of its own", flush=True)
    try:
        trial.start()
        trial.run()
        trial.control()
    finally:
        trial.stop()
    print("ok")


if __name__ == "__main__":
    main()
