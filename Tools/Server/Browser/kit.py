"""What the browser's tests share: where the page is, and short verbs."""
import sys
import time

chromium, address, command = sys.argv[1:4]
failures = []
count = 0


def check(holds, what):
    global count
    count += 1
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}")


def soon(holds, what):
    """Checks what comes to hold once a page that was just left is replaced."""
    end = time.monotonic() + 20
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    check(held, what)


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


def told():
    """How it went, and whether everything holds."""
    print(f"{count - len(failures)} of {count} hold.")
    return not failures
