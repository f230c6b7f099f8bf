"""Goal: the inbox is worked through by keyboard, and with forms alone. Method: see browser_tests.py."""
import subprocess

from kit import address, check, command, open_page, said
from looking import axe


def add(payee, amount, category=None):
    words = [command, "add", "expense", amount, "--account", "Checking", "--on", "2026-02-14", "--payee", payee]
    subprocess.run(words + (["--category", category] if category else []), check=True, capture_output=True)


def step_to(page, payee):
    """Steps down to the first row of a payee. Others wait in the inbox, too."""
    for _ in range(100):
        if page.locator(".row.at", has_text=payee).count():
            return
        page.keyboard.press("j")
    check(False, f"j reaches {payee}")


def inbox(browser):
    for amount in ("1", "2", "3"):
        add("Inbox shop", amount, "Food")
    for amount in ("7.01", "7.02", "7.03"):
        add("INBOX SHOP", amount)
    add("Never seen", "8")
    page = open_page(browser)
    page.goto(address + "/")
    page.get_by_role("link", name="To categorise").click()
    page.wait_for_url("**/inbox#categorise")
    rows = page.locator(".row", has_text="INBOX SHOP")
    check(rows.count() == 3, "rows without a category wait")
    check("3 of 3 at INBOX SHOP" in rows.first.text_content(), "a suggestion has a reason")
    # Without a suggestion, a focuses the choice and changes nothing.
    step_to(page, "Never seen")
    page.keyboard.press("a")
    check(page.evaluate("document.activeElement.tagName") == "SELECT", "a row without a suggestion asks for a category")
    page.evaluate("document.activeElement.blur()")
    step_to(page, "INBOX SHOP")
    page.keyboard.press("a")
    rows.nth(2).wait_for(state="detached")
    check(rows.count() == 2, "a accepts the row")
    page.locator(".row.at", has_text="INBOX SHOP").wait_for()
    page.keyboard.press("a")
    rows.nth(1).wait_for(state="detached")
    check(rows.count() == 1, "and the next one")
    page.keyboard.press("Control+z")
    said(page, "Undone.")
    check(rows.count() == 2, "each is taken back alone")
    page.context.close()
    plain = open_page(browser, java_script_enabled=False)
    plain.goto(address + "/inbox")
    plain.get_by_role("button", name="Accept all").click()
    check(plain.locator(".row", has_text="INBOX SHOP").count() == 0, "all are accepted without scripts")
    plain.locator(".row", has_text="Never seen").get_by_role("link", name="Make a rule").click()
    plain.get_by_label("Category").select_option(label="Food")
    plain.get_by_role("button", name="Preview").click()
    check(plain.get_by_role("heading", name="Preview: 1 transaction").count() == 1, "a rule is previewed")
    plain.get_by_role("button", name="Save and apply").click()
    check(plain.locator(".row", has_text="Never seen").count() == 0, "and applied")
    plain.context.close()
    apart(browser)
    looks(browser)


def apart(browser):
    """Two coffees on one day are two coffees, and stay so."""
    for _ in range(2):
        add("Two coffees", "2.34", "Food")
    page = open_page(browser)
    page.goto(address + "/inbox")
    section = page.locator("section", has=page.get_by_role("heading", name="Possible duplicates"))
    check(section.get_by_text("Two coffees").count() == 2, "a pair is shown")
    section.get_by_role("button", name="Not a duplicate: Two coffees").click()
    section.get_by_text("Two coffees").first.wait_for(state="detached")
    page.goto(address + "/transactions?text=Two+coffees")
    check(page.locator(".row").count() == 2, "both are kept")
    page.context.close()


def looks(browser):
    add("Looked at", "9")
    for scheme in ("light", "dark"):
        for width in (360, 1280):
            page = open_page(browser, color_scheme=scheme, viewport={"width": width, "height": 800})
            page.goto(address + "/inbox")
            axe(page, f"the inbox, {scheme}, {width}")
            page.locator(".row").first.get_by_role("link", name="Make a rule").click()
            axe(page, f"a rule, {scheme}, {width}")
            page.context.close()
