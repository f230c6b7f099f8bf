"""Daybook's page beside Fava and hledger-web: the same household, the same browser, the same question.

Each program is started on its own file, and a headless Chromium opens the list of transactions once. Measured are
the time from the start to the first answer, that from asking for the list to its first row on the screen, the bytes
that came for it, and the server's memory at the end.
Usage: beside.py DAYBOOK-SERVE FAVA HLEDGER-WEB CHROMIUM FOLDER…; each folder has Household.daybook, h.beancount and
h.journal of one household.
"""
import os
import sys
import time

from playwright.sync_api import Error, sync_playwright

from serving import Server, table

daybook, fava, hledger, chromium = sys.argv[1:5]
port = int(os.environ.get("PORT", "8498"))
# How long anything may take.
LIMIT_MS = 300_000


def entrants(folder):
    """Name, command, the list's path, what is a row of it."""
    home = os.path.abspath(folder)
    return [
        ("Daybook", [daybook, "--ledger", f"{home}/Household.daybook", "--port", str(port), "--today", "2026-02-15"],
         "/transactions", "#rows .row"),
        ("Fava", [fava, "--port", str(port), f"{home}/h.beancount"], "/daybook/journal/", "ol.journal li.transaction"),
        ("hledger-web", [hledger, "--serve", "--port", str(port), "-f", f"{home}/h.journal"], "/journal",
         "table.transactionsreport tr.posting"),
    ]


def opened(browser, path, row):
    """Seconds to the first row, and the bytes that came: for the document and its data, without style and scripts."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    kinds, sizes, asked, ended = {}, {}, set(), set()
    session.on("Network.requestWillBeSent", lambda one: asked.add(one["requestId"]))
    for name in ("Network.loadingFinished", "Network.loadingFailed"):
        session.on(name, lambda one: ended.add(one["requestId"]))
    session.on("Network.responseReceived", lambda one: kinds.update({one["requestId"]: one["type"]}))

    def came(one):
        sizes[one["requestId"]] = sizes.get(one["requestId"], 0) + one["dataLength"]
    session.on("Network.dataReceived", came)
    begun = time.perf_counter()
    page.goto(f"http://127.0.0.1:{port}{path}", wait_until="commit", timeout=LIMIT_MS)
    page.locator(row).first.wait_for(timeout=LIMIT_MS)
    seconds = time.perf_counter() - begun
    # Until nothing is under way any more; a stream of news never ends.
    quiet = 0
    while quiet < 4 and time.perf_counter() - begun < LIMIT_MS / 1000:
        page.wait_for_timeout(500)
        quiet = 0 if any(kinds.get(one) != "EventSource" for one in asked - ended) else quiet + 1
    data = sum(size for request, size in sizes.items() if kinds.get(request) in ("Document", "Fetch", "XHR"))
    page.close()
    return seconds, data


def measured(browser, name, command, path, row):
    server = Server(command, port, path)
    try:
        first, size = opened(browser, path, row)
        again, _ = opened(browser, path, row)
        resident, own = server.memory()
        return [name, f"{server.start_seconds:.2f}", f"{first:.2f}", f"{again:.2f}", f"{size / 1000:,.0f}", f"{resident:,.0f}",
                f"{own:,.0f}"]
    except Error as error:
        return [name, f"{server.start_seconds:.2f}", "failed: " + str(error).split("\n")[0], "", "", f"{server.memory()[0]:,.0f}", ""]
    finally:
        server.stop()


with sync_playwright() as playwright:
    for folder in sys.argv[5:]:
        rows = []
        for entrant in entrants(folder):
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            rows.append(measured(browser, *entrant))
            browser.close()
            print(rows[-1], file=sys.stderr)
        print(f"{os.path.basename(os.path.abspath(folder))}\n")
        print(table(["program", "start to the list's first answer, s", "list to its first row, s", "again, s", "kB of HTML and data",
                     "MB resident", "MB its own"], rows) + "\n")
