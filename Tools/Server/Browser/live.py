"""Goal: what anybody records is on every open page, by one stream for all tabs. Method: see browser_tests.py."""
import subprocess

from kit import address, check, command, open_page, soon


def record(payee, amount="1.23"):
    subprocess.run([command, "add", "expense", amount, "--account", "Checking", "--payee", payee, "--on", "2026-02-15"],
                   check=True, stdout=subprocess.DEVNULL)


def live(browser):
    """How long it takes is told, and not held against a clock."""
    context = browser.new_context(locale="en-US")
    pages = [context.new_page() for _ in range(2)]
    for page in pages:
        page.goto(address + "/transactions")
    pages[0].wait_for_timeout(500)
    record("From the command")
    for number, page in enumerate(pages):
        try:
            page.get_by_role("link", name="From the command").first.wait_for(timeout=5_000)
            check(True, "live")
        except Exception:
            check(False, f"a commit of the command is on tab {number} by itself")
    shown_after(pages)
    context.close()


def shown_after(pages):
    """Says how long after its answer a commit stands on the page of another tab."""
    pages[1].evaluate("""() => { window.shown = new Promise(done => new MutationObserver(() => {
        if (document.querySelector('main').textContent.includes('Told in time')) done(Date.now());
    }).observe(document.body, { childList: true, subtree: true })); }""")
    answered = pages[0].evaluate("""async () => {
        const { accounts } = await (await fetch('/v1/accounts')).json();
        const { id, currency } = accounts.find(({ account }) => account.name === 'Checking').account;
        const body = JSON.stringify({ day: '2026-02-15', payee: 'Told in time',
            expense: { amount: '1.23', currency: currency.code ?? currency, account: id } });
        const answer = await fetch('/v1/transactions', { method: 'POST', body,
            headers: { 'Content-Type': 'application/json' } });
        return answer.ok ? Date.now() : await answer.text();
    }""")
    check(isinstance(answered, int), f"it is recorded: {answered}")
    print(f"On the page of another tab {pages[1].evaluate('window.shown') - answered} ms after it was recorded.")


def everywhere(browser):
    """Also where a form for something new lies folded below; and what is typed into it stays."""
    page = open_page(browser)
    for path in ("/", "/accounts", "/categories", "/budgets", "/recurring", "/rules", "/rates", "/statements", "/history"):
        page.goto(address + path)
        page.wait_for_timeout(300)
        before = int(page.locator("html").get_attribute("data-sequence"))
        record(f"Live on {path}")
        soon(lambda: int(page.locator("html").get_attribute("data-sequence")) > before, f"{path} is of now")
        check(page.locator(".live").count() == 0, f"{path}: without a button")
    page.goto(address + "/accounts")
    page.wait_for_timeout(300)
    page.locator("details.add summary").click()
    page.get_by_label("Name").fill("Half typed")
    record("While typing")
    page.locator(".live").wait_for()
    before = page.locator("html").get_attribute("data-sequence")
    check(page.get_by_label("Name").input_value() == "Half typed", "nothing moves while somebody types")
    page.locator(".live").click()
    soon(lambda: page.locator("html").get_attribute("data-sequence") != before, "news are shown when they are wanted")
    check(page.get_by_label("Name").input_value() == "Half typed", "and the typed text stays")
    page.context.close()


def one_stream(browser):
    """All tabs of a browser share one; when its tab is closed another goes on."""
    context = browser.new_context(locale="en-US")
    streams = []
    context.on("request", lambda request: "/v1/changes" in request.url and streams.append(request.url))
    pages = [context.new_page() for _ in range(4)]
    for page in pages:
        page.goto(address + "/accounts")
        page.wait_for_timeout(200)
    check(len(streams) == 1, f"{len(streams)} streams for four tabs")
    pages[0].close()
    # Events come in while a page waits.
    soon(lambda: pages[1].wait_for_timeout(50) or len(streams) == 2, "another tab takes over")
    pages[1].wait_for_timeout(300)
    before = [page.locator("html").get_attribute("data-sequence") for page in pages[1:]]
    record("Told to all tabs")
    for page, old in zip(pages[1:], before):
        soon(lambda: page.locator("html").get_attribute("data-sequence") != old, "every tab is told")
    check(len(streams) == 2, "by the one stream")
    context.close()
