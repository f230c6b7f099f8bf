"""Goal: a ledger that is moved from one cluster to another while devices push and pull loses nothing that was
acknowledged, and readers see one chain; Docs/Notes/Cells.md says how it is moved.

Method: a simulation by seed. A directory, clusters, relays with caches that never expire, devices whose requests and
answers get lost, and movers that crash, stall, give up and are overtaken at every step. Each `yield` lets others go on;
what lies between two is one transaction of one database. Then the same with one part left out: that has to be noticed.

Usage: simulation.py [SEEDS]
"""

import random
import sys
from collections import Counter

from model import Cluster, NotHere, Overtaken, Place, Row, Unauthorized, Unavailable, Wrong, check, link

LEDGERS, CLUSTERS, RELAYS, DEVICES, PUSHES, STEPS = 3, 3, 3, 3, 40, 4_000
STEP_NAMES = {
    "looked", "froze", "read", "copied", "completed", "flipped", "closed", "opened", "dropped", "thawed", "discarded",
}
FAULTS = [
    "no freeze", "flip before copy", "cache never checked", "directory never asked again", "opened before closed",
    "steps without number", "devices left behind", "revoked while frozen", "another incarnation",
    "dropped without trace",
]


class World:
    def __init__(self, seed, *faults):
        self.random, self.faults = random.Random(seed), faults
        self.clusters = [Cluster(faults) for _ in range(CLUSTERS)]
        self.directory = {ledger: Place(self.random.randrange(CLUSTERS)) for ledger in range(LEDGERS)}
        self.caches = [{} for _ in range(RELAYS)]
        self.known = [[] for _ in range(LEDGERS)]  # The chain, as far as anybody was told it.
        # Who may be turned away, and who was.
        self.guests = [([f"{ledger}.guest{number}" for number in range(20)], []) for ledger in range(LEDGERS)]
        self.counts, self.crashes = Counter(), Counter()
        self.devices, self.stops = [], False
        for ledger, place in self.directory.items():
            row = self.clusters[place.at].rows[ledger] = Row("open", 0, f"i{ledger}")
            row.devices = dict.fromkeys(self.guests[ledger][0], False)
            for number in range(DEVICES):
                row.devices[f"{ledger}.{number}"] = False
                self.devices.append(self.device(ledger, f"{ledger}.{number}"))

    def told(self, ledger, position, its_link):
        """Notes what somebody was told: nobody may ever be told otherwise."""
        known = self.known[ledger]
        known.extend([None] * (position - len(known)))
        check(known[position - 1] in (None, its_link), "a position had another entry before")
        known[position - 1] = its_link

    def request(self, ledger, name, *arguments):
        """Through any relay, which believes its cache until a cluster says that the ledger is not there, or it is killed."""
        if self.random.random() < 0.01:
            self.random.choice(self.caches).clear()
        cache = self.random.choice(self.caches)
        at = cache.get(ledger, self.directory[ledger].at)
        for _ in range(2):
            cache[ledger] = at
            yield
            if self.random.random() < 0.05:
                raise Unavailable  # The request is lost.
            try:
                answer = getattr(self.clusters[at], name)(ledger, *arguments)
                yield
                if self.random.random() < 0.05:
                    raise Unavailable  # The answer is lost.
                return answer
            except NotHere:
                check("directory never asked again" not in self.faults, "a device is told that there is no ledger")
                self.counts["stale caches"] += 1
                at = self.directory[ledger].at
        raise Unavailable

    def device(self, ledger, token):
        """Pushes and pulls until it has all, and now and then turns a guest away, who has to stay outside."""
        chain, pushed, incarnation = [], 0, f"i{ledger}"
        while pushed < PUSHES or len(chain) < len(self.known[ledger]) or not self.stops:
            try:
                kind = self.random.randrange(4)
                if kind < 2 and pushed < PUSHES:
                    position, its_link = yield from self.request(ledger, "push", token, pushed + 1)
                    pushed += 1
                    self.counts["pushes"] += 1
                    self.told(ledger, position, its_link)
                elif kind == 2:
                    least = len(self.known[ledger])  # What anybody was told before this began.
                    entries, head, life = yield from self.request(ledger, "pull", token, len(chain))
                    check(head >= least, "the head goes back: a device says that the relay was restored")
                    check(life == incarnation, "another incarnation: devices stop")
                    for entry in entries:
                        check(entry[2] == link(chain, entry[0], entry[1]), "the chain is broken")
                        chain.append(entry)
                        self.told(ledger, len(chain), entry[2])
                elif kind == 3:
                    yield from self.turn_away(ledger, token)
            except Unavailable:
                self.counts["told to try again"] += 1
            except Unauthorized:
                check(False, "a device is turned away")
            yield

    def turn_away(self, ledger, token):
        guests, revoked = self.guests[ledger]
        if guests and self.random.random() < 0.2:
            guest = guests.pop()
            yield from self.request(ledger, "revoke", token, guest)
            revoked.append(guest)
        elif revoked:
            try:
                yield from self.request(ledger, "pull", self.random.choice(revoked), 0)
                check(False, "a revoked device is let in")
            except Unauthorized:
                pass

    def mover(self, ledger):
        """Goes on with what the directory says; whoever comes later does so again, from any step."""
        place = self.directory[ledger]
        move, source, target, phase = place.move, self.clusters[place.source], self.clusters[place.target], place.phase
        try:
            yield "looked"
            if phase == "gives up":
                source.thaw(ledger, move)
                yield "thawed"
                target.discard(ledger, move)
                yield "discarded"
                place.turn(move, "rests", "gives up")
                return
            if phase == "copies":
                source.freeze(ledger, move)
                yield "froze"
                if "flip before copy" in self.faults:
                    target.rows[ledger] = Row("open", move, f"i{ledger}")
                    target.rows[ledger].devices = dict(source.rows[ledger].devices)
                    place.turn(move, "flipped", "copies")
                    yield "flipped"
                after, count = 0, None
                while after != count:
                    entries, devices, incarnation, count = source.slice(ledger, move, after)
                    yield "read"
                    target.arrive(ledger, move, after, entries, devices, incarnation)
                    after += len(entries)
                    yield "copied"
                target.complete(ledger, move, count)
                yield "completed"
                place.turn(move, "flipped", "copies")
                yield "flipped"
            if "opened before closed" in self.faults:
                target.open(ledger, move)
                yield "opened"
            source.close(ledger, move)
            yield "closed"
            target.open(ledger, move)
            yield "opened"
            source.drop(ledger, move)
            yield "dropped"
            place.turn(move, "rests", "flipped")
            self.counts["moves"] += 1
        except Overtaken:
            self.counts["movers overtaken"] += 1

    def run(self):
        """Lets one after another go on, until all have done what they had to."""
        movers, running, asleep = [], list(self.devices), {}
        for step in range(STEPS * 40):
            self.stops = step > STEPS
            if not running and not movers and all(place.phase == "rests" for place in self.directory.values()):
                break
            self.begin(movers)
            awake = [one for one in movers if asleep.get(one, 0) <= step]
            some = awake if awake and (self.random.random() < 0.4 or not running) else running
            if not some:
                continue
            one = self.random.choice(some)
            try:
                at = next(one)
                if some is awake and self.random.random() < 0.03:
                    self.crashes[at] += 1
                    movers.remove(one)
                elif some is awake and self.random.random() < 0.1:
                    asleep[one] = step + self.random.choice([20, 200, 2_000])
            except StopIteration:
                (movers if some is awake else running).remove(one)
        self.finish(running)

    def begin(self, movers):
        """Now and then a move begins, one goes on, by whoever comes, or one is given up."""
        if self.random.random() > 0.05:
            return
        ledger = self.random.randrange(LEDGERS)
        place = self.directory[ledger]
        if not self.stops:
            place.begin(self.random.randrange(CLUSTERS))
            if place.phase == "copies" and self.random.random() < 0.1:
                place.turn(place.move, "gives up", "copies")
                self.counts["moves given up"] += 1
        if place.phase != "rests" and len(movers) < 15:
            movers.append(self.mover(ledger))

    def finish(self, running):
        check(not running, "devices wait for ever")
        for ledger, place in self.directory.items():
            rows = [(number, c.rows[ledger]) for number, c in enumerate(self.clusters)
                    if ledger in c.rows and c.rows[ledger].state in ("open", "frozen")]
            check(len(rows) == 1 and rows[0][0] == place.at and rows[0][1].state == "open", "not in one cluster")
            log = rows[0][1].log
            check(len(log) >= len(self.known[ledger]), "what was acknowledged is lost")
            check(len({entry[:2] for entry in log}) == len(log), "an entry is there twice")
            for position, its_link in enumerate(self.known[ledger], 1):
                check(its_link in (None, log[position - 1][2]), "what was acknowledged has moved")


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    counts, crashes = Counter(), Counter()
    for seed in range(seeds):
        world = World(seed)
        try:
            world.run()
        except Wrong as wrong:
            raise SystemExit(f"seed {seed}: {wrong}")
        counts += world.counts
        crashes += world.crashes
    print(f"{seeds} seeds: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
    print("crashes after: " + ", ".join(f"{name} {count}" for name, count in crashes.items()))
    check(set(crashes) == STEP_NAMES, f"no crash after {STEP_NAMES - set(crashes)}")
    for fault in FAULTS:
        print(f"{fault}: {noticed(fault)}")


def noticed(fault):
    """What the first seed says that notices it."""
    for seed in range(1_000):
        try:
            World(seed, fault).run()
        except Wrong as wrong:
            return f"seed {seed}: {wrong}"
    raise SystemExit(f"nobody notices: {fault}")


if __name__ == "__main__":
    main()
