"""Goal: money is assigned, moved and covered by keyboard and by drag, and with forms alone. Method: see browser_tests.py; a
hand counts what it presses besides text."""
import re
import subprocess

from kit import address, check, command, open_page, said, soon
from looking import axe
from register import Hand, wide

month = "2026-02"


def run(*words):
    subprocess.run([command, *words], check=True, capture_output=True)


def cell(page, name, place="as"):
    """The cell of an envelope in this month."""
    row = page.locator(".envelopes tr[data-id]").filter(has=page.get_by_role("rowheader", name=re.compile(f"^{name}")))
    return row.first.locator(f"td.{place}:not(.far)")


def figure(cell):
    """The first amount in a cell."""
    return cell.locator("a").first.evaluate("link => link.firstChild.textContent")


def assigning(browser):
    """Three categories in a row."""
    page = wide(browser)
    page.goto(address + "/envelopes")
    hand = Hand(page)
    hand.press("a")
    rows = page.locator(".envelopes tr[data-id]")
    for amount in ("12.50+3", "20", "30"):
        hand.type(amount)
        if "+" in amount:
            check(page.locator(".as output").text_content() == "= 15.50", "a sum is added up while it is typed")
        hand.press("Enter")
    said(page, "Saved.")
    hand.within(4, 0, "Assign to three categories")
    for place, wanted in enumerate(("€15.50", "€20.00", "€30.00")):
        soon(lambda: figure(rows.nth(place).locator(".as:not(.far)")) == wanted, f"{wanted} is assigned")
    check(page.locator(".as input").count() == 1, "the next one can be typed at once")
    page.keyboard.press("Escape")
    check(page.locator(".as input").count() == 0, "Escape closes the field")
    # Arrow keys, and text that is no amount.
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("12.505")
    page.keyboard.press("Enter")
    fault = page.locator(".as .fault")
    fault.wait_for()
    check("Enter an amount" in fault.text_content(), "what is no amount is refused in its cell")
    wrong = page.locator(".as [aria-invalid]")
    check(wrong.input_value() == "12.505", "and stays to be mended")
    axe(page, "a refused amount")
    wrong.fill("12.50")
    page.keyboard.press("Enter")
    soon(lambda: figure(rows.nth(2).locator(".as").last) == "€12.50", "and is mended there")
    if page.locator(".as input").count():
        page.keyboard.press("Escape")
    for _ in range(2):
        page.locator("h1").click()
        page.keyboard.press("Control+z")
        said(page, "Undone.")
    check(figure(rows.nth(2).locator(".as:not(.far)")) == "€0.00", "each amount is undone alone")
    page.keyboard.press("g")
    page.keyboard.press("e")
    page.wait_for_url(address + "/envelopes")
    page.context.close()


def moving(browser):
    """From one envelope to another by key and by drag, and to one that is overspent."""
    run("categories", "create", "Envelope test", "--kind", "expense")
    run("categories", "create", "Envelope other", "--kind", "expense")
    run("envelopes", "assign", "Envelope test", "100", "--month", month)
    page = wide(browser)
    page.goto(address + "/envelopes")
    test, other = (cell(page, name, "av") for name in ("Envelope test", "Envelope other"))
    hand = Hand(page)
    test.locator("a").first.focus()
    hand.press("m")
    page.wait_for_url("**/envelopes/move?*")
    check(page.evaluate("document.activeElement.name") == "to", "the envelope is known, the other one is asked for")
    hand.type("Envelope other")
    hand.press("Tab")
    hand.type("25")
    hand.press("Enter")
    said(page, "Saved.")
    hand.within(3, 0, "Move money")
    check(figure(test) == "€75.00" and figure(other) == "€25.00", "money is moved by key")
    # By drag: the form asks before anything is recorded.
    test.locator("a").first.drag_to(other)
    page.wait_for_url("**/envelopes/move?*")
    chosen = [page.locator(f"[name={name}] option:checked").text_content() for name in ("from", "to")]
    check(chosen == ["Envelope test · €75.00", "Envelope other · €25.00"], f"a drag fills the form: {chosen}")
    axe(page, "the form for a move")
    page.locator("[name=amount]").fill("5")
    page.locator("[name=reason]").fill("A treat")
    page.get_by_role("button", name="Save").click()
    said(page, "Saved.")
    check(figure(test) == "€70.00" and figure(other) == "€30.00", "and money is moved by drag")
    # An overspent envelope is covered with the missing amount.
    run("add", "expense", "40", "--account", "Checking", "--category", "Envelope other", "--on", "2026-02-14")
    page.goto(address + "/envelopes")
    check("Overspent" in other.text_content(), "what is overspent says so")
    hand = Hand(page)
    hand.click(other.get_by_role("link", name="Cover"))
    check(page.locator("[name=amount]").input_value() == "10.00", "the missing amount is filled in")
    page.wait_for_function("document.activeElement.name === 'from'")
    hand.type("Envelope test")
    hand.click(page.get_by_role("button", name="Save"))
    said(page, "Saved.")
    hand.within(0, 2, "Cover overspending")
    check(other.locator(".over").count() == 0 and figure(test) == "€60.00", "and covered")
    # The spent figure is the sum of its transactions.
    spent = other.locator("xpath=preceding-sibling::td[1]").locator("a")
    check(spent.text_content() == "€40.00", "what is spent")
    spent.click()
    page.wait_for_url("**/transactions?*")
    check("€40.00" in page.locator(".totals").text_content(), "is the sum of the list behind it")
    page.context.close()


def without(browser):
    """The same with forms alone."""
    page = open_page(browser, java_script_enabled=False)
    page.goto(address + "/envelopes")
    cell(page, "Envelope test").locator("a").first.click()
    page.get_by_label("Assigned").fill("x")
    page.locator("#assign").get_by_role("button", name="Save").click()
    check(page.locator("#assign .fault").count() == 1, "a refused amount says why")
    page.get_by_label("Assigned").fill("110")
    page.locator("#assign").get_by_role("button", name="Save").click()
    check("€110.00" in page.locator("#facts").text_content(), "an amount is assigned without scripts")
    page.get_by_label("Goal", exact=True).select_option(label="An amount each month")
    page.locator("[name=goalAmount]").fill("150")
    page.locator("#goal").get_by_role("button", name="Save").click()
    page.goto(address + "/envelopes")
    button = cell(page, "Envelope test").get_by_role("button")
    button.click()
    # 40 were moved from the envelope, so it needs 190.
    check(figure(cell(page, "Envelope test")) == "€190.00", "the missing amount is assigned with one click")
    page.context.close()


def envelopes(browser):
    assigning(browser)
    moving(browser)
    without(browser)
    for locale in ("en-US", "de-AT"):
        for scheme in ("light", "dark"):
            for width in (360, 1280):
                context = browser.new_context(
                    locale=locale, color_scheme=scheme, viewport={"width": width, "height": 800})
                page = context.new_page()
                where = f"{locale}, {scheme}, {width}"
                page.goto(address + "/envelopes")
                axe(page, f"envelopes, {where}")
                heads = page.locator(".envelopes thead th[scope=colgroup]:visible").count()
                # With many categories, there is room for fewer months.
                check(heads in ((1,) if width == 360 else (2, 3)), f"envelopes, {where}: {heads} months")
                page.goto(page.locator(".envelopes th a").first.evaluate("link => link.href"))
                axe(page, f"an envelope, {where}")
                page.goto(address + "/envelopes/move")
                axe(page, f"moving, {where}")
                context.close()
