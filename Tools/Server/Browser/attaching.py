"""Goal: a receipt is attached to a transaction, opened, removed and brought back. Method: see browser_tests.py."""
import tempfile
from pathlib import Path

from inbox import add
from kit import address, check, open_page, said
from looking import axe


def attaching(browser):
    add("Receipt shop", "3.21", "Food")
    folder = Path(tempfile.mkdtemp())
    (folder / "receipt.txt").write_text("one loaf")
    (folder / "page.html").write_text("<script>document.title = 'run'</script>")
    page = open_page(browser)
    page.goto(address + "/transactions?text=Receipt")
    page.locator(".row .what").first.click()
    page.get_by_label("Drop a file here").set_input_files([folder / "receipt.txt", folder / "page.html"])
    page.get_by_role("button", name="Attach", exact=True).click()
    page.get_by_role("link", name="receipt.txt").wait_for()
    axe(page, "a transaction with attachments")
    link = page.get_by_role("link", name="receipt.txt").get_attribute("href")
    answer = page.request.get(address + link)
    check(answer.text() == "one loaf", "an attached file is the same")
    saved = page.request.get(address + page.get_by_role("link", name="page.html").get_attribute("href"))
    check(saved.headers["content-disposition"].startswith("attachment"), "what could run is only saved")
    check(saved.headers["x-content-type-options"] == "nosniff", "and not guessed at")
    page.get_by_role("button", name="Remove: receipt.txt").click()
    page.get_by_role("link", name="receipt.txt").wait_for(state="detached")
    page.keyboard.press("Control+z")
    said(page, "Undone.")
    check(page.get_by_role("link", name="receipt.txt").count() == 1, "it is brought back")
    # Dropped on the page of a transaction, a file is attached, not imported.
    page.evaluate("""() => {
      const files = new DataTransfer();
      files.items.add(new File(['two'], 'dropped.txt'));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: files }));
    }""")
    page.get_by_role("link", name="dropped.txt").wait_for()
    check(True, "a dropped file is attached")
    page.context.close()
    plain = open_page(browser, java_script_enabled=False)
    plain.goto(address + link.split("/attachments")[0])
    plain.get_by_label("Drop a file here").set_input_files(folder / "receipt.txt")
    plain.get_by_role("button", name="Attach", exact=True).click()
    check(plain.get_by_role("link", name="receipt.txt").count() == 1, "the same file is attached once")
    plain.context.close()
