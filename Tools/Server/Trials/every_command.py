"""Goal: whatever commands are run on three devices and whatever is killed, every device can go on sending, and all
end up equal and sound.

Method: as sync_kills.py, with the built command's whole list of commands. The list is compared with what the command
says of itself: a new command has to be added here, to what is run or to what only reads.

Usage: every_command.py DAYBOOK DAYBOOK-RELAY FOLDER [STEPS [SEED]]; each device runs STEPS commands.
"""

import json
import os
import shutil
import subprocess
import sys

from sync_kills import DEVICES, Trials

# Exit codes that say that nothing was recorded, and why; see Docs/CommandLine.md.
REFUSED = {1, 64, 65, 66, 73}
TRY_AGAIN = 75

READING = set("""
    info sample serve list register search show balance networth months insights payees tags duplicates inbox history help
    completions manual mappings accounts categories rate assertions rules recurring budget holidays holidays.list
    mappings.list mappings.show accounts.list categories.list categories.top categories.trend rate.list rate.convert assertions.list
    assertions.check rules.list rules.preview recurring.list recurring.upcoming recurring.forecast budget.list
    budget.show budget.invalidate envelopes envelopes.list envelopes.moves envelopes.goals attachments attachments.list
    attachments.save attachments.tidy interest interest.accrued loan loan.plan accounts.terms accounts.terms.show
    transfers transfers.find sync.status sync.devices export verify retention
    """.split())
# Run by the trial itself, around the others.
AROUND = {"init", "sync", "sync.now", "sync.start", "sync.invite", "sync.join", "sync.watch", "sync.relay", "sync.leave"}

ACCOUNTS = ["A1", "A2", "A3", "A4"]
CATEGORIES = ["C1", "C2", "C3", "C4", "C5"]  # the last one of income
SERIES = ["Rent", "Gym", "Wage"]
BUDGETS = ["B1", "B2"]
RULES = ["R1", "R2"]
STATEMENT = "Date,Amount,Payee\n2026-02-0{},{}.25,Shop {}\n2026-02-1{},-{}.25,Rewe\n2026-02-1{},-{}.25,Rewe\n"
MAPPING = ["--date-column", "Date", "--amount-column", "Amount", "--payee", "Payee"]


class Writer:
    """Writes the words of commands, by chance."""

    def __init__(self, chance, row, folder):
        self.chance, self.row, self.folder = chance, row, folder

    def pick(self, names):
        return self.chance.choice(names)

    def day(self, months=(1, 3)):
        return f"2026-{self.chance.randint(*months):02}-{self.chance.randint(1, 28):02}"

    def amount(self):
        return f"{self.chance.randrange(1, 99_999) / 100:.2f}"

    def file(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def maybe(self, *words):
        return list(words) if self.chance.random() < 0.4 else []

    def add(self):
        kind = self.pick(["expense", "expense", "income", "transfer"])
        words = [kind, self.amount(), "--account", self.pick(ACCOUNTS), "--on", self.day()]
        if kind == "transfer":
            return words + ["--to", self.pick(ACCOUNTS), *self.maybe("--fee", "1.50", "--fee-category", "C1")]
        if self.chance.random() < 0.1:
            return words[:1] + words[2:] + ["--part", f"C1={self.amount()}", "--part-to", f"{self.pick(ACCOUNTS)}=1"]
        if self.chance.random() < 0.2:
            return words[:1] + words[2:] + ["--part", f"C1={self.amount()}", "--part", f"C2={self.amount()}"]
        return words + self.maybe("--category", self.pick(CATEGORIES)) + self.maybe("--payee", "Rewe")

    def edit(self):
        return [self.row, *self.maybe("--amount", self.amount()), *self.maybe("--category", self.pick(CATEGORIES)),
                *self.maybe("--type", self.pick(["expense", "refund", "income"])), *self.maybe("--on", self.day()),
                *self.maybe("--note", "noted"), "--tag", self.pick(["x", "y"])]

    def statement(self):
        digits = [self.chance.randint(1, 4) for _ in range(7)]
        path = self.file("statement.csv", STATEMENT.format(*digits))
        return [path, "--account", self.pick(ACCOUNTS), *MAPPING]

    def recurring(self):
        name = self.pick(SERIES)
        return [name, self.pick(["expense", "income"]), self.amount(), "--account", self.pick(ACCOUNTS), "--category",
                self.pick(CATEGORIES), "--from", self.day((1, 2)), "--every", self.pick(["month", "week"]),
                "--ahead", str(self.chance.randint(0, 2)), "--today", "2026-02-15"]

    def today(self):
        return ["--today", self.day((2, 3))]

    def backup(self):
        path = f"{self.folder}/backup"
        shutil.rmtree(path, ignore_errors=True)
        return [path]


# How each command is called: a function of a Writer that gives the words after its name, and how often, beside others.
COMMANDS = {
    "add": (Writer.add, 14), "edit": (Writer.edit, 8), "delete": (lambda w: [w.row], 4),
    "import": (Writer.statement, 8), "undo": (lambda w: [], 8), "redo": (lambda w: [], 5), "undelete": (lambda w: [], 4),
    "settings": (lambda w: ["--first-weekday", w.pick(["monday", "sunday"])], 1),
    "accounts.create": (lambda w: [w.pick(ACCOUNTS), *w.maybe("--opening", w.amount())], 2),
    "accounts.rename": (lambda w: [w.pick(ACCOUNTS), w.pick(ACCOUNTS)], 2),
    "accounts.numbers": (lambda w: [w.pick(ACCOUNTS), "--add", f"N{w.chance.randint(1, 9)}"], 1),
    "accounts.edit": (lambda w: [w.pick(ACCOUNTS), w.pick(["--exclude-from-totals", "--include-in-totals"])], 1),
    "accounts.correct": (lambda w: [w.pick(ACCOUNTS), w.amount(), "--on", w.day()], 1),
    "accounts.close": (lambda w: [w.pick(ACCOUNTS)], 1), "accounts.reopen": (lambda w: [w.pick(ACCOUNTS)], 3),
    "accounts.delete": (lambda w: [w.pick(ACCOUNTS), w.pick(["--keep-rows", "--with-rows"])], 1),
    "accounts.merge": (lambda w: [w.pick(ACCOUNTS), w.pick(ACCOUNTS)], 1),
    "categories.create": (lambda w: [w.pick(CATEGORIES), *w.maybe("--parent", w.pick(CATEGORIES))], 2),
    "categories.rename": (lambda w: [w.pick(CATEGORIES), w.pick(CATEGORIES)], 2),
    "categories.move": (lambda w: [w.pick(CATEGORIES), "--below", w.pick(CATEGORIES)], 2),
    "categories.edit": (lambda w: [w.pick(CATEGORIES), w.pick(["--exclude-from-totals", "--include-in-totals"])], 1),
    "categories.delete": (lambda w: [w.pick(CATEGORIES), w.pick(["--keep-rows", "--with-rows"])], 1),
    "categories.merge": (lambda w: [w.pick(CATEGORIES), w.pick(CATEGORIES)], 1),
    "opening": (lambda w: [w.pick(ACCOUNTS), w.amount()], 1),
    "rate.add": (lambda w: ["USD", "EUR", w.amount(), "--on", w.day()], 1),
    "rate.remove": (lambda w: ["USD", "EUR", "--on", w.day()], 1),
    "rate.import": (lambda w: [w.file("rates.csv", f"Date,USD\n{w.day()},1.1\n")], 1),
    "reconcile": (lambda w: [w.row, *w.maybe("--undo")], 3),
    "assertions.add": (lambda w: [w.pick(ACCOUNTS), w.amount(), "--on", w.day()], 1),
    "attachments.add": (lambda w: [w.row, w.file("receipt.txt", w.day())], 2),
    "attachments.remove": (lambda w: [w.row], 1),
    "envelopes.assign": (
        lambda w: [w.pick(CATEGORIES[:4]), w.amount(), "--month", f"2026-0{w.chance.randint(1, 3)}"], 3),
    "envelopes.move": (
        lambda w: [w.amount(), "--from", w.pick(CATEGORIES[:4]), "--to", w.pick(CATEGORIES[:4]), "--month", "2026-02"],
        3),
    "envelopes.cover": (lambda w: [w.pick(CATEGORIES[:4]), "--month", "2026-02"], 1),
    "envelopes.fill": (lambda w: ["--month", "2026-02", *w.pick([[], ["--last-month"]])], 1),
    "envelopes.remove": (lambda w: ["01890a5d-ac96-774b-bcce-b302099a8057"], 1),
    "envelopes.goal": (
        lambda w: [w.pick(CATEGORIES[:4]), w.amount(), w.pick(["--monthly", "--keep", "--by=2026-06-30"])], 1),
    "envelopes.overspending": (lambda w: [w.pick(CATEGORIES[:4]), w.pick(["carry", "cover"])], 1),
    "envelopes.exclude": (lambda w: [w.pick(ACCOUNTS)], 1),
    "envelopes.include": (lambda w: [w.pick(ACCOUNTS)], 1),
    "accounts.terms.set": (
        lambda w: [w.pick(ACCOUNTS), "--rate", w.pick(["2", "3.5"]), "--from", "2026-01-01", *w.maybe("--capitalise")], 2),
    "accounts.terms.remove": (lambda w: [w.pick(ACCOUNTS)], 1),
    "interest.post": (lambda w: ["--through", "2026-03-01"], 3),
    "interest.link": (lambda w: [w.row, w.pick(ACCOUNTS), "--due", "2026-02-01"], 1),
    "interest.skip": (lambda w: [w.pick(ACCOUNTS), "--due", "2026-02-01"], 1),
    "loan.pay": (lambda w: [w.pick(ACCOUNTS), "--from", w.pick(ACCOUNTS)], 1),
    "loan.repay": (lambda w: [w.pick(ACCOUNTS), w.amount(), "--from", w.pick(ACCOUNTS)], 1),
    "assertions.remove": (lambda w: [w.pick(ACCOUNTS), "--on", w.day()], 1),
    "rules.add": (lambda w: [w.pick(RULES), "--contains", "rewe", "--category", w.pick(CATEGORIES)], 2),
    "rules.edit": (lambda w: [w.pick(RULES), "--category", w.pick(CATEGORIES)], 1),
    "rules.move": (lambda w: [w.pick(RULES), "--first"], 1), "rules.enable": (lambda w: [w.pick(RULES)], 1),
    "rules.disable": (lambda w: [w.pick(RULES)], 1), "rules.remove": (lambda w: [w.pick(RULES)], 1),
    "rules.apply": (lambda w: [], 2),
    "transfers.link": (lambda w: ["--all", "--within", "20"], 5), "transfers.unlink": (lambda w: [w.row], 3),
    "recurring.add": (Writer.recurring, 4),
    "recurring.edit": (lambda w: [w.pick(SERIES), "--amount", w.amount(), "--scope", "future", "--since", w.day()], 1),
    "holidays.add": (lambda w: [w.day()], 1), "holidays.remove": (lambda w: [w.day()], 1),
    "recurring.generate": (lambda w: w.today(), 5),
    "recurring.pause": (lambda w: [w.pick(SERIES), *w.today()], 3),
    "recurring.resume": (lambda w: [w.pick(SERIES), *w.today()], 4),
    "recurring.stop": (lambda w: [w.pick(SERIES), *w.today()], 1),
    "recurring.skip": (lambda w: [w.pick(SERIES), w.day(), *w.maybe("--undo"), *w.today()], 4),
    "recurring.link": (lambda w: [w.pick(SERIES), w.row], 1), "recurring.unlink": (lambda w: [w.row], 1),
    "recurring.remove": (lambda w: [w.pick(SERIES), *w.maybe("--with-rows")], 1),
    "budget.add": (lambda w: [w.pick(BUDGETS), w.amount(), "--category", w.pick(CATEGORIES)], 2),
    "budget.set": (lambda w: [w.pick(BUDGETS), w.amount()], 1),
    "budget.edit": (
        lambda w: [
            w.pick(BUDGETS),
            *w.pick([["--note", "noted"], ["--every", "half-month"], ["--every", "2-weeks", "--from", w.day()],
                     ["--every", "year", "--reset-day", "04-06"]]),
        ], 1),
    "budget.archive": (lambda w: [w.pick(BUDGETS)], 1), "budget.unarchive": (lambda w: [w.pick(BUDGETS)], 1),
    "budget.delete": (lambda w: [w.pick(BUDGETS)], 1),
    "close": (lambda w: ["--through", "2026-01-15"], 1), "reopen": (lambda w: [], 2),
    "mappings.save": (lambda w: ["Bank", w.file("mapping.json", "{}"), "--for", w.statement()[0]], 1),
    "mappings.rename": (lambda w: ["Bank", "Other"], 1), "mappings.delete": (lambda w: ["Bank"], 1),
    "sync.findings": (lambda w: w.pick([["--dismiss", "all"], ["--take", "all", "--on", "2026-03-20"]]), 2),
    "purge": (lambda w: ["--keep-commits", "20"], 1), "erase": (lambda w: [w.row, "--yes"], 1),
    "rebuild": (lambda w: [], 1), "recover": (lambda w: [], 1), "compact": (lambda w: [], 1),
    "maintain": (lambda w: [], 1),
    "backup": (Writer.backup, 1),
    # `restore` writes another folder; the device goes on with it.
    "restore": (None, 1),
}


def names(command, path=()):
    """The names of all commands below one, as `--experimental-dump-help` has them."""
    for below in command.get("subcommands") or []:
        name = (*path, below["commandName"])
        yield ".".join(name)
        yield from names(below, name)


class EveryCommand(Trials):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.ran, self.recorded = {}, {}

    def check_list(self):
        dump = subprocess.run([self.daybook, "--experimental-dump-help"], check=True, stdout=subprocess.PIPE)
        known = set(names(json.loads(dump.stdout)["command"]))
        here = set(COMMANDS) | READING | AROUND
        if missing := known - here:
            raise SystemExit(f"every_command.py knows nothing of: {', '.join(sorted(missing))}")
        if gone := here - known:
            raise SystemExit(f"every_command.py knows commands that are gone: {', '.join(sorted(gone))}")

    def first_rows(self):
        super().first_rows()
        for name in ACCOUNTS:
            self.must("phone", "accounts", "create", name, "--currency", "EUR")
        for name in CATEGORIES:
            self.must("phone", "categories", "create", name, "--kind", "income" if name == "C5" else "expense")
        for name in SERIES:
            self.must("phone", "recurring", "add", name, "expense", "60", "--account", "A1", "--category", "C1",
                      "--from", "2026-01-10", "--today", "2026-01-01")
        self.must("phone", "rules", "add", "R1", "--contains", "rewe", "--category", "C2")
        self.must("phone", "budget", "add", "B1", "100", "--category", "C1")

    def step(self, device, chance):
        if chance.random() < 0.25:
            return self.exchange(device, None)
        folder = f"{self.folder}/files of {device}"
        os.makedirs(folder, exist_ok=True)
        row = self.some_row(device, chance)
        writer = Writer(chance, row["id"] if row else "2026-01-01#1", folder)
        name = chance.choices(list(COMMANDS), [weight for _, weight in COMMANDS.values()])[0]
        if name == "restore":
            return self.restore(device, folder)
        kill_after = chance.random() * 0.3 if chance.random() < 0.15 else None
        _, ended = self.run(device, *name.split("."), *COMMANDS[name][0](writer), kill_after=kill_after)
        with self.lock:
            self.kills += kill_after is not None
            self.ran[name] = self.ran.get(name, 0) + 1
            if ended is None:
                return
            self.recorded[name] = self.recorded.get(name, 0) + (ended[0] == 0)
        if ended[0] and os.environ.get("VERBOSE"):
            print(f"    {device}: {name}:", " ".join(ended[1].split())[:300], flush=True)
        if ended[0] not in REFUSED | {0, TRY_AGAIN}:
            raise SystemExit(f"{device}: {name} ended with {ended[0]}: {ended[1]}")

    def exchange(self, device, kill_after):
        _, ended = self.run(device, "sync", kill_after=kill_after)
        if ended and ended[0] not in (0, TRY_AGAIN):
            raise SystemExit(f"{device}: sync ended with {ended[0]}: {ended[1]}")

    def restore(self, device, folder):
        """The device is lost, and goes on as its backup, with its secrets put back."""
        backup, ledger = f"{folder}/backup", self.ledger(device)
        if not os.path.exists(f"{backup}/FORMAT"):
            return
        restored = f"{folder}/restored"
        shutil.rmtree(restored, ignore_errors=True)
        done = subprocess.run([self.daybook, "restore", backup, "--ledger", restored], capture_output=True, text=True)
        if done.returncode != 0:
            # A backup that was killed midway is none.
            return
        shutil.copy(f"{ledger}/sync.json", f"{restored}/sync.json")
        shutil.rmtree(ledger)
        shutil.move(restored, ledger)
        with self.lock:
            self.ran["restore"] = self.ran.get("restore", 0) + 1

    def rest(self):
        return len(self.settle())

    def finish(self):
        never = [name for name in COMMANDS if name not in self.ran]
        print(f"  {sum(self.ran.values())} commands, {sum(self.recorded.values())} accepted; never run: {never}", flush=True)


def main():
    daybook, relay, folder = sys.argv[1:4]
    steps = int(sys.argv[4]) if len(sys.argv) > 4 else 60
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    trials = EveryCommand(daybook, relay, folder, seed)
    trials.check_list()
    print(f"three devices and a relay, every command, seed {seed}", flush=True)
    try:
        trials.found()
        for _ in range(0, steps, 20):
            trials.round(20)
            count = trials.rest()
            print(f"  {trials.kills} commands and {trials.relay_kills} relays killed: {count} rows, all equal", flush=True)
        trials.finish()
    finally:
        trials.close()
    print("ok")


if __name__ == "__main__":
    main()
