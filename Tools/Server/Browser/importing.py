"""Goal: files of banks and of other programs are dropped, shown, recorded and taken back. Method: see browser_tests.py."""
from axe_playwright_python.sync_playwright import Axe

from kit import address, check, open_page, said

ofx = """OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS>
<STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>37040044<ACCTID>DE89370400440532013000<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260201<DTEND>20260214
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260214<TRNAMT>-12.34<FITID>7<NAME>Shop of OFX</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
"""
qif = """!Type:Bank
D2026-02-14
T-12.35
PShop of QIF
^
"""
camt = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-02-14T00:00:00</CreDtTm></GrpHdr>
<Stmt><Id>S</Id><CreDtTm>2026-02-14T00:00:00</CreDtTm>
<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Ntry><Amt Ccy="EUR">12.36</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-02-14</Dt></BookgDt><ValDt><Dt>2026-02-14</Dt></ValDt>
<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<RltdPties><Cdtr><Nm>Shop of CAMT</Nm></Cdtr></RltdPties><RmtInf><Ustrd>Bread</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>
"""
journal = """account assets:cash of hledger  ; type: A

2026-02-14 Shop of hledger
    expenses:bread        12.37 EUR
    assets:cash of hledger
"""


def drop(page, name, text):
    transfer = page.evaluate_handle(
        "([name, text]) => { const d = new DataTransfer(); d.items.add(new File([text], name)); return d; }",
        [name, text])
    with page.expect_navigation():
        page.dispatch_event(".drop", "drop", {"dataTransfer": transfer})


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


def formats(browser):
    """The account is chosen where a file has one that the ledger knows nothing of."""
    page = open_page(browser)
    for name, text, payee, has_account in (
            ("bank.ofx", ofx, "Shop of OFX", True), ("bank.qif", qif, "Shop of QIF", True),
            ("bank.xml", camt, "Shop of CAMT", True), ("books.journal", journal, "Shop of hledger", False)):
        page.goto(address + "/import")
        drop(page, name, text)
        if has_account:
            page.locator("select[name=account]").select_option("Checking")
            with page.expect_navigation():
                page.locator("form.grid").get_by_role("button", name="Preview").click()
            check(payee in page.locator("#rows-of-file").text_content(), f"{name}: its row is shown")
        check("1 new" in page.locator("main .large").text_content(), f"{name} is shown before it is recorded")
        check(Axe().run(page).violations_count == 0, f"axe on {name}")
        page.locator("form[action='/import/record'] button").click()
        said(page, "Imported.")
        page.goto(address + f"/transactions?text={payee.replace(' ', '+')}")
        check(page.locator(".row").count() == 1, f"{name} is recorded")
        page.keyboard.press("Control+z")
        said(page, "Taken back.")
        check(page.locator(".row").count() == 0, f"{name} is taken back by one key")
    page.context.close()
