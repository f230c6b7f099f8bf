"""Goal: a year of a bank's rows, imported in pieces that overlap by devices that know nothing of each other, is on each of
them what the bank's own figures say, though their relay, or the leader of their relays' cluster, is killed while they exchange.

Method: sync_kills.py's three ledgers and their relay, or two relays on a cluster of three nodes. The Czech bank's transactions of 1993 are
cut into three pieces between days, and each is imported on one device, that has not synced since it joined. Then all three
sync amid kills, until every device has everything; then the figures of each ledger are compared with
reference.json, and the three with each other.

DAYBOOK_POSTGRES says how to reach a cluster, and DAYBOOK_CLUSTER where Tools/scripts/postgres-cluster made it.

Usage: sync_berka.py DAYBOOK DAYBOOK-RELAY FOLDER [KILLS [SEED]]; KILLS counts leaders where there is a cluster, else relays. Where there are no data, it says so.
"""

import json
import os
import subprocess
import sys
import threading
import time

from sync_kills import DEVICES, Trials

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
DATA = os.environ.get("DAYBOOK_OUTSIDE", os.path.join(ROOT, "../shared/data")) + "/berka-1993"
MAPPING = f"{ROOT}/Tests/OutsideData/mappings/berka-1993.json"
# Which shares of the file's days each device has.
PIECES = [(0.0, 0.6), (0.3, 0.9), (0.5, 1.0)]
TODAY = ["--today", "1994-01-01"]


class Bank(Trials):
    def chart(self):
        """A journal that names all accounts and categories of the file, and has no rows."""
        self.make("whole")
        self.must("whole", "import", f"{DATA}/trans.asc", "--mapping", MAPPING)
        accounts = self.must("whole", "accounts", "list")["accounts"]
        categories = self.must("whole", "categories", "list")
        names = [f"assets:{row['account']['name']}" for row in accounts]
        names += [f"{row['kind']}:{categories['names'][row['id']]}" for row in categories["categories"]]
        path = f"{self.folder}/chart.journal"
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"account {name.replace('expense:', 'expenses:')}\n" for name in names)
        return path

    def make(self, device):
        subprocess.run([self.daybook, "init", "--ledger", self.ledger(device), "--base", "CZK"],
                       check=True, stdout=subprocess.DEVNULL)

    def first_rows(self):
        self.make("phone")
        self.must("phone", "import", self.chart())

    def pieces(self):
        """Imports each piece on its device; how many rows that were."""
        with open(f"{DATA}/trans.asc", encoding="utf-8") as file:
            first, *rows = file
        days = sorted({row.split(";")[2] for row in rows})
        count = 0
        for device, (start, end) in zip(DEVICES, PIECES):
            piece = set(days[int(start * len(days)):int(end * len(days))])
            path = f"{self.folder}/{device}.csv"
            with open(path, "w", encoding="utf-8") as file:
                file.writelines([first] + [row for row in rows if row.split(";")[2] in piece])
            summary = self.must(device, "import", path, "--mapping", MAPPING)
            equal("duplicates", summary["duplicates"], 0)
            equal("new accounts", summary["createdAccounts"], [])
            count += summary["imported"]
        return count

    def exchange(self, kills):
        """All sync at once, again and again, until so many were killed; how often that was refused."""
        faults, refused = [], []
        over = threading.Event()

        def work(device):
            while not over.is_set():
                _, (code, error) = self.run(device, "sync")
                if code == 75:
                    refused.append(device)
                elif code != 0:
                    faults.append(f"{device}: sync ended with {code}: {error}")
                    return

        threads = [threading.Thread(target=work, args=(device,)) for device in DEVICES]
        for thread in threads:
            thread.start()
        try:
            while self.killed() < kills and not faults:
                time.sleep(self.random.random())
                self.kill_something()
        finally:
            over.set()
            for thread in threads:
                thread.join()
        if faults:
            raise SystemExit("\n".join(faults))
        return len(refused)

    def compare(self, device, reference):
        """A ledger's figures with the bank's."""
        equal("rows", self.must(device, "list", "--count")["count"], reference["rows"])
        balance = self.must(device, "balance", *TODAY)
        equal("net", cents(balance["worth"]), reference["net"])
        equal("accounts", {row["account"]["name"]: cents(row["balance"]) for row in balance["balances"]},
              {f"Bank {name}": net for name, net in reference["net_by_account"].items()})
        months = self.must(device, "months", "--count", "12", "--through", "1993-12", "--currency", "CZK", *TODAY)
        found = {row["month"]: row["totals"][0] for row in months["months"]}
        equal("months", {month: {"credits": cents(row["income"]), "debits": cents(row["expense"]), "rows": row["count"]}
                         for month, row in found.items()}, reference["by_month"])
        nets = {}
        for kind, sign in [("income", 1), ("expense", -1)]:
            top = self.must(device, "categories", "top", "--kind", kind, "--no-roll-up", "--year", "1993", *TODAY)
            for row in top["categories"]:
                path = top["names"][row["category"]["id"]].split(":")
                name = path[1] if len(path) > 1 else ""
                nets[name] = nets.get(name, 0) + sign * cents(row["amount"])
        with open(MAPPING, encoding="utf-8") as file:
            renamed = json.load(file)["values"]["k_symbol"]
        equal("symbols", nets, {renamed.get(name, ""): row["net"] for name, row in reference["by_k_symbol"].items()})


def cents(amount):
    whole, part = amount["amount"].split(".")
    if amount["currency"] != "CZK" or len(part) != 2:
        raise SystemExit(f"{amount} is no amount of crowns")
    return int(whole + part)


def equal(name, found, expected):
    if found != expected:
        raise SystemExit(f"{name}: {str(found)[:500]}, and not {str(expected)[:500]}")


def main():
    if not os.path.isdir(DATA):
        print("Skipped: the bank's rows on three devices. ../shared/data/berka-1993 is not there.")
        return
    daybook, relay, folder = sys.argv[1:4]
    kills = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    trials = Bank(daybook, relay, folder, int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    with open(f"{DATA}/reference.json", encoding="utf-8") as file:
        reference = json.load(file)
    try:
        trials.found()
        count = trials.pieces()
        began = time.monotonic()
        refused = trials.exchange(kills)
        print(f"  {kills} {'leaders' if trials.cluster else 'relays'} killed in {time.monotonic() - began:.0f} s, {refused} exchanges refused", flush=True)
        trials.settle()
        for device in DEVICES:
            trials.compare(device, reference)
    finally:
        trials.close()
    print(f"ok: {count} rows of three pieces are the {reference['rows']} of the file on each device, all figures the bank's")


if __name__ == "__main__":
    main()
