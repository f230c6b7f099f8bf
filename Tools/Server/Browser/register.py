"""Goal: the weekly jobs are quick in the register, and each key and click is counted. Method: see browser_tests.py; a hand
counts what it presses besides text, and clicks besides those into fields."""
from axe_playwright_python.sync_playwright import Axe

from kit import address, check, open_page, said, soon


class Hand:
    """Presses keys and clicks, and counts them."""

    def __init__(self, page):
        self.page, self.keys, self.clicks = page, 0, 0

    def press(self, *keys):
        for key in keys:
            self.keys += 1
            self.page.keyboard.press(key)

    def type(self, text):
        self.page.keyboard.type(text)

    def click(self, what):
        self.clicks += 1
        what.click()

    def within(self, keys, clicks, job):
        check(self.keys <= keys and self.clicks <= clicks, f"{job}: {self.keys} keys and {self.clicks} clicks")
        print(f"{job}: {self.keys} keys, {self.clicks} clicks")


def wide(browser, **options):
    return open_page(browser, viewport={"width": 1280, "height": 800}, **options)


def focused(page):
    return page.evaluate("document.activeElement.name ?? document.activeElement.className")


def completed(page):
    """Waits until the choices for a field are shown."""
    page.locator(".choices:not([hidden]) li").first.wait_for()


def known_payee(page):
    return page.evaluate("""async () => {
        const { payees } = await (await fetch('/transactions/payees?prefix=')).json();
        return payees.find(one => one.category && one.amount && !one.amount.startsWith('+'));
    }""")


def newest(page, payee):
    return page.locator(".row", has_text=payee).first


def adding(browser):
    """An expense at a known payee, by keyboard and by mouse; then the next one of the same day."""
    page = wide(browser)
    page.goto(address + "/transactions")
    payee = known_payee(page)
    hand = Hand(page)
    hand.press("n")
    check(focused(page) == "payee", "n goes to the row on top")
    hand.type(payee["payee"][:4])
    completed(page)
    check(Axe().run(page).violations_count == 0, "axe on choices")
    soon(lambda: page.locator(".entry [name=payee]").input_value() == payee["payee"], "the payee is completed")
    hand.press("Tab")
    check(focused(page) == "category", "Tab goes on in reading order")
    soon(lambda: page.locator(".entry [name=category]").input_value() == payee["category"], "its category is filled in")
    check(page.locator(".entry [name=amount]").input_value() == payee["amount"], "and its usual amount")
    hand.press("Tab", "Tab", "Tab")
    check(focused(page) == "amount", "amount is the last field")
    hand.type("12.50+3")
    hand.press("Enter")
    said(page, "Recorded.")
    hand.within(12, 0, "Add an expense")
    check(focused(page) == "payee", "the next one begins at once")
    row = page.locator(".row.new")
    check("15.50" in row.text_content() and payee["category"] in row.text_content(), "the row stands in the list")
    # The next one, of an earlier day: the day is kept.
    page.locator(".entry [name=day]").focus()
    page.keyboard.press("-")
    day = page.locator(".entry [name=day]").input_value()
    page.keyboard.press("Tab")
    while focused(page) != "payee":
        page.keyboard.press("Tab")
    page.keyboard.type("Somebody new")
    page.locator(".entry [name=amount]").fill("4")
    page.keyboard.press("Enter")
    newest(page, "Somebody new").wait_for()
    check(page.locator(".entry [name=day]").input_value() == day, "the day is kept")
    check(page.locator(".entry [name=category]").input_value() == "", "nothing else is")
    check(page.locator(".live").count() == 0, "one's own transaction is no news")
    # By mouse.
    hand = Hand(page)
    page.locator(".entry [name=payee]").click()
    page.keyboard.type(payee["payee"][:4])
    completed(page)
    hand.click(page.locator(".choices:not([hidden]) li", has_text=payee["payee"]).first)
    check(page.locator(".entry [name=payee]").input_value() == payee["payee"], "a choice is clicked")
    page.locator(".entry [name=amount]").click()
    page.keyboard.type("2.75")
    hand.click(page.locator(".entry button.main:not(.hidden)"))
    soon(lambda: page.locator(".row", has_text="2.75").count() > 0, "by mouse, too")
    hand.within(0, 3, "Add an expense by mouse")
    for _ in range(3):
        page.locator("h1").click()
        page.keyboard.press("Control+z")
        said(page, "Undone.")
    page.context.close()


def transferring(browser):
    page = wide(browser)
    page.goto(address + "/transactions")
    hand = Hand(page)
    hand.press("n")
    hand.type("Transfer: S")
    completed(page)
    hand.press("Tab", "Tab", "Tab", "Tab")
    hand.type("25")
    hand.press("Enter")
    said(page, "Recorded.")
    hand.within(12, 0, "Add a transfer")
    check(page.locator(".row.new.transfer").count() == 1, "a transfer is a payee")
    page.locator("h1").click()
    page.keyboard.press("Control+z")
    said(page, "Undone.")
    page.context.close()


def dividing(browser):
    page = wide(browser)
    page.goto(address + "/transactions")
    hand = Hand(page)
    hand.press("n")
    hand.type("Dividing shop")
    hand.press("Tab", "Tab", "Tab", "Tab")
    hand.type("30")
    hand.press("Control+Enter")
    check(focused(page) == "part-category", "parts are entered where one is")
    hand.type("groc")
    completed(page)
    hand.press("Tab", "Tab")
    hand.type("12.50")
    soon(lambda: "17.50" in page.locator(".rest output").text_content(), "what is left counts down")
    hand.press("Tab")
    hand.type("house")
    completed(page)
    check(Axe().run(page).violations_count == 0, "axe on parts")
    # Enter takes the category, and again sends the row. The last part takes what is left.
    hand.press("Enter", "Enter")
    said(page, "Recorded.")
    hand.within(11, 0, "Split into two parts")
    check("Split" in page.locator(".row.new").text_content(), "a split is recorded")
    page.locator(".row.new .what").click()
    page.get_by_role("heading", name="Why?").wait_for()
    check("17.50" in page.locator("main").text_content(), "its last part is what was left")
    page.goto(address + "/transactions")
    page.keyboard.press("n")
    # What can't be recorded stays.
    page.keyboard.type("Broken")
    page.locator(".entry [name=category]").fill("Nothing like it")
    page.locator(".entry [name=amount]").fill("x")
    page.keyboard.press("Enter")
    page.locator(".entry .fault").first.wait_for()
    check(page.locator(".entry [name=payee]").input_value() == "Broken", "the typed text stays")
    check(Axe().run(page).violations_count == 0, "axe on a row that is refused")
    page.keyboard.press("Escape")
    page.goto(address + "/transactions")
    page.keyboard.press("Control+z")
    said(page, "Undone.")
    page.context.close()


def choosing(browser):
    """Rows are selected and edited by keyboard and mouse; headers sort and filter."""
    page = wide(browser)
    page.goto(address + "/transactions")
    visible = page.evaluate("""[...document.querySelectorAll('.row')]
        .filter(row => row.getBoundingClientRect().bottom <= innerHeight).length""")
    check(visible >= 20, f"{visible} rows at a glance")
    hand = Hand(page)
    hand.press("j", "Shift+J", "Shift+J", "Shift+J", "Shift+J")
    check(page.locator(".row.selected").count() == 5, "Shift selects the rows on the way")
    hand.within(5, 0, "Select five")
    page.keyboard.press("Escape")
    check(page.locator(".row > :checked").count() == 0 and not page.locator(".several").is_visible(), "Escape clears")
    hand = Hand(page)
    row = page.locator(".row").nth(2)
    number = row.get_attribute("data-number")
    hand.clicks += 1
    row.locator(".amount").dblclick(position={"x": 2, "y": 4})
    page.locator(".row.editing").wait_for()
    check(focused(page) == "amount", "a double click edits the cell")
    page.locator(".row.editing [name=amount]").fill("7.77")
    hand.press("Enter")
    page.locator(f".row[data-number='{number}']:not(.editing)", has_text="7.77").wait_for()
    hand.within(1, 1, "Change an amount")
    page.keyboard.press("Control+z")
    said(page, "Undone.")
    page.goto(address + "/transactions")
    page.locator(".head .on").click()
    page.wait_for_url("**order=oldest")
    days = page.eval_on_selector_all(".row", "rows => rows.map(row => row.dataset.day)")
    check(days == sorted(days), "the oldest come first")
    page.locator(".head .where").click()
    check(focused(page) == "category", "a header opens its filter")
    page.locator("#at").fill("2025-12-24")
    page.wait_for_url("**at=2025-12-24*")
    check(page.locator(".row").first.get_attribute("data-day") >= "2025-12-24", "a list begins at a date")
    page.context.close()


def balancing(browser):
    """An account's register, and its reconciliation."""
    page = wide(browser)
    page.goto(address + "/accounts")
    page.get_by_role("link", name="Checking", exact=True).click()
    page.locator(".summary").wait_for()
    visible = page.evaluate("""[...document.querySelectorAll('.row')]
        .filter(row => row.getBoundingClientRect().bottom <= innerHeight).length""")
    check(visible >= 18, f"{visible} rows of an account at a glance")
    check(page.locator(".entry [name=account]").get_attribute("type") == "hidden", "the account is known")
    hand = Hand(page)
    hand.click(page.get_by_role("link", name="Reconcile"))
    page.locator("input[name=row]").first.wait_for()
    check(focused(page) == "statement", "the statement is asked for first")
    check(page.locator("input[name=row]").count() == 100, "the newest rows")
    held = int(page.evaluate("""[...document.querySelectorAll('[name=row]:checked')]
        .reduce((sum, box) => sum + Number(box.dataset.units), Number(document.querySelector('.counted').dataset.locked))"""))
    hand.type(f"{(held + 150) / 100:.2f}")
    difference = page.locator(".counted .figure").nth(1)
    soon(lambda: difference.text_content() == "€1.50", "what is cleared counts")
    check(page.get_by_text("The difference can’t be explained").is_visible(), "an adjustment is the last resort")
    page.get_by_label("Statement balance").fill(f"{held / 100:.2f}")
    soon(lambda: difference.text_content() == "€0.00", "down to zero")
    hand.click(page.locator("main").get_by_role("button", name="Reconcile", exact=True))
    said(page, "Saved.")
    hand.within(0, 3, "Reconcile")
    page.keyboard.press("Control+z")
    said(page, "Undone.")
    page.context.close()


def quickly(browser):
    """Ticking and typing with thousands of rows; how long it takes is told, and not held against a clock."""
    page = wide(browser)
    page.goto(address + "/transactions")
    for _ in range(600):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.wait_for_timeout(25)
        if page.locator(".pager [rel=next]").count() == 0 or page.locator(".row").count() >= 5_000:
            break
    count = page.locator(".row").count()
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(500)
    took = """async act => { const times = [];
        for (let turn = 0; turn < 7; turn += 1) {
            const start = performance.now();
            act(turn);
            await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            times.push(performance.now() - start);
        }
        return times.sort((a, b) => a - b)[3]; }"""
    tick = page.evaluate(f"({took})(turn => document.querySelectorAll('.row > input')[turn].click())")
    typed = page.evaluate(f"""({took})(turn => {{ const field = document.querySelector('.entry [name=description]');
        field.focus(); field.value += 'x'; field.dispatchEvent(new InputEvent('input', {{ bubbles: true }})); }})""")
    print(f"With {count} rows: {tick:.0f} ms for a tick, {typed:.0f} ms for a letter.")
    check(page.locator(".row.selected").count() == 7, "all are ticked")
    page.context.close()
