"""Goal: every view says what the command says, as of now and as of ten past commits. Method: ten commits of every kind are
made; the command's figures, exactly and as often as it gives them, are looked for on the pages.
"""
import json
import re
import subprocess
from collections import Counter
from decimal import Decimal

from kit import address, check, command, open_page

today = "2026-02-15"


def run(*words):
    subprocess.run([command, *words], check=True, stdout=subprocess.DEVNULL)


def answer(*words):
    return json.loads(subprocess.run([command, *words, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def told(moment, *words):
    """What the command answers, as of a commit or of now."""
    return answer(*words, "--today", today, *(["--as-of", str(moment)] if moment else []))


def money(value):
    return Decimal(value["amount"])


def shown(page):
    """The figures that lead somewhere, and those of the tables below charts."""
    texts = page.eval_on_selector_all("main .figure, main td.num a", "all => all.map(one => one.textContent)")
    plain = [re.sub(r"[^0-9.\-]", "", text) for text in texts]
    return Counter(Decimal(text) for text in plain if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text))


def budgets(moment):
    figures = []
    for one in told(moment, "budget", "list")["budgets"]:
        available = money(one["amount"]) + money(one["carriedOver"])
        figures += [money(one["spent"]), available, available - money(one["spent"])]
    return figures


def row(transaction, account=None):
    """What a row moves: of its account, else of its first."""
    moved = [one for one in transaction["postings"] if "account" in one and account in (None, one["account"])]
    return money(moved[0])


def expected(moment):
    """What each view has to say."""
    accounts = told(moment, "accounts", "list", "--all")["accounts"]
    days = [money(one["amount"]) for one in told(moment, "networth", "--count", "24")["days"]]
    months = [one["totals"] for one in told(moment, "months", "--count", "12")["months"]]
    checking = next(one["account"]["id"] for one in accounts if one["account"]["name"] == "Checking")
    top = [money(one["amount"]) for kind in ("expense", "income")
           for one in told(moment, "categories", "top", "--month", today[:7], "--kind", kind, "--limit", "500")["categories"]]
    rows = told(moment, "list", "--limit", "48")["transactions"]
    own = told(moment, "list", "--limit", "48", "--account", "Checking", "--balance")["rows"]
    spent = budgets(moment)
    stated = answer("assertions", *(["--as-of", str(moment)] if moment else []))["assertions"]
    return {
        "/": days + [money(month[kind]) for month in months for kind in ("income", "expense")]
        + [money(month["income"]) - money(month["expense"]) for month in months[-2:]] + spent
        + [money(told(moment, "insights")["averagePerDay"])],
        "/accounts": [days[-1]] + [money(one["balance"]) for one in accounts],
        "/categories": top,
        "/budgets": spent,
        "/statements": [money(one["assertion"]["balance"]) for one in stated] + [money(one["balance"]) for one in stated],
        "/transactions": [row(one) for one in rows],
        f"/transactions?account={checking}": [row(one["transaction"], checking) for one in own]
        + [money(one["balance"]) for one in own],
    }


def figures(browser):
    run("add", "expense", "17.31", "--account", "Checking", "--category", "Food", "--on", "2026-02-14")
    run("add", "income", "41.07", "--account", "Checking", "--on", "2026-02-15")
    run("add", "transfer", "12.01", "--account", "Checking", "--to", "Savings", "--on", "2026-02-13")
    run("budget", "add", "Going out", "90", "--category", "Leisure")
    run("accounts", "create", "Jar", "--kind", "asset", "--currency", "EUR", "--opening", "3.21")
    run("add", "expense", "1.19", "--account", "Jar", "--on", "2026-01-31")
    run("assertions", "add", "Jar", "2.02", "--on", "2026-02-01")
    last = answer("add", "expense", "5.55", "--account", "Jar", "--on", "2026-02-02")["transactions"][0]["id"]
    run("edit", last, "--category", "Food")
    run("delete", last)
    newest = answer("history", "--limit", "1")["commits"][0]["sequence"]
    page = open_page(browser)
    different = set()
    for moment in [None, *range(newest - 10, newest)]:
        for path, wanted in expected(moment).items():
            mark = "&" if "?" in path else "?"
            page.goto(address + path + (f"{mark}asOf={moment}" if moment else ""))
            missing = Counter(wanted) - shown(page)
            check(not missing, f"{path} as of {moment or 'now'}: the command says {sorted(missing)[:4]} too")
            if path == "/accounts":
                different.add(tuple(wanted))
    check(len(different) > 5, "the moments differ")
    page.context.close()
