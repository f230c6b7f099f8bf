"""Goal: the page works in a real browser, by keyboard, and for whoever cannot see it.

Method: a headless Chromium walks the views of a served sample household. Whatever a console says is a failure;
axe looks at every view, light and dark, narrow and wide. Usage: browser_tests.py CHROMIUM ADDRESS COMMAND [PART…];
READING in the environment is the address of the same ledger for reading only, DAYBOOK_LEDGER where it lies, RELAY that
of a relay, RELAY_TOKEN what it lets the first device in by.
"""
import subprocess
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from changing import editing, offline, proof, recording, several, small_forms, splitting
from importing import formats, importing
from kit import address, check, chromium, command, open_page, said, told
from others import held, own, reading_only
from sharing import findings

views = ["/", "/transactions", "/transactions?type=expense&text=a", "/accounts", "/categories", "/budgets",
         "/recurring", "/rules", "/rates", "/import", "/statements", "/transactions/new?parts=3", "/history", "/history/1", "/health", "/settings",
         "/transactions/new", "/compare?from=4", "/?asOf=3", "/transactions?asOf=3"]


def every_view(browser):
    for scheme in ("light", "dark"):
        for width in (360, 1280):
            page = open_page(browser, color_scheme=scheme, viewport={"width": width, "height": 800})
            for path in views:
                answer = page.goto(address + path)
                where = f"{path}, {scheme}, {width}"
                check(answer.ok, f"{where}: {answer.status}")
                check(page.locator("h1").count() == 1, f"{where}: a heading")
                wide = page.evaluate("document.documentElement.scrollWidth")
                check(wide <= width, f"{where}: {wide} pixels wide")
                found = Axe().run(page)
                rules = [f"{one['id']} {one['nodes'][0]['html'][:120]}" for one in found.response["violations"]]
                check(not rules, f"{where}: axe: {rules}")
            page.context.close()


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
    for key, path in (("t", "/transactions"), ("a", "/accounts"), ("h", "/history"), ("o", "/")):
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(address + path)
        check(True, f"g {key}")
    page.keyboard.press("?")
    check(page.locator("dialog kbd", has_text="Ctrl-K").count() == 1, "? shows the keys")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("budg")
    page.keyboard.press("Enter")
    page.wait_for_url(address + "/budgets")
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


def live(browser):
    context = browser.new_context(locale="en-US")
    pages = [context.new_page() for _ in range(2)]
    for page in pages:
        page.goto(address + "/transactions")
    pages[0].wait_for_timeout(500)
    subprocess.run([command, "add", "expense", "1.23", "--account", "Checking", "--payee", "From the command",
                    "--on", "2026-02-15"], check=True, stdout=subprocess.DEVNULL)
    for number, page in enumerate(pages):
        try:
            page.get_by_role("link", name="From the command").first.wait_for(timeout=5_000)
            check(True, "live")
        except Exception:
            check(False, f"a commit of the command is on tab {number} by itself")
    context.close()


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
    page.context.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    only = sys.argv[4:]
    for part in (every_view, without_scripts, keys, recording, small_forms, editing, several, splitting, proof, offline, scrolling, live, time_rail, importing, formats, own,
                 held, reading_only, findings):
        if only and part.__name__ not in only:
            continue
        try:
            part(browser)
        except Exception as error:
            line = error.__traceback__.tb_next.tb_lineno
            check(False, f"{part.__name__}, line {line}: {str(error).splitlines()[0]}")
    browser.close()
sys.exit(0 if told() else 1)
