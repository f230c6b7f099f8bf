"""Goal: whatever is killed and when, devices that share a ledger lose nothing that was acknowledged, record nothing
twice, and end up equal.

Method: real processes on loopback. Three ledgers share a log through one relay. Commands that record, change,
delete and sync run on all three at once and are killed (SIGKILL) after a random time, the relay too. What ended with
0 was acknowledged. Now and then nothing is killed until all have everything; then every device must list the same
rows, with each acknowledged effect once, `verify` must pass, and the relay's chain must be whole.

Where DAYBOOK_POSTGRES says how to reach a cluster, and DAYBOOK_CLUSTER where Tools/scripts/postgres-cluster made it, two
relays stand before it, and its leaders are killed, too.

Usage: sync_kills.py DAYBOOK DAYBOOK-RELAY FOLDER [KILLS [SEED]]; KILLS counts leaders where there is a cluster.
"""

import json
import os
import random
import subprocess
import sys
import threading
import time

from servers import POSTGRES, Cluster, Relay

PORT = int(os.environ.get("PORT", "8499"))
DEVICES = ["phone", "laptop", "server"]


class Trials:
    def __init__(self, daybook, relay, folder, seed):
        self.daybook, self.folder = daybook, folder
        self.random = random.Random(seed)
        self.cluster = self.find_cluster()
        place = ["--postgres", POSTGRES] if POSTGRES else ["--folder", f"{folder}/relay"]
        self.relays = [Relay(relay, place, PORT + n) for n in range(2 if POSTGRES else 1)]
        self.lock = threading.Lock()
        self.kills = 0
        self.relay_kills = 0
        self.last = 0
        # What was acknowledged: of each row, by its description, the amounts that it may have and whether it may be gone.
        self.rows = {}
        # Of those that were killed: it may be there or not.
        self.unsure = set()

    def find_cluster(self):
        return Cluster(os.environ["DAYBOOK_CLUSTER"], self.random) if POSTGRES else None

    def ledger(self, device):
        return f"{self.folder}/{device}.daybook"

    def run(self, device, *words, kill_after=None):
        """Runs a command; its output, or None where it was killed or refused, and whether it was acknowledged."""
        process = subprocess.Popen(
            [self.daybook, *words, "--ledger", self.ledger(device), "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, error = process.communicate(timeout=kill_after if kill_after is not None else 120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            if kill_after is None:
                raise SystemExit(f"{device}: {' '.join(words)} does not end")
            return None, None
        if process.returncode < 0:
            raise SystemExit(f"{device}: {' '.join(words)} died by signal {-process.returncode}: {error}")
        return (json.loads(out) if process.returncode == 0 and out else None), (process.returncode, error)

    # For how many seconds what a relay refuses for now is done again.
    patience = 0

    def must(self, device, *words):
        end = time.monotonic() + self.patience
        out, (code, error) = self.run(device, *words)
        while code == 75 and time.monotonic() < end:
            time.sleep(0.5)
            out, (code, error) = self.run(device, *words)
        if code != 0:
            raise SystemExit(f"{device}: {' '.join(words)} ended with {code}: {error}")
        return out

    def relay(self, device):
        """The address of the relay that a device was told of."""
        return self.relays[DEVICES.index(device) % len(self.relays)].url

    def start_relays(self):
        for relay in self.relays:
            relay.start()

    def found(self):
        first = self.relays[0]
        if POSTGRES:
            first.run("migrate")
        token = first.make()
        self.start_relays()
        self.first_rows()
        started = self.must("phone", "sync", "start", "--relay", self.relay("phone"), "--token", token)
        code = started["code"]
        for device in DEVICES[1:]:
            self.must(device, "sync", "join", code, "--relay", self.relay(device))
            if device != DEVICES[-1]:
                code = self.must("phone", "sync", "invite")["code"]

    def first_rows(self):
        """What the first device has before it shares."""
        subprocess.run([self.daybook, "init", "--ledger", self.ledger("phone"), "--base", "EUR"],
                       check=True, stdout=subprocess.DEVNULL)
        self.must("phone", "accounts", "create", "Checking")
        self.must("phone", "categories", "create", "Food")
        self.must("phone", "categories", "create", "Home")

    # One device

    def step(self, device, chance):
        kill_after = chance.choice([None, chance.random() * 0.02, chance.random() * 0.3, chance.random()])
        if kill_after is not None:
            with self.lock:
                self.kills += 1
        choice = chance.random()
        if choice < 0.4:
            self.add(device, chance, kill_after)
        elif choice < 0.55:
            self.change(device, chance, kill_after)
        elif choice < 0.62:
            self.delete(device, chance, kill_after)
        else:
            _, ended = self.run(device, "sync", kill_after=kill_after)
            # 75: try again; the relay was down. Anything else is a fault.
            if ended and ended[0] not in (0, 75):
                raise SystemExit(f"{device}: sync ended with {ended[0]}: {ended[1]}")

    def add(self, device, chance, kill_after):
        with self.lock:
            self.last += 1
            name = f"row {self.last}"
            self.unsure.add(name)
            self.rows[name] = None
        amount = chance.randrange(1, 10_000)
        out, ended = self.run(
            device, "add", "expense", f"{amount / 100:.2f}", "--account", "Checking", "--category",
            chance.choice(["Food", "Home"]), "--description", name, "--on", "2026-02-01", kill_after=kill_after)
        with self.lock:
            self.rows[name] = {amount}
            if ended is not None:
                if ended[0] != 0:
                    raise SystemExit(f"{device}: add ended with {ended[0]}: {ended[1]}")
                self.unsure.discard(name)

    def some_row(self, device, chance):
        out, _ = self.run(device, "list", "--limit", "200")
        rows = out["transactions"] if out else []
        return chance.choice(rows) if rows else None

    def change(self, device, chance, kill_after):
        row = self.some_row(device, chance)
        if row is None:
            return
        amount = chance.randrange(1, 10_000)
        with self.lock:
            self.rows[row["description"]].add(amount)
        self.run(device, "edit", row["id"], "--amount", f"{amount / 100:.2f}", kill_after=kill_after)

    def delete(self, device, chance, kill_after):
        row = self.some_row(device, chance)
        if row is None:
            return
        with self.lock:
            self.unsure.add(row["description"])
        self.run(device, "delete", row["id"], kill_after=kill_after)

    # All of them

    def round(self, steps):
        """All devices at once, and the relay killed amid."""
        faults = []

        def work(device, seed):
            chance = random.Random(seed)
            try:
                for _ in range(steps):
                    self.step(device, chance)
            except SystemExit as fault:
                faults.append(str(fault))
            except Exception as fault:  # noqa: BLE001 - told below, and ends the trials
                faults.append(f"{device}: {fault!r}")

        threads = [threading.Thread(target=work, args=(d, self.random.random())) for d in DEVICES]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(self.random.random() * 3)
            if any(thread.is_alive() for thread in threads):
                self.kill_something()
        if faults:
            raise SystemExit("\n".join(faults))

    def kill_something(self):
        if self.cluster and self.random.random() < 0.6:
            self.cluster.kill_leader()
        else:
            relay = self.random.choice(self.relays)
            relay.kill()
            self.relay_kills += 1
            relay.start()

    def killed(self):
        return self.cluster.kills if self.cluster else self.kills + self.relay_kills

    def settle(self):
        """Nothing is killed, until all have everything; then all have to be equal. The rows, by id."""
        self.start_relays()
        for _ in range(3):
            for device in DEVICES:
                self.must(device, "sync")
        lists, orders = {}, {}
        for device in DEVICES:
            rows = self.must(device, "list", "--limit", "100000")["transactions"]
            lists[device] = {row["id"]: row for row in rows}
            orders[device] = [row["id"] for row in rows]
        first = lists[DEVICES[0]]
        for device in DEVICES[1:]:
            if lists[device] != first:
                ids = [i for i in {*first, *lists[device]} if first.get(i) != lists[device].get(i)]
                raise SystemExit(f"{device} and {DEVICES[0]} differ: "
                                 f"{first.get(ids[0])} / {lists[device].get(ids[0])}, {len(ids)} rows")
            if orders[device] != orders[DEVICES[0]]:
                raise SystemExit(f"{device} and {DEVICES[0]} list rows in different orders")
        for device in DEVICES:
            self.must(device, "verify")
            status = self.must(device, "sync", "status")
            if status["pending"] or not all(d.get("proof", {}).get("isEqual", True) for d in status["devices"]):
                raise SystemExit(f"{device}: {status}")
        self.relays[0].run("verify")
        return first

    def rest(self):
        """All settle, and each acknowledged effect has to be there once; how many rows there are."""
        first = self.settle()
        names = [row["description"] for row in first.values()]
        if len(names) != len(set(names)):
            raise SystemExit("a row is there twice: " + next(n for n in names if names.count(n) > 1))
        missing = set(self.rows) - set(names) - self.unsure
        if missing:
            raise SystemExit(f"lost, though acknowledged: {sorted(missing)}")
        for row in first.values():
            amount = amount_of(row)
            if amount not in self.rows[row["description"]]:
                raise SystemExit(f"nobody recorded this amount: {row}")
        # What was never recorded stays unrecorded: it is known now.
        for name in self.unsure - set(names):
            self.rows.pop(name, None)
        self.unsure.clear()
        return len(first)

    def finish(self):
        """What is looked at once, when nothing is killed any more."""

    def close(self):
        for relay in self.relays:
            relay.kill()


def amount_of(row):
    """What an expense comes to, in cents."""
    return next(round(float(posting["amount"]) * 100) for posting in row["postings"] if "category" in posting)


def main(kind=Trials):
    daybook, relay, folder = sys.argv[1:4]
    kills = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    trials = kind(daybook, relay, folder, seed)
    print(f"three devices and {'two relays on a cluster' if POSTGRES else 'a relay'}, seed {seed}", flush=True)
    try:
        trials.found()
        while trials.killed() < kills:
            trials.round(8)
            count = trials.rest()
            leaders = f", {trials.cluster.kills} leaders" if trials.cluster else ""
            print(f"  {trials.kills} commands and {trials.relay_kills} relays{leaders} killed: {count} rows, all equal",
                  flush=True)
        trials.finish()
    finally:
        trials.close()
    print("ok")


if __name__ == "__main__":
    main()
