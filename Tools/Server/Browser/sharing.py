"""Goal: what merging did is looked at and settled on the page. Method: see browser_tests.py; the copy is the command's."""
import json
import os
import subprocess

from axe_playwright_python.sync_playwright import Axe

from kit import address, check, command, open_page, said, soon


def told(*words):
    run = subprocess.run([command, *words, "--json"], check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)


def findings(browser):
    """Two devices share the ledger; each changes the same rows."""
    relay, copy = os.environ["RELAY"], os.environ["DAYBOOK_LEDGER"] + ".copy"
    code = told("sync", "start", "--relay", relay, "--token", os.environ["RELAY_TOKEN"], "--device", "Desk")["code"]
    told("sync", "join", code, "--relay", relay, "--ledger", copy, "--device", "Laptop")
    rows = [told("add", "expense", amount, "--account", "Checking", "--payee", "Both of us", "--on", "2026-02-14")
            ["transactions"][0]["id"] for amount in ("9.10", "9.20")]
    told("sync")
    told("sync", "--ledger", copy)
    for row, here, there in ((rows[0], "Desk’s <b>shop</b>", "Laptop’s shop"), (rows[1], "Mine", "Yours")):
        told("edit", row, "--payee", here)
        told("edit", row, "--payee", there, "--ledger", copy)
    for ledger in ([], ["--ledger", copy], []):
        told("sync", *ledger)
    page = open_page(browser)
    page.goto(address + "/")
    page.get_by_role("link", name="Conflicts between devices: 2").click()
    check(page.locator(".finding").count() == 2, "both findings are there")
    one = page.locator(".finding", has_text="shop")
    check(one.locator("td", has_text="Desk,").count() == 1 and one.locator("td", has_text="Laptop,").count() == 1,
          "each value with its device")
    check("2026" in one.locator("td .aside").first.text_content(), "and when it was written")
    check(Axe().run(page).violations_count == 0, "axe on findings")
    lost = one.locator("tbody td").nth(1).inner_text().split("shop")[0]
    one.get_by_role("link", name="Decide again").click()
    check(page.get_by_label("Payee").input_value().startswith(lost.strip()), "what lost is filled in")
    page.get_by_role("button", name="Save").click()
    said(page, "Saved.")
    page.goto(address + "/health")
    page.locator(".finding", has_text="shop").get_by_role("button", name="Dismiss").click()
    said(page, "Saved.")
    check(page.locator(".finding").count() == 1, "one is put aside")
    page.keyboard.press("Control+z")
    said(page, "Undone.")
    check(page.locator(".finding").count() == 2, "Ctrl-Z brings it back")
    for left in (1, 0):
        page.locator(".finding").first.get_by_role("button", name="Dismiss").click()
        soon(lambda: page.locator(".finding").count() == left, f"{left} left")
    told("sync")
    told("sync", "--ledger", copy)
    check(told("sync", "findings", "--ledger", copy)["findings"] == [], "they are put aside on the other device, too")
    page.context.close()
