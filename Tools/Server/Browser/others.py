"""Goal: what others do with the ledger meanwhile is theirs, and who reads is told. Method: see browser_tests.py."""
import fcntl
import os
import subprocess

from axe_playwright_python.sync_playwright import Axe

from kit import address, check, command, open_page, said, soon


def run(*words):
    subprocess.run([command, *words], check=True, stdout=subprocess.DEVNULL)


def rows(page, text):
    page.goto(address + f"/transactions?text={text}")
    return page.locator(".row").count()


def own(browser):
    """Ctrl-Z is of this browser."""
    page, other = open_page(browser), open_page(browser)
    page.goto(address + "/transactions/new")
    page.get_by_label("Amount", exact=True).fill("4.44")
    page.get_by_label("Payee").fill("Minehere")
    page.keyboard.press("Enter")
    said(page, "Recorded.")
    row = page.url.split("?")[0]
    run("add", "expense", "5.55", "--account", "Checking", "--payee", "Theirsthere", "--on", "2026-02-15")
    other.goto(address + "/accounts")
    other.keyboard.press("Control+z")
    said(other, "Nothing to undo or redo in this browser.")
    page.goto(address + "/accounts")
    page.keyboard.press("Control+z")
    said(page, "Undone.")
    check("Minehere" in page.locator(".notice").text_content(), "the bar says what it took back")
    check(rows(page, "minehere") == 0 and rows(page, "theirsthere") == 1, "Ctrl-Z takes back one's own alone")
    page.keyboard.press("Control+Shift+z")
    said(page, "Redone.")
    check(rows(page, "minehere") == 1, "and Ctrl-Shift-Z does it again")
    # The other browser changes the row.
    other.goto(row + "/edit")
    other.get_by_label("Note").fill("theirs")
    other.get_by_role("button", name="Save").click()
    said(other, "Saved.")
    page.goto(address + "/accounts")
    page.keyboard.press("Control+z")
    said(page, "This can’t be undone because")
    check(page.locator("main .problem").count() == 1, "beside the commit stands why")
    check(rows(page, "minehere") == 1, "and nothing is taken back")
    check(Axe().run(page).violations_count == 0, "axe on what is not taken back")
    other.keyboard.press("Control+z")
    said(other, "Undone.")
    for one in (page, other):
        one.context.close()


def held(browser):
    """Another program holds the ledger."""
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    page.goto(address + "/transactions/new")
    page.get_by_label("Amount", exact=True).fill("6.66")
    page.get_by_label("Payee").fill("Waitedfor")
    with open(os.path.join(os.environ["DAYBOOK_LEDGER"], "WRITER"), "r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Not recorded yet").wait_for(timeout=20_000)
        check(page.locator(".problem").count() == 1, "a ledger that is held is told of")
        check(Axe().run(page).violations_count == 0, "axe on a ledger that is held")
        check(rows(page, "waitedfor") == 0, "it can be read meanwhile")
    page.get_by_role("link", name="Waitedfor").first.wait_for()
    soon(lambda: rows(page, "waitedfor") == 1, "what was sent is recorded once it is free")
    context.close()


def reading_only(browser):
    """The same ledger, served for reading."""
    reading = os.environ["READING"]
    page = open_page(browser)
    for path in ("/", "/transactions", "/accounts", "/categories", "/budgets", "/recurring", "/rules", "/rates",
                 "/statements", "/history", "/history/1", "/settings", "/import"):
        page.goto(reading + path)
        # The language and the theme are the browser's.
        check(page.locator("form[method=post]:not([action='/settings/browser'])").count() == 0, f"{path}: nothing to send where nothing is recorded")
        check(page.locator("h1").count() == 1, f"{path}: it is read all the same")
    check("read-only" in page.locator("main").text_content(), "a ledger that is read-only takes no dropped file")
    check(Axe().run(page).violations_count == 0, "axe on a ledger for reading")
    page.context.close()
    page = browser.new_context(locale="en-US").new_page()
    page.goto(reading + "/accounts")
    page.keyboard.press("Control+z")
    page.locator(".problem").wait_for()
    check(page.locator("h1").count() == 1, "Ctrl-Z says that it can only be read")
    page.context.close()
