"""Goal: files of banks and of other programs are dropped, shown, recorded and taken back. Method: see browser_tests.py."""
import subprocess

from axe_playwright_python.sync_playwright import Axe

from files import books, statements
from kit import address, check, command, open_page, said

def drop(page, name, text, where=".drop"):
    data = text if isinstance(text, bytes) else text.encode()
    transfer = page.evaluate_handle(
        """([name, bytes]) => { const d = new DataTransfer(); d.items.add(new File([new Uint8Array(bytes)], name)); return d; }""",
        [name, list(data)])
    with page.expect_navigation():
        page.dispatch_event(where, "drop", {"dataTransfer": transfer})


def importing(browser):
    page = open_page(browser)
    page.goto(address + "/import")
    table = ("Date;Payee;Amount\n2026-02-14;Dropped shop;-12.34\n2026-02-13;Other shop;-5.00\n")
    drop(page, "bank.csv", table)
    page.locator("select[name=account]").wait_for()
    page.locator("select[name=account]").select_option("Checking")
    with page.expect_navigation():
        page.get_by_role("button", name="Preview").click()
    check(page.get_by_label("Column 2").input_value() == "payee", "columns say what they are taken for")
    page.get_by_label("Column 2").select_option("description")
    with page.expect_navigation():
        page.get_by_role("button", name="Preview").click()
    check(page.get_by_label("Column 2").input_value() == "description", "and are corrected at their heads")
    check(page.get_by_text("Balances after import").count() == 1, "what accounts will hold is shown")
    check(Axe().run(page).violations_count == 0, "axe on a file before it is recorded")
    check("2 new" in page.locator("main .large").text_content(), "a dropped file is shown before it is recorded")
    page.locator("form[action='/import/record'] button").click()
    said(page, "Imported.")
    check("Dropped shop" in page.locator("main").text_content(), "and recorded as one commit")
    page.keyboard.press("Control+z")
    said(page, "Undone.")
    page.goto(address + "/transactions?text=dropped")
    check(page.locator(".row").count() == 0, "and taken back as one")
    page.context.close()


def formats(browser):
    """The account is chosen where a file has one that the ledger knows nothing of."""
    page = open_page(browser)
    for name, text, payee, has_account in ([(*one, True) for one in statements()] + [(*one, False) for one in books()]):
        page.goto(address + "/import")
        drop(page, name, text)
        if has_account:
            page.locator("select[name=account]").select_option("Checking")
            with page.expect_navigation():
                page.locator("form.grid").get_by_role("button", name="Preview").click()
            check(payee in page.locator("#rows-of-file").text_content(), f"{name}: its row is shown")
        check("1 new" in page.locator("main .large").text_content(), f"{name} is shown before it is recorded")
        check(Axe().run(page).violations_count == 0, f"axe on {name}")
        page.keyboard.press("Enter")
        said(page, "Imported.")
        page.goto(address + f"/transactions?text={payee.replace(' ', '+')}")
        check(page.locator(".row").count() == 1, f"{name} is recorded")
        page.keyboard.press("Control+z")
        said(page, "Undone.")
        check(page.locator(".row").count() == 0, f"{name} is taken back by one key")
    page.context.close()


def anywhere(browser):
    """A file is dropped on another view, and what is no such file is told of in words."""
    page = open_page(browser)
    page.goto(address + "/budgets")
    drop(page, "bank.csv", "Date;Payee;Amount\n2026-02-14;Dropped far away;-12.34\n", where="main")
    check("/import" in page.url and page.locator("select[name=account]").count() == 1, "a file is dropped anywhere")
    for name, text in (("photo.png", b"\x89PNG\r\n\x1a\n\x00\x00"), ("empty.csv", b""), ("words.txt", "nothing of this is money")):
        page.goto(address + "/import")
        drop(page, name, text)
        check(page.locator(".problem").count() == 1, f"{name}: that it can't be read is told")
        check(Axe().run(page).violations_count == 0, f"axe on {name}")
    page.context.close()


def exported(browser):
    """What the ledger exports is known when it comes back."""
    page = open_page(browser)
    text = subprocess.run([command, "export", "--format", "csv"], check=True, stdout=subprocess.PIPE).stdout
    page.goto(address + "/import")
    drop(page, "export.csv", b"\n".join(text.splitlines()[:40]) + b"\n")
    check("duplicate" in page.locator("main .large").text_content(), "an export is read as what it is")
    page.context.close()
