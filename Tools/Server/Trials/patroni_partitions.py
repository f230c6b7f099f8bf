"""Goal and method are those of partitions.py, with a cluster that Patroni leads: nobody promotes by hand. etcd lives in a network
namespace, too. Where etcd hears of a leader and its standbys do not, Patroni replaces nobody, and nothing is acknowledged.

Usage: patroni_partitions.py DAYBOOK-RELAY FOLDER [SEED], as root: Tools/scripts/postgres-patroni has it.
"""

import time

from partitions import PORT, RELAYS, SECONDS_MAX, SECONDS_MIN, Partitions, main
from patroni_cluster import Patroni
from servers import until


class PatroniPartitions(Partitions):
    others_there = ["e1", *RELAYS]

    def start_cluster(self):
        self.patroni = Patroni(self.cluster, self.random, PORT, self.network)
        self.patroni.start()

    def stop_cluster(self):
        self.patroni.stop()

    def is_whole(self):
        self.leader = self.patroni.leader()
        return self.patroni.is_whole()

    def replace_leader(self):
        old = self.leader
        until(SECONDS_MAX, lambda: self.patroni.leader() not in (None, old), "nobody else leads")
        self.leader = self.patroni.leader()
        return old

    def act(self, action, *nodes):
        """Who led comes back by itself."""
        return super().act(action, *nodes) if action != "rejoin" else ""

    # Cases

    def etcd_does_not_hear_the_leader(self):
        """etcd does not hear the leader"""
        self.network.lose(self.leader, "e1")
        self.replace_leader()
        self.log.progress(SECONDS_MAX)

    def the_leader_does_not_hear_etcd(self):
        """the leader does not hear etcd"""
        self.network.lose("e1", self.leader)
        self.replace_leader()
        self.log.progress(SECONDS_MAX)

    def standbys_do_not_hear_the_leader(self):
        """standbys do not hear the leader, and etcd does: nothing is acknowledged, and nobody replaces it"""
        self.network.lose(self.leader, *self.others())
        until(SECONDS_MAX, lambda: not any(relay.is_ready() for relay in self.relays), "a relay is ready")
        before = dict(self.log.answers)
        time.sleep(SECONDS_MIN)
        if self.log.answers != before or self.patroni.leader() != self.leader:
            raise SystemExit("pushes were acknowledged, or another one leads")

    def cases(self):
        return [self.leader_is_not_heard, self.leader_does_not_hear, self.standby_is_not_heard, self.standby_does_not_hear,
                self.etcd_does_not_hear_the_leader, self.the_leader_does_not_hear_etcd,
                self.standbys_do_not_hear_the_leader]

    def control(self):
        """None: commits wait for standbys as in partitions.py, which has it."""


if __name__ == "__main__":
    main(PatroniPartitions)
