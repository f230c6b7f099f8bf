"""Goal: Patroni replaces leaders by itself, and nothing is lost: what a relay acknowledged stays where it is, what somebody
read does not change, and ledgers that share a log end up equal.

Method: sync_kills.py's three ledgers and two relays on a cluster that Patroni leads. Beside them, writers push to a second
log at both relays, and readers note every link that they see. The leader is taken away in six ways, in turn; Patroni finds
another, and takes the old one back.

Usage: patroni_kills.py DAYBOOK DAYBOOK-RELAY FOLDER [KILLS [SEED]], as Tools/scripts/postgres-patroni has it.
"""

import os

from patroni_cluster import WAYS, Patroni
from servers import until
from sync_kills import Trials, main
from watched_log import WatchedLog


class PatroniTrials(Trials):
    log = None
    # On a machine that is busy, Patroni may replace a leader that nobody has killed.
    patience = 120

    def find_cluster(self):
        return Patroni(os.environ["DAYBOOK_CLUSTER"], self.random, int(os.environ["DAYBOOK_CLUSTER_PORT"]))

    def found(self):
        self.cluster.start()
        super().found()
        self.log = WatchedLog(self.relays, self.random.randrange(1_000))
        self.log.quiet = self.cluster.quiet
        self.log.begin()
        self.log.progress(60)

    def kill_something(self):
        super().kill_something()
        # What hangs with the old leader is given up after a minute.
        self.log.progress(120)

    def settle(self):
        """With a cluster that is whole, and relays that both answer."""
        until(180, self.cluster.is_whole, "Patroni's cluster does not come together")
        self.log.progress(120)
        return super().settle()

    def finish(self):
        self.log.end()
        faults = self.log.moved()
        if faults:
            raise SystemExit("\n".join([f"{len(faults)} faults", *faults[:20]]))
        print(f"  {self.log.told()}: all where it was, and as it was")
        for way in WAYS:
            took = [seconds for one, seconds in self.cluster.seconds if one == way]
            if took:
                print(f"  {way}: {len(took)} times, another one led after {min(took):.0f} to {max(took):.0f} s")

    def close(self):
        if self.log:
            self.log.end()
        super().close()
        self.cluster.stop()


if __name__ == "__main__":
    main(PatroniTrials)
