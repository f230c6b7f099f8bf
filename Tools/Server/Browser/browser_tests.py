"""Goal: the page works in a real browser, by keyboard, and for whoever cannot see it.

Method: a headless Chromium walks the views of a served sample household. Whatever a console says is a failure;
axe looks at every view, light and dark, narrow and wide. Usage: browser_tests.py CHROMIUM ADDRESS COMMAND [PART…];
READING in the environment is the address of the same ledger for reading only, DAYBOOK_LEDGER where it lies, RELAY that
of a relay, RELAY_TOKEN what it lets the first device in by.
"""
import sys

from playwright.sync_api import sync_playwright

from attaching import attaching
from changing import editing, offline, proof, recording, several, small_forms, splitting
from envelopes import envelopes
from figures import figures
from inbox import inbox
from importing import anywhere, exported, formats, importing
from kit import address, check, chromium, open_page, soon, told
from live import everywhere, live, one_stream
from looking import every_view, german, printed
from others import held, own, reading_only
from register import adding, balancing, choosing, dividing, quickly, transferring
from sharing import findings


def without_scripts(browser):
    page = open_page(browser, java_script_enabled=False)
    page.goto(address + "/transactions")
    first = page.locator(".row").first.get_attribute("data-number")
    page.get_by_role("link", name="Older").click()
    check(page.locator(".row").first.get_attribute("data-number") != first, "pages without scripts")
    page.goto(address + "/transactions")
    page.locator(".row .what").first.click()
    check(page.get_by_role("heading", name="Why?").count() == 1, "a row says why without scripts")
    page.context.close()


def keys(browser):
    page = open_page(browser)
    page.goto(address + "/")
    for key, path in (("n", "/inbox"), ("t", "/transactions"), ("a", "/accounts"), ("c", "/categories"), ("b", "/budgets"),
                      ("e", "/envelopes"), ("r", "/recurring"), ("u", "/rules"), ("x", "/rates"), ("i", "/import"), ("h", "/history"),
                      ("v", "/health"), ("s", "/settings"), ("o", "/")):
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(address + path)
        check(True, f"g {key}")
    for _ in range(10):
        page.keyboard.press("Control+k")
        page.locator("dialog input").wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        page.locator("dialog h2").wait_for()
        page.keyboard.press("Escape")
    check(True, "the key behind Escape is taken")
    page.keyboard.press("?")
    check(page.locator("dialog kbd", has_text="Ctrl-K").count() == 1, "? shows the keys")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("budg")
    page.keyboard.press("Enter")
    page.wait_for_url(address + "/budgets")
    page.keyboard.press("Control+k")
    page.keyboard.type("check")
    page.locator("dialog a", has_text="Checking").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/transactions?account=*")
    check(page.get_by_role("heading", name="Checking").count() == 1, "the palette knows accounts by their names")
    page.keyboard.press("/")
    page.keyboard.type("rewe")
    page.keyboard.press("Enter")
    page.wait_for_url("**/transactions?text=rewe")
    check(page.locator(".chip", has_text="rewe").count() == 1, "what is asked is a chip")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/transactions/*-*")
    check(page.get_by_role("heading", name="Why?").count() == 1, "a row opens by keyboard")
    page.go_back()
    check(page.locator(".row").count() > 0, "back")
    page.context.close()


def scrolling(browser):
    page = open_page(browser, viewport={"width": 1280, "height": 800})
    page.goto(address + "/transactions")
    for _ in range(12):
        page.mouse.wheel(0, 4_000)
        page.wait_for_timeout(80)
    page.wait_for_function("document.querySelectorAll('.row').length > 250")
    numbers = page.eval_on_selector_all(".row", "rows => rows.map(row => row.dataset.number)")
    check(len(set(numbers)) == len(numbers), "no row comes twice by scrolling")
    page.context.close()


def coming_back(browser):
    page = open_page(browser, viewport={"width": 1280, "height": 800})
    page.goto(address + "/transactions")
    for _ in range(8):
        page.mouse.wheel(0, 4_000)
        page.wait_for_timeout(80)
    page.wait_for_function("() => document.querySelectorAll('.row').length > 150")
    page.wait_for_timeout(400)
    seen = page.evaluate("""[...document.querySelectorAll('.row')].find(row => row.getBoundingClientRect().top > 100)
                            .dataset.number""")
    row = page.locator(f".row[data-number='{seen}']")
    row.locator(".what").click()
    page.wait_for_url("**/transactions/*-*")
    page.go_back()
    row.wait_for()
    page.wait_for_function("() => scrollY > 2000")
    numbers = page.eval_on_selector_all(".row", "rows => rows.map(row => row.dataset.number)")
    check(len(set(numbers)) == len(numbers), "no row is there twice after coming back")
    check(row.evaluate("row => { const at = row.getBoundingClientRect(); return at.top > 0 && at.bottom < innerHeight; }"),
          "who comes back finds the row where it was")
    page.reload()
    page.wait_for_function("() => scrollY > 2000")
    soon(lambda: page.locator(".row").count() > 150, "also after a reload")
    page.context.close()


def time_rail(browser):
    page = open_page(browser)
    page.goto(address + "/accounts")
    now = page.locator("main").text_content()
    page.goto(address + "/accounts?asOf=4")
    check(page.locator(".banner").count() == 1, "the past says that it is")
    check(page.locator("main").text_content() != now, "the past is another")
    page.locator(".menu a", has_text="Transactions").click()
    check("asOf=4" in page.url, "one stays in the past")
    page.get_by_role("link", name="Back to now").click()
    check("asOf" not in page.url, "and comes back")
    page.goto(address + "/accounts")
    page.get_by_label("As of").fill("2025-12-31")
    page.locator(".rail button").click()
    page.wait_for_url("**on=2025-12-31")
    check(page.locator(".banner").count() == 1, "a day says that it is one")
    check(page.locator("main").text_content() != now, "its balances are others")
    page.locator(".menu a", has_text="Reports").click()
    check("on=2025-12-31" in page.url, "one stays on the day")
    page.locator("main td .figure").first.click()
    page.get_by_role("link", name="Back to today").click()
    check("on=" not in page.url, "and comes back to today")
    page.goto(address + "/history")
    page.get_by_label("As recorded on").fill("2026-02-15")
    page.locator("main form button").first.click()
    page.wait_for_url("**/?asOf=2026-02-15")
    check("Back to now" in page.locator(".banner").text_content(), "the history shows the ledger as recorded")
    page.context.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    only = sys.argv[4:]
    for part in (every_view, without_scripts, keys, recording, small_forms, editing, several, splitting, adding, transferring, dividing, choosing, balancing, quickly, proof, offline, scrolling, coming_back, live, everywhere, one_stream, german, printed, figures,
                 time_rail,
                 importing, formats, anywhere, exported, own,
                 held, reading_only, findings, inbox, attaching, envelopes):
        if only and part.__name__ not in only:
            continue
        try:
            part(browser)
        except Exception as error:
            line = error.__traceback__.tb_next.tb_lineno
            check(False, f"{part.__name__}, line {line}: {str(error).splitlines()[0]}")
    browser.close()
sys.exit(0 if told() else 1)
