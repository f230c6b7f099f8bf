"""Goal: the page works in a real browser, by keyboard, and for whoever cannot see it.

Method: a headless Chromium walks the views of a served sample household. Whatever a console says is a failure;
axe looks at every view, light and dark, narrow and wide. Usage: browser_tests.py CHROMIUM ADDRESS COMMAND
"""
import subprocess
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

chromium, address, command = sys.argv[1:4]
views = ["/", "/transactions", "/transactions?type=expense&text=a", "/accounts", "/categories", "/budgets",
         "/recurring", "/rules", "/rates", "/import", "/statements", "/transactions/new?parts=3", "/history", "/history/1", "/health", "/settings",
         "/transactions/new", "/compare?from=4", "/?asOf=3", "/transactions?asOf=3"]
failures = []
count = 0


def check(holds, what):
    global count
    count += 1
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}")


def open_page(browser, **options):
    context = browser.new_context(locale="en-US", **options)
    page = context.new_page()
    page.set_default_timeout(8_000)
    # A form that is sent back is a 422, which a console tells of by itself.
    page.on("console", lambda message: message.type in ("error", "warning") and "422" not in message.text and "ERR_FAILED" not in message.text
            and check(False, f"console on {page.url}: {message.text}"))
    page.on("pageerror", lambda error: check(False, f"error on {page.url}: {error}"))
    return page


def said(page, text):
    """Waits until the page says what was just done."""
    page.locator(".notice", has_text=text).wait_for()
    page.wait_for_load_state()


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


def recording(browser):
    page = open_page(browser)
    page.goto(address + "/")
    page.keyboard.press("n")
    page.wait_for_url(address + "/transactions/new")
    page.get_by_label("Amount").fill("nonsense")
    page.get_by_label("Payee").fill("Browser & Sons <b>")
    page.keyboard.press("Enter")
    page.locator("#fault-amount").wait_for()
    check(page.get_by_label("Payee").input_value() == "Browser & Sons <b>", "nothing typed is lost")
    page.get_by_label("Amount").fill("12.50+3")
    page.keyboard.press("Enter")
    said(page, "Recorded.")
    check("15.50" in page.locator("main .large").text_content(), "a sum is recorded")
    page.keyboard.press("e")
    page.wait_for_url("**/edit")
    page.get_by_label("Note").fill("changed")
    page.get_by_role("button", name="Save").click()
    said(page, "Saved.")
    check(page.locator("#why .commit").count() == 2, "both commits are told")
    page.get_by_role("button", name="Delete").click()
    said(page, "Deleted.")
    page.goto(address + "/history")
    page.locator(".commits a").first.click()
    page.wait_for_url("**/history/*")
    check("15.50" in page.locator("main").text_content(), "what taking back changes is shown")
    page.locator("main section.card button", has_text="Undo").click()
    said(page, "Taken back.")
    page.context.close()


def small_forms(browser):
    page = open_page(browser)
    page.goto(address + "/accounts")
    page.locator("details.add summary").click()
    page.get_by_label("Name").fill("Browser account")
    page.get_by_label("Currency").fill("nonsense")
    page.locator("details.add button").click()
    page.locator(".problem").wait_for()
    check(page.get_by_label("Name").input_value() == "Browser account", "a small form comes back as it was typed")
    page.get_by_label("Currency").fill("EUR")
    page.locator("details.add button").click()
    said(page, "Saved.")
    check(page.get_by_role("link", name="Browser account", exact=True).count() == 1, "an account is opened")
    page.keyboard.press("Control+z")
    said(page, "Taken back.")
    check(page.url == address + "/accounts", "Ctrl-Z stays on its page")
    check("Browser account" in page.locator(".notice").text_content(), "and says what it took back")
    page.get_by_role("button", name="Again").click()
    said(page, "Done again.")
    check(page.get_by_role("link", name="Browser account", exact=True).count() == 1, "again")
    page.keyboard.press("Control+z")
    said(page, "Taken back.")
    page.reload()
    check(page.locator(".notice").count() == 0, "what was said is not said again")
    check(page.get_by_role("link", name="Browser account").count() == 0, "Ctrl-Z takes it back")
    page.get_by_role("link", name="Reconcile").first.click()
    page.locator("input[name=row]").first.wait_for()
    check(Axe().run(page).violations_count == 0, "axe on reconciling")
    page.context.close()


def editing(browser):
    page = open_page(browser)
    for path in ("/accounts", "/categories", "/budgets", "/recurring", "/rules", "/rates", "/statements"):
        page.goto(address + path)
        if path in ("/categories", "/budgets"):
            page.locator("main .figures a, main .budget a").first.click()
        if page.locator("main a[href$='/edit']").count() == 0:
            continue
        page.locator("main a[href$='/edit']").first.click()
        page.wait_for_url("**/edit")
        check(Axe().run(page).violations_count == 0, f"axe on the form of {path}")
        page.locator("main form.grid button.main").click()
        said(page, "Saved.")
        page.go_back()
        page.get_by_role("link", name="Delete").click()
        page.wait_for_url("**/delete")
        check(page.get_by_text("What deleting this would change").count() == 1, f"{path}: a deletion is shown before")
        check(Axe().run(page).violations_count == 0, f"axe on the deletion of {path}")
    page.goto(address + "/budgets")
    page.get_by_role("link", name="Food").first.click()
    page.wait_for_url("**/budgets/*")
    page.keyboard.press("e")
    page.wait_for_url("**/edit")
    page.get_by_label("Name").fill("Eating")
    page.keyboard.press("Enter")
    said(page, "Saved.")
    page.get_by_role("link", name="Eating").first.click()
    page.wait_for_url("**/budgets/*")
    page.keyboard.press("e")
    page.wait_for_url("**/edit")
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    said(page, "Deleted.")
    check(page.get_by_role("link", name="Eating").count() == 0, "a budget is deleted")
    page.context.close()


def several(browser):
    page = open_page(browser, viewport={"width": 1280, "height": 800})
    page.goto(address + "/transactions?type=expense")
    check(not page.locator(".several").is_visible(), "no bar where nothing is selected")
    for key in ("j", "x", "j", "x"):
        page.keyboard.press(key)
    check(page.locator(".several strong").text_content().strip() == "2 selected", "rows are selected by keyboard")
    page.locator(".row > input").nth(4).click(modifiers=["Shift"])
    check(page.locator(".row > :checked").count() == 5, "and several by mouse")
    check(Axe().run(page).violations_count == 0, "axe on rows that are selected")
    page.locator(".several [name=tags]").fill("together")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Save").click()
    said(page, "Saved.")
    check(page.locator(".row .tag", has_text="together").count() == 5, "one commit changes them all")
    page.keyboard.press("Control+z")
    said(page, "Taken back.")
    check(page.locator(".row .tag", has_text="together").count() == 0, "and one key takes it back")
    page.keyboard.press("j")
    page.keyboard.press("e")
    form = page.locator(".row.editing")
    form.get_by_label("Payee").fill("Edited where it stands")
    form.get_by_label("Amount").fill("nonsense")
    check(Axe().run(page).violations_count == 0, "axe on a row that is edited")
    page.keyboard.press("Enter")
    form.locator(".fault").wait_for()
    check(form.get_by_label("Payee").input_value() == "Edited where it stands", "a row that is refused keeps what was typed")
    form.get_by_label("Amount").fill("7.77")
    page.keyboard.press("Enter")
    page.locator(".row:not(.editing) .what", has_text="Edited where it stands").wait_for()
    check("/transactions?type=expense" in page.url, "a row is edited in the list")
    page.keyboard.press("e")
    page.locator(".row.editing").wait_for()
    page.keyboard.press("Escape")
    check(page.locator(".row.editing").count() == 0, "Escape leaves a row as it was")
    page.context.close()


def splitting(browser):
    page = open_page(browser)
    page.goto(address + "/transactions/new")
    page.get_by_label("Amount", exact=True).fill("30")
    page.get_by_role("button", name="Split into parts").click()
    page.get_by_label("Amount 1").fill("12.50")
    check("17.50" in page.locator("output").text_content(), "the remainder counts down")
    page.get_by_role("button", name="Another part").click()
    page.get_by_label("Amount 2").fill("10+7.50")
    check(page.locator("output").text_content() == "0.00", "to zero")
    page.get_by_label("Category 1").select_option(label="Food")
    page.get_by_label("Category 2").select_option(label="Household")
    check(Axe().run(page).violations_count == 0, "axe on a split")
    page.get_by_role("button", name="Save").click()
    said(page, "Recorded.")
    check(page.get_by_text("Split").count() > 0, "a split is recorded")
    page.keyboard.press("Control+z")
    page.context.close()


def proof(browser):
    page = open_page(browser)
    page.goto(address + "/accounts")
    page.locator("footer .proof").click()
    page.get_by_role("button", name="Verify now").click()
    page.get_by_text("Everything is sound.").wait_for(timeout=60_000)
    check("Verified up to" in page.locator("footer").text_content(), "the mark says up to where all is verified")
    check(Axe().run(page).violations_count == 0, "axe on the proof")
    page.context.close()


def offline(browser):
    page = open_page(browser)
    page.goto(address + "/transactions/new")
    page.get_by_label("Amount").fill("3.21")
    page.get_by_label("Payee").fill("Typed while away")
    page.route("**/*", lambda route: route.abort())
    page.keyboard.press("Enter")
    page.locator(".away").wait_for()
    check(page.get_by_label("Payee").input_value() == "Typed while away", "nothing typed is lost")
    page.unroute("**/*")
    page.locator(".away").wait_for(state="detached")
    page.keyboard.press("Enter")
    said(page, "Recorded.")
    page.keyboard.press("Control+z")
    said(page, "Taken back.")
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


def importing(browser):
    page = open_page(browser)
    page.goto(address + "/import")
    table = ("Date;Payee;Amount\n2026-02-14;Dropped shop;-12.34\n2026-02-13;Other shop;-5.00\n")
    transfer = page.evaluate_handle(
        "text => { const d = new DataTransfer(); d.items.add(new File([text], 'bank.csv')); return d; }", table)
    page.dispatch_event(".drop", "drop", {"dataTransfer": transfer})
    page.locator("select[name=account]").wait_for()
    page.locator("select[name=account]").select_option("Checking")
    page.get_by_role("button", name="Preview").click()
    page.locator("main .large").wait_for()
    check(page.get_by_label("Column 2").input_value() == "payee", "columns say what they are taken for")
    page.get_by_label("Column 2").select_option("description")
    page.get_by_role("button", name="Preview").click()
    page.wait_for_load_state()
    check(page.get_by_label("Column 2").input_value() == "description", "and are corrected at their heads")
    check(page.get_by_text("Balances after this").count() == 1, "what accounts will hold is shown")
    check(Axe().run(page).violations_count == 0, "axe on a file before it is recorded")
    check("2 new" in page.locator("main .large").text_content(), "a dropped file is shown before it is recorded")
    page.locator("form[action='/import/record'] button").click()
    said(page, "Imported.")
    check("Dropped shop" in page.locator("main").text_content(), "and recorded as one commit")
    page.keyboard.press("Control+z")
    said(page, "Taken back.")
    page.goto(address + "/transactions?text=dropped")
    check(page.locator(".row").count() == 0, "and taken back as one")
    page.context.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    only = sys.argv[4:]
    for part in (every_view, without_scripts, keys, recording, small_forms, editing, several, splitting, proof, offline, scrolling, live, time_rail, importing):
        if only and part.__name__ not in only:
            continue
        try:
            part(browser)
        except Exception as error:
            line = error.__traceback__.tb_next.tb_lineno
            check(False, f"{part.__name__}, line {line}: {str(error).splitlines()[0]}")
    browser.close()
print(f"{count - len(failures)} of {count} hold.")
sys.exit(1 if failures else 0)
