"""What the page and its API take, of one ledger: Tools/scripts/measure-page says how it is called.

Processor time is the server's alone, so that it says something where the machine has other work too.
Usage: page.py DAYBOOK-SERVE LEDGER TODAY [PART…]
"""
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time

from serving import Server, measured, table

binary, ledger, today = sys.argv[1:4]
port = int(os.environ.get("PORT", "8499"))
# The bars: issue and Docs/Performance.md.
CPU_MS, RAW, PACKED, START_S, IDLE_MB, READS = 5, 60_000, 15_000, 0.1, 40, 2_000


def serve():
    return Server([binary, "--ledger", ledger, "--port", str(port), "--today", today], port, "/v1/info")


def starts():
    seconds, idle = [], []
    for _ in range(7):
        server = serve()
        seconds.append(server.start_seconds)
        time.sleep(0.5)
        idle.append(server.memory())
        server.stop()
    least, usual = min(seconds), statistics.median(seconds)
    resident, own = idle[-1]
    print(f"Start to first answer: {least:.3f} s at best, {usual:.3f} s as a rule{mark(least, START_S)}.")
    print(f"Idle: {resident:.0f} MB resident, of which {own:.0f} are its own{mark(resident, IDLE_MB)}.\n")


def mark(value, bar):
    return f" (bar {bar:,}: {'met' if value <= bar else '**not met**'})"


def paths(server):
    """Every page, at its usual address and where it is likely to be slowest."""
    def listed(path, name):
        return json.loads(server.get(path)[1])[name]
    accounts = listed("/v1/accounts?limit=500", "accounts")
    account = next(one["account"]["id"] for one in accounts if one["account"]["name"] == "Checking")
    category = next(one["id"] for one in listed("/v1/categories?limit=500", "categories") if one["name"] == "Groceries")
    newest = listed("/v1/transactions?limit=1", "transactions")[0]
    oldest = listed(f"/v1/transactions?limit=1&through={today[:2]}20-06-01", "transactions")[0]
    deep = re.search(r'after=([^"&]*)', server.get("/transactions?through=2023-02-15")[1].decode()).group(1)
    budget = listed("/v1/budgets", "budgets")
    row = f"/transactions/{newest['id']}"
    made = re.search(r'/history/(\d+)', server.get(row)[1].decode().split('id="why"')[1]).group(1)
    found = [
        ("/", "overview"), ("/transactions", "list"), (f"/transactions?after={deep}", "list, half way down"),
        (f"/transactions?account={account}", "list of an account, with balances"),
        (f"/transactions?category={category}&type=expense", "list of a category"),
        ("/transactions?text=rewe", "search"), ("/transactions?text=zzzz", "search, nothing found"),
        (row, "row, with its why"), (f"/transactions/{oldest['id']}", "old row, with its why"),
        (row + "/edit", "form of a row"), ("/transactions/new", "new row"), ("/accounts", "accounts"),
        ("/accounts?on=2022-03-01", "accounts, on a day"), (f"/accounts/{account}/edit", "form of an account"),
        (f"/why/{account}", "why of an account"), ("/categories", "categories"), ("/envelopes", "envelopes"),
        ("/categories?month=2023-05", "categories, of a month"), (f"/categories/{category}", "category"),
        ("/budgets", "budgets"), ("/recurring", "recurring"), ("/rules", "rules"), ("/rates", "rates"),
        ("/import", "import"), ("/statements", "statements"), (f"/reconcile/{account}", "reconcile"),
        ("/history", "history"), (f"/history/{made}", "commit of an import"),
        ("/inbox", "inbox"), ("/reports", "report of categories"), ("/reports?per=year", "report of categories, by year"),
        ("/reports?by=payee", "report of payees"), ("/reports?by=payee&per=year", "report of payees, by year"),
        ("/reports?by=tag", "report of tags"), ("/reports?by=tag&per=year", "report of tags, by year"),
        ("/reports?by=account", "report of accounts"), ("/reports?by=account&per=year", "report of accounts, by year"),
        (f"/transactions?from={today[:4]}-01-01", "list of a year, with sums"),
        ("/transactions?text=rewe&type=expense", "search, with sums"),
        ("/categories?on=2022-03-01", "categories, on a day"), ("/envelopes?months=6", "envelopes, six months"),
        ("/health", "health"), ("/settings", "settings"), ("/compare?from=5", "compare"),
        ("/?asOf=2024-06-30", "overview, as of a day"), ("/transactions?asOf=2024-06-30", "list, as of a day"),
        ("/assets/page.js", "scripts"), ("/assets/page.css", "style"),
    ]
    if budget:
        found.insert(19, (f"/budgets/{budget[0]['budget']['id']}", "budget"))
    return found


def pages(server):
    rows = []
    for path, name in paths(server):
        first = time.perf_counter()
        server.get(path)
        first = (time.perf_counter() - first) * 1000
        # Where one answer takes long, a few say enough.
        one = measured(server, path, 40 if first < 30 else 3, 3 if first < 30 else 0)
        over = [word for word, holds in (("time", one["cpu"] <= CPU_MS), ("bytes", one["bytes"] <= RAW),
                                         ("packed", one["packed"] <= PACKED), (str(one["status"]), one["status"] == 200)) if not holds]
        rows.append((name, f"{first:.1f}", f"{one['cpu']:.2f}", f"{one['wall']:.2f}", f"{one['bytes'] / 1000:.1f}",
                     f"{one['packed'] / 1000:.1f}", "met" if not over else "**not met**: " + ", ".join(over)))
    print(table(["page", "first, ms", "processor, ms", "clock, ms", "kB", "kB packed", f"{CPU_MS} ms, 60 and 15 kB"], rows) + "\n")
    resident, own = server.memory()
    print(f"After that: {resident:.0f} MB resident, of which {own:.0f} are its own.\n")


def wrk(path, seconds=5):
    """Answers a second, those left out that only say that there were too many requests; and how many these were."""
    text = subprocess.run(["wrk", "-t1", "-c8", f"-d{seconds}", f"http://127.0.0.1:{port}{path}"],
                          capture_output=True, text=True, check=True).stdout
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    refused = int(failed.group(1)) if failed else 0
    return float(re.search(r"Requests/sec:\s*([\d.]+)", text).group(1)) - refused / seconds, refused


def reads(server):
    rows = []
    for path in ("/v1/accounts", "/v1/reports/balances", "/v1/transactions?limit=50", "/v1/transactions?limit=50&text=rewe",
                 "/v1/budgets", "/v1/info"):
        before = server.cpu_seconds()
        rate, failed = wrk(path)
        used = server.cpu_seconds() - before
        time.sleep(1)
        size = len(server.get(path)[1])
        rows.append((f"`{path}`", f"{rate:,.0f}", f"{used / max(rate * 5, 1) * 1e6:.0f}", f"{size / 1000:.1f}",
                     ("met" if rate >= READS else "**not met**") + (", as many as the server lets through" if failed else "")))
    print(table(["read", "a second", "processor, µs each", "kB", f"{READS:,} a second"], rows) + "\n")


class Stream(threading.Thread):
    """A stream of changes that is read to its end."""

    def __init__(self):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.connection.request("GET", "/v1/changes")
        self.answer = self.connection.getresponse()
        self.heard = []
        self.start()

    def run(self):
        try:
            while line := self.answer.fp.readline():
                if line.startswith(b"event: commit"):
                    self.heard.append(time.perf_counter())
        except (OSError, ValueError, AttributeError):
            pass


def streams(server, count=100):
    def state():
        time.sleep(1)
        before = server.cpu_seconds()
        time.sleep(10)
        idle = (server.cpu_seconds() - before) / 10 * 1000
        rate, _ = wrk("/v1/accounts", 5)
        return idle, rate, server.memory()[0]
    alone = state()
    open_streams = [Stream() for _ in range(count)]
    beside = state()
    late = []
    for number in range(5):
        for stream in open_streams:
            stream.heard.clear()
        body = json.dumps({"name": f"Measured {time.time()} {number}", "kind": "expense"})
        connection = http.client.HTTPConnection("127.0.0.1", port)
        begun = time.perf_counter()
        connection.request("POST", "/v1/categories", body, {"Content-Type": "application/json"})
        connection.getresponse().read()
        time.sleep(0.5)
        late += [stream.heard[0] - begun for stream in open_streams if stream.heard]
    for stream in open_streams:
        stream.connection.sock and stream.connection.sock.close()
    print(table(["open streams", "processor while idle, ms a second", "reads of `/v1/accounts` a second", "MB resident"],
                [(0, f"{alone[0]:.2f}", f"{alone[1]:,.0f}", f"{alone[2]:.0f}"),
                 (count, f"{beside[0]:.2f}", f"{beside[1]:,.0f}", f"{beside[2]:.0f}")]))
    print(f"\nA commit was heard of by {len(late) // 5} of {count} streams, {statistics.median(late) * 1000:.0f} ms after it was "
          f"sent as a rule, {max(late) * 1000:.0f} at most (bar 100).\n")


print(f"A ledger of {os.environ.get('COUNT', '?')} rows, `{os.path.basename(binary)}`, {os.cpu_count()} cores; "
      f"load {os.getloadavg()[0]:.1f} at the beginning.\n")
parts = sys.argv[4:] or ["starts", "pages", "reads", "streams"]
if "starts" in parts:
    starts()
server = serve()
try:
    for part in (pages, reads, streams):
        if part.__name__ in parts:
            part(server)
finally:
    server.stop()
