"""Goal: every view can be looked at: nothing is cut off, and axe finds nothing. Method: see browser_tests.py."""
import re

from axe_playwright_python.sync_playwright import Axe

from kit import address, check, open_page

views = ["/", "/inbox", "/transactions", "/transactions?type=expense&text=a", "/accounts", "/categories", "/envelopes", "/budgets",
         "/recurring", "/rules", "/rates", "/import", "/statements", "/transactions/new?parts=3", "/history", "/history/1",
         "/health", "/settings", "/transactions/new", "/compare?from=4", "/?asOf=3", "/transactions?asOf=3",
         "/reports", "/reports?by=payee&per=year", "/reports?by=account", "/accounts?on=2025-12-31"]

# What is not there is told of by a page too.
odd = ["/nothing", "/?asOf=soon"]

# Pages of one thing: the first link on a view that leads to such a one.
below = {"/categories": r"^/categories/[0-9a-f-]+$", "/budgets": r"^/budgets/[0-9a-f-]+$",
         "/transactions": r"^/transactions/[0-9a-f-]+$", "/accounts": r"^/reconcile/|^/accounts/.*/edit$",
         "/rates": r"^/why/", "/recurring": r"^/recurring/.*/edit$"}


def looked_at(page, path, where):
    answer = page.goto(address + path)
    check(answer.ok or path in odd, f"{where}: {answer.status}")
    check(page.locator("h1").count() == 1, f"{where}: a heading")
    axe(page, where)


def axe(page, where):
    width = page.viewport_size["width"]
    wide = page.evaluate("document.documentElement.scrollWidth")
    check(wide <= width, f"{where}: {wide} pixels wide")
    # The columns of an imported file can be wider than the screen.
    cut = page.evaluate("""[...document.querySelectorAll('main :is(button, input, select, .todo .num, .sheet .num)')].filter((one) => {
      const place = one.getBoundingClientRect();
      return place.width > 2 && place.right > innerWidth && !one.closest('.columns');
    }).map((one) => one.outerHTML.slice(0, 80))""")
    check(not cut, f"{where}: cut off: {cut[:3]}")
    found = Axe().run(page)
    rules = [f"{one['id']} {one['nodes'][0]['html'][:120]}" for one in found.response["violations"]]
    check(not rules, f"{where}: axe: {rules}")


def entities(page):
    """The pages of one thing each, by the links that there are."""
    paths = []
    for view, pattern in below.items():
        page.goto(address + view)
        links = page.eval_on_selector_all("main a", "links => links.map(link => new URL(link.href).pathname)")
        for part in pattern.split("|"):
            paths += [link for link in links if re.search(part, link)][:1]
    return paths


def every_view(browser):
    page = open_page(browser)
    more = entities(page)
    check(len(more) == 7, f"pages of one thing: {more}")
    page.context.close()
    for scheme in ("light", "dark"):
        for width in (360, 1280):
            page = open_page(browser, color_scheme=scheme, viewport={"width": width, "height": 800})
            for path in views + more:
                looked_at(page, path, f"{path}, {scheme}, {width}")
            # A console tells of their status.
            quiet = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
            for path in odd:
                looked_at(quiet, path, f"{path}, {scheme}, {width}")
            quiet.close()
            page.goto(address + "/accounts")
            for key in ("Control+k", "?"):
                page.keyboard.press(key)
                page.locator("dialog").wait_for()
                axe(page, f"the dialog of {key}, {scheme}, {width}")
                page.keyboard.press("Escape")
            for fold in page.locator("details").all():
                fold.evaluate("fold => { fold.open = true; }")
            axe(page, f"a form that is open, {scheme}, {width}")
            page.context.close()


def german(browser):
    """The other language, where words are longer."""
    for width in (360, 1280):
        context = browser.new_context(locale="de-AT", viewport={"width": width, "height": 800})
        page = context.new_page()
        for path in views + odd:
            page.goto(address + path)
            check(page.locator("html[lang=de]").count() == 1, f"{path}, German")
            axe(page, f"{path}, German, {width}")
        page.goto(address + "/accounts")
        page.keyboard.press("?")
        check("Tasten" in page.locator("dialog").inner_text(), "dialogs too are in the language of the page")
        check("Commands" not in page.locator("dialog").inner_text(), "and in no other")
        context.close()


def printed(browser):
    """On paper there is what one reads, and nothing to click."""
    page = open_page(browser, viewport={"width": 794, "height": 1123})
    page.emulate_media(media="print")
    for path in ("/", "/transactions", "/accounts", "/categories", "/budgets", "/recurring", "/history"):
        page.goto(address + path)
        for what in ("header.bar", ".menu", "footer", "main button", "main .button"):
            check(not any(one.is_visible() for one in page.locator(what).all()), f"{path}: {what} is printed")
        check(page.locator("h1").is_visible(), f"{path}: its heading is printed")
        if path == "/":
            check(page.locator(".chart .bar").first.is_visible(), "the charts' bars are printed")
        wide = page.evaluate("document.documentElement.scrollWidth")
        check(wide <= 794, f"{path}: {wide} pixels wide on paper")
    page.context.close()
