"""A small file of each format that is read, with the payee that is in it."""
import io
import os
import sqlite3
import tempfile
import zipfile

OFX = """OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS>
<STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>37040044<ACCTID>DE89370400440532013000<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260201<DTEND>20260214
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260214<TRNAMT>-12.34<FITID>7<NAME>Shop of OFX</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
"""
QIF = """!Type:Bank
D2026-02-14
T-12.35
PShop of QIF
^
"""
CAMT = """<?xml version="1.0" encoding="UTF-8"?>
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
HLEDGER = """account assets:cash of hledger  ; type: A

2026-02-14 Shop of hledger
    expenses:bread        12.37 EUR
    assets:cash of hledger
"""
MT940 = """:20:STARTUMS
:25:37040044/532013001
:28C:1/1
:60F:C260213EUR100,00
:61:2602140214DR12,38N005NONREF
:86:105?00LASTSCHRIFT?20SVWZ+Bread?32Shop of MT940
:62F:C260214EUR87,62
-
"""
LEDGER = """account Assets:Cash of Ledger
    note From another program

2026/02/14 Shop of Ledger
    Expenses:Bread                           12.39 EUR
    Assets:Cash of Ledger
"""
BEANCOUNT = """option "title" "Books"
2026-02-01 open Assets:Cash-of-Beancount EUR
2026-02-01 open Expenses:Bread
2026-02-14 * "Shop of Beancount" "Bread"
  Expenses:Bread  12.40 EUR
  Assets:Cash-of-Beancount
"""


def gnucash():
    def account(number, name, kind, parent):
        held = "" if kind == "ROOT" else """<act:commodity><cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id>
</act:commodity><act:commodity-scu>100</act:commodity-scu>"""
        above = f'<act:parent type="guid">{parent:032x}</act:parent>' if parent else ""
        return f"""<gnc:account version="2.0.0"><act:name>{name}</act:name><act:id type="guid">{number:032x}</act:id>
<act:type>{kind}</act:type>{held}{above}</gnc:account>
"""

    def split(number, account, value):
        return f"""<trn:split><split:id type="guid">{number:032x}</split:id><split:reconciled-state>n</split:reconciled-state>
<split:value>{value}/100</split:value><split:quantity>{value}/100</split:quantity>
<split:account type="guid">{account:032x}</split:account></trn:split>
"""

    accounts = account(1, "Root Account", "ROOT", 0) + account(2, "Cash of GnuCash", "CASH", 1) \
        + account(3, "Bread", "EXPENSE", 1)
    return f"""<?xml version="1.0" encoding="utf-8" ?>
<gnc-v2 xmlns:gnc="http://www.gnucash.org/XML/gnc" xmlns:act="http://www.gnucash.org/XML/act">
<gnc:book version="2.0.0"><book:id type="guid">{99:032x}</book:id>
{accounts}<gnc:transaction version="2.0.0"><trn:id type="guid">{50:032x}</trn:id>
<trn:currency><cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id></trn:currency>
<trn:date-posted><ts:date>2026-02-14 10:59:00 +0000</ts:date></trn:date-posted>
<trn:date-entered><ts:date>2026-02-14 10:59:00 +0000</ts:date></trn:date-entered>
<trn:description>Shop of GnuCash</trn:description>
<trn:splits>{split(61, 3, 1241)}{split(62, 2, -1241)}</trn:splits></gnc:transaction>
</gnc:book>
</gnc-v2>
"""


ACTUAL = """
CREATE TABLE accounts (id TEXT PRIMARY KEY, name TEXT, offbudget INTEGER DEFAULT 0, closed INTEGER DEFAULT 0,
  tombstone INTEGER DEFAULT 0, sort_order REAL);
CREATE TABLE category_groups (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0, sort_order REAL,
  tombstone INTEGER DEFAULT 0, hidden BOOLEAN NOT NULL DEFAULT 0);
CREATE TABLE categories (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0, cat_group TEXT, sort_order REAL,
  tombstone INTEGER DEFAULT 0, hidden BOOLEAN NOT NULL DEFAULT 0);
CREATE TABLE category_mapping (id TEXT PRIMARY KEY, transferId TEXT);
CREATE TABLE payees (id TEXT PRIMARY KEY, name TEXT, category TEXT, tombstone INTEGER DEFAULT 0, transfer_acct TEXT);
CREATE TABLE payee_mapping (id TEXT PRIMARY KEY, targetId TEXT);
CREATE TABLE transactions (id TEXT PRIMARY KEY, isParent INTEGER DEFAULT 0, isChild INTEGER DEFAULT 0, acct TEXT,
  category TEXT, amount INTEGER, description TEXT, notes TEXT, date INTEGER, financial_id TEXT, type TEXT, location TEXT,
  error TEXT, imported_description TEXT, starting_balance_flag INTEGER DEFAULT 0, transferred_id TEXT, sort_order REAL,
  tombstone INTEGER DEFAULT 0, cleared INTEGER DEFAULT 1, pending INTEGER DEFAULT 0, parent_id TEXT, schedule TEXT,
  reconciled INTEGER DEFAULT 0);
CREATE TABLE zero_budgets (id TEXT PRIMARY KEY, month INTEGER, category TEXT, amount INTEGER DEFAULT 0,
  carryover INTEGER DEFAULT 0);
CREATE TABLE reflect_budgets (id TEXT PRIMARY KEY, month INTEGER, category TEXT, amount INTEGER DEFAULT 0,
  carryover INTEGER DEFAULT 0);
CREATE TABLE rules (id TEXT PRIMARY KEY, stage TEXT, conditions TEXT, actions TEXT, tombstone INTEGER DEFAULT 0,
  conditions_op TEXT DEFAULT 'and');
CREATE TABLE schedules (id TEXT PRIMARY KEY, rule TEXT, active INTEGER DEFAULT 0, completed INTEGER DEFAULT 0,
  posts_transaction INTEGER DEFAULT 0, tombstone INTEGER DEFAULT 0, name TEXT);
CREATE TABLE schedules_next_date (id TEXT PRIMARY KEY, schedule_id TEXT, local_next_date INTEGER,
  local_next_date_ts INTEGER, base_next_date INTEGER, base_next_date_ts INTEGER);
CREATE TABLE notes (id TEXT PRIMARY KEY, note TEXT);
CREATE TABLE preferences (id TEXT PRIMARY KEY, value TEXT);
INSERT INTO accounts (id, name) VALUES ('a1', 'Cash of Actual');
INSERT INTO category_groups (id, name) VALUES ('g1', 'Usual');
INSERT INTO categories (id, name, cat_group) VALUES ('c1', 'Bread', 'g1');
INSERT INTO category_mapping VALUES ('c1', 'c1');
INSERT INTO payees (id, name) VALUES ('p1', 'Shop of Actual');
INSERT INTO payee_mapping VALUES ('p1', 'p1');
INSERT INTO transactions (id, acct, amount, date, category, description) VALUES ('t1', 'a1', -1242, 20260214, 'c1', 'p1');
"""


def actual():
    """A budget as Actual exports it: a database in a zip."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "db.sqlite")
        database = sqlite3.connect(path)
        database.executescript(ACTUAL)
        database.close()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(path, "db.sqlite")
            archive.writestr("metadata.json", '{"id":"b"}')
        return packed.getvalue()


def statements():
    """Of banks: their account is chosen."""
    return [("bank.ofx", OFX, "Shop of OFX"), ("bank.qif", QIF, "Shop of QIF"), ("bank.xml", CAMT, "Shop of CAMT"),
            ("bank.sta", MT940, "Shop of MT940")]


def books():
    """Of other programs: they bring their accounts."""
    return [("books.journal", HLEDGER, "Shop of hledger"), ("books.ledger", LEDGER, "Shop of Ledger"),
            ("books.beancount", BEANCOUNT, "Shop of Beancount"), ("books.gnucash", gnucash(), "Shop of GnuCash"),
            ("budget.zip", actual(), "Shop of Actual")]
