"""Pushes and pulls through a relay, beside the schema's push and a plain select by pgbench, on one cluster, in one run.

Each round asks everything of everybody, in turns whose order changes, so that a machine that gets slower or faster
decides nothing. What is told is the median of the rounds, and of each round's ratio to the bare one.

Usage: relay.py RELAY-MEASURE DAYBOOK-RELAY CLUSTER FOLDER; SECONDS_EACH and ROUNDS say how long.
"""

import glob
import os
import resource
import statistics
import subprocess
import sys

from serving import Server, free_port, table

SECONDS = float(os.environ.get("SECONDS_EACH", "4"))
ROUNDS = int(os.environ.get("ROUNDS", "5"))
BODY, DIGEST = "ab" * 330, "cd" * 32
KINDS = {"push": "push", "last": "pull of the last 500", "amid": "pull of a full page (10,433) amid a log"}
ROWS = [(kind, clients) for kind in KINDS for clients in (1, 16)]
# (least of the bare rate, most of the bare p50, most of the bare p99)
BARS = {("push", 1): (None, 1.3, None), ("push", 16): (0.7, None, 2), ("last", 1): (0.8, None, None),
        ("last", 16): (0.8, None, None)}
PUSH = f"""push(md5('l' || :k::text)::uuid, 1, array[:n::int8], array[0::int8], array[null::int8],
  array['\\x{DIGEST}'::bytea], array['\\x{BODY}'::bytea], 1, 0)"""
SCRIPTS = {
    "push": f"\\set n :n + 1\n\\set k :base + :client_id\nselect * from {PUSH};\n",
    "last": "select position, received, link, body from entry where ledger = md5('log')::uuid and position > 11500\n"
            "  order by position limit 500;\n",
    "amid": "select position, received, link, body from entry where ledger = md5('log')::uuid and position > 0\n"
            "  order by position limit 10433;\n",
}
# As one is tempted to do it: a commit with a call waits for every other such commit, its flush and its standbys.
SCRIPTS["calling"] = SCRIPTS["push"].replace("select *", "select pg_notify('daybook_measure', :k::text), *")


class Bare:
    """The schema's own function and a plain select, by pgbench."""

    def __init__(self, url, folder):
        self.url, self.folder, self.base = url, folder, 0
        self.bench = sorted(glob.glob("/usr/lib/postgresql/*/bin/pgbench") or ["pgbench"])[-1]
        self.sql("insert into ledger (id, received, link, trimmed_received, trimmed_link, quota, incarnation) "
                 "select md5(n)::uuid, 0, sha256('a'), 0, sha256('a'), 1::int8 << 40, 1 "
                 "from (select 'log' union all select 'l' || generate_series(0, 9999)) names (n)")
        log = PUSH.replace("'l' || :k::text", "'log'").replace(":n", "i")
        self.sql(f"select count(*) from generate_series(1, 12000) i, lateral {log}")
        for name, script in SCRIPTS.items():
            with open(f"{folder}/{name}.sql", "w") as file:
                file.write(script)

    def sql(self, statement):
        return subprocess.run(["psql", "-qAtX", self.url, "-c", statement], capture_output=True, text=True, check=True)

    def measure(self, kind, clients):
        """How many a second, and p50 and p99 in milliseconds."""
        self.base += clients
        subprocess.run(
            [self.bench, "-n", "-M", "prepared", "-c", str(clients), "-j", str(min(clients, os.cpu_count())), "-T", str(round(SECONDS)),
             "-D", "n=0", "-D", f"base={self.base}", "-f", f"{self.folder}/{kind}.sql", "-l", f"--log-prefix={self.folder}/log",
             self.url], capture_output=True, check=True)
        times = []
        for path in glob.glob(f"{self.folder}/log.*"):
            with open(path) as file:
                times += [int(line.split()[2]) / 1_000 for line in file]
            os.remove(path)
        times.sort()
        return len(times) / round(SECONDS), times[len(times) // 2], times[len(times) * 99 // 100]


class Load:
    """A store within relay-measure, or a relay's process over HTTP."""

    def __init__(self, program, place, tokens, server=None):
        self.program, self.place, self.tokens, self.server = program, place, tokens, server

    def measure(self, kind, clients):
        """How many a second, p50 and p99 in milliseconds; then processor time of the relay and of what asks, in
        milliseconds each."""
        before, own = self.server.cpu_seconds() if self.server else 0, children_seconds()
        out = subprocess.run([self.program, kind, self.place, str(clients), str(SECONDS), self.tokens],
                             capture_output=True, text=True)
        if out.returncode != 0:
            raise SystemExit(f"{self.place}, {kind}, {clients}: {out.stdout}{out.stderr}")
        rate, *times = map(float, out.stdout.split())
        used = (self.server.cpu_seconds() if self.server else 0) - before
        count = max(1, rate * SECONDS)
        return rate, *times, used * 1_000 / count, (children_seconds() - own) * 1_000 / count


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def median(results, column):
    return statistics.median(each[column] for each in results)


def cell(results):
    digits = [f"{median(results, column):.3g}" for column in (1, 2)]
    return f"{median(results, 0):,.0f}/s ({', '.join(digits)})"


def ratios(bare, other, column):
    return sorted(theirs[column] / mine[column] for mine, theirs in zip(bare, other))


def spread(values):
    return f"{statistics.median(values):.2f} ({values[0]:.2f}–{values[-1]:.2f})"


def verdicts(results):
    for row, bars in BARS.items():
        for column, bar, name in zip(range(3), bars, ["a second", "p50", "p99"]):
            if bar is None:
                continue
            values = ratios(results[row, "bare"], results[row, "relay"], column)
            met = statistics.median(values) >= bar if column == 0 else statistics.median(values) <= bar
            yield (f"{KINDS[row[0]]}, {row[1]} at a time, {name}: {spread(values)} of bare, "
                   f"{'at least' if column == 0 else 'at most'} {bar}: {'met' if met else 'MISSED'}")


def main():
    program, relay, url, folder = sys.argv[1:5]
    subprocess.run([relay, "migrate", "--postgres", url], capture_output=True, check=True)
    # One device in a loop asks more often than a relay lets a device.
    environment = os.environ | {"DAYBOOK_RELAY_REQUESTS_PER_SECOND": "1000000"}
    columns = {"bare": Bare(url, folder)}
    for name, place, flag in [("relay", url, "--postgres"), ("embedded", f"{folder}/embedded", "--folder")]:
        tokens = f"{folder}/{name}.tokens"
        subprocess.run([program, "prepare", place, tokens], check=True)
        port = free_port()
        server = Server([relay, "serve", flag, place, "--port", str(port)], port, "/health/live", environment)
        columns[name] = Load(program, f"http://127.0.0.1:{port}", tokens, server)
        if name == "relay":
            columns["store"] = Load(program, place, tokens)
    # As a database has it that is in use for a day.
    columns["bare"].sql("analyze")
    results = {}
    try:
        for number in range(ROUNDS):
            for index, (kind, clients) in enumerate(ROWS):
                # Neither is always the first after the other kind.
                order = list(columns) if (number + index) % 2 else list(columns)[::-1]
                for name in order:
                    results.setdefault(((kind, clients), name), []).append(columns[name].measure(kind, clients))
        calling = [columns["bare"].measure("calling", 16)]
    finally:
        for load in columns.values():
            if isinstance(load, Load) and load.server:
                load.server.stop()
    print(table(["", "bare", "through the relay", "of bare", "its store alone", "embedded, through the relay"], [
        [f"{KINDS[row[0]]}, {'one device in a loop' if row[1] == 1 else '16 devices'}", cell(results[row, "bare"]),
         cell(results[row, "relay"]), spread(ratios(results[row, "bare"], results[row, "relay"], 0)),
         cell(results[row, "store"]), cell(results[row, "embedded"])] for row in ROWS]))
    print(f"\nThe bare push with a call within, 16 at a time: {cell(calling)}")
    for row in ROWS:
        for name in ("relay", "embedded"):
            print(f"{KINDS[row[0]]}, {row[1]} at a time, {name}: processor time of the relay "
                  f"{median(results[row, name], 3):.3f} ms each, of what asks {median(results[row, name], 4):.3f} ms")
    print(*verdicts(results), sep="\n")


if __name__ == "__main__":
    main()
