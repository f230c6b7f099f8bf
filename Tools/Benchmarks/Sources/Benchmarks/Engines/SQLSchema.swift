/// The tables and statements shared by SQLite and both styles of GRDB.
enum SQLSchema {
  /// The settings of every connection: durable commits and a large cache.
  static let settings = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -65536;
    PRAGMA wal_autocheckpoint = 10000;
    """

  /// The statements that create a new store.
  static func creation(indexesTexts: Bool) -> String {
    indexesTexts ? tables + texts + textTriggers : tables
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS commits(
      seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, author TEXT NOT NULL, source TEXT NOT NULL,
      digest BLOB NOT NULL, link BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS events(
      seq INTEGER PRIMARY KEY, "commit" INTEGER NOT NULL, op INTEGER NOT NULL, id BLOB NOT NULL,
      day INTEGER, counter INTEGER, amount INTEGER,
      beforeDay INTEGER, beforeCounter INTEGER, beforeAmount INTEGER,
      kind INTEGER, account INTEGER, description TEXT, salt BLOB NOT NULL, digest BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS transactions(
      seq INTEGER PRIMARY KEY, id BLOB NOT NULL, day INTEGER NOT NULL, kind INTEGER NOT NULL,
      account INTEGER NOT NULL, counter INTEGER NOT NULL, currency INTEGER NOT NULL,
      amount INTEGER NOT NULL, description TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS totals(
      level INTEGER, period INTEGER, currency INTEGER, income INTEGER NOT NULL,
      expense INTEGER NOT NULL, transfers INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(level, period, currency)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS categoryTotals(
      level INTEGER, period INTEGER, category INTEGER, currency INTEGER, inflow INTEGER NOT NULL,
      outflow INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(level, period, category, currency)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS balances(
      account INTEGER, level INTEGER, period INTEGER, inflow INTEGER NOT NULL,
      outflow INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(account, level, period)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS budgets(
      category INTEGER, currency INTEGER, month INTEGER, spent INTEGER NOT NULL,
      PRIMARY KEY(category, currency, month)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS checkpoint(
      id INTEGER PRIMARY KEY, "commit" INTEGER NOT NULL, event INTEGER NOT NULL,
      link BLOB NOT NULL);
    \(indexes)
    CREATE TABLE IF NOT EXISTS calendar(day INTEGER PRIMARY KEY, month INTEGER NOT NULL);
    WITH RECURSIVE days(day) AS (
      SELECT \(WorkGenerator.firstDay) UNION ALL
      SELECT day + 1 FROM days WHERE day < \(WorkGenerator.lastDay))
    INSERT OR IGNORE INTO calendar
      SELECT day, strftime('%Y', day * 86400, 'unixepoch') * 12
        + strftime('%m', day * 86400, 'unixepoch') - 1 FROM days;
    """

  private static let indexes = """
    CREATE UNIQUE INDEX IF NOT EXISTS byID ON transactions(id);
    \(keys)
    """

  /// SQLite appends the row's number to every index, so the keys don't contain it.
  private static let keys = """
    CREATE INDEX IF NOT EXISTS byDay ON transactions(day);
    CREATE INDEX IF NOT EXISTS byAccount ON transactions(account, day);
    CREATE INDEX IF NOT EXISTS byOtherAccount ON transactions(counter, day) WHERE kind = 2;
    CREATE INDEX IF NOT EXISTS byCategory ON transactions(counter, day) WHERE kind <> 2;
    CREATE INDEX IF NOT EXISTS byType ON transactions(kind, currency, day);
    """

  /// SQLite's own full-text index, by trigrams.
  ///
  /// It stores only rows, without positions and lengths, which is its smallest form and sufficient
  /// for `LIKE`. The texts remain in `transactions`.
  private static let texts = """

    CREATE VIRTUAL TABLE texts USING fts5(
      description, content = transactions, content_rowid = seq, tokenize = trigram, detail = none,
      columnsize = 0);
    """

  /// Triggers that keep the index current, as in the documentation of FTS5.
  private static let textTriggers = """

    CREATE TRIGGER textInserted AFTER INSERT ON transactions BEGIN
      INSERT INTO texts(rowid, description) VALUES(new.seq, new.description);
    END;
    CREATE TRIGGER textDeleted AFTER DELETE ON transactions BEGIN
      INSERT INTO texts(texts, rowid, description) VALUES('delete', old.seq, old.description);
    END;
    CREATE TRIGGER textChanged AFTER UPDATE OF description ON transactions
      WHEN old.description IS NOT new.description BEGIN
      INSERT INTO texts(texts, rowid, description) VALUES('delete', old.seq, old.description);
      INSERT INTO texts(rowid, description) VALUES(new.seq, new.description);
    END;
    """

  /// The statements that rebuild all derived tables in bulk, and then the text index.
  static func rebuild(indexesTexts: Bool) -> String {
    let drop = "DROP TRIGGER textInserted; DROP TRIGGER textDeleted; DROP TRIGGER textChanged;\n"
    let again = "\nINSERT INTO texts(texts) VALUES('rebuild');" + textTriggers
    return "BEGIN IMMEDIATE;\n" + (indexesTexts ? drop : "") + rebuild
      + (indexesTexts ? again : "") + "\nCOMMIT;"
  }

  private static func lastAmendment(of column: String) -> String {
    """
    UPDATE transactions SET \(column) = last.\(column) FROM
      (SELECT id, \(column), max(seq) FROM events WHERE op = 1 AND \(column) IS NOT NULL
        GROUP BY id) AS last
      WHERE transactions.id = last.id;
    """
  }

  /// Inserts rows in order, then creates the indexes, and sums coarse totals from finer ones.
  private static let rebuild = """
    DROP INDEX byID; DROP INDEX byDay; DROP INDEX byAccount; DROP INDEX byOtherAccount;
    DROP INDEX byCategory; DROP INDEX byType;
    DELETE FROM transactions; DELETE FROM totals; DELETE FROM categoryTotals;
    DELETE FROM balances; DELETE FROM budgets;
    INSERT INTO transactions
      SELECT seq, id, day, kind, account, counter, (account - 1) / 5, amount, description
      FROM events WHERE op = 0 ORDER BY seq;
    CREATE UNIQUE INDEX byID ON transactions(id);
    \(lastAmendment(of: "day"))
    \(lastAmendment(of: "counter"))
    \(lastAmendment(of: "amount"))
    DELETE FROM transactions WHERE id IN (SELECT id FROM events WHERE op = 2);
    \(keys)
    INSERT INTO totals
      SELECT 3, day, currency, sum(iif(kind = 1, amount, 0)), sum(iif(kind = 0, amount, 0)),
        sum(iif(kind = 2, amount, 0)), count(*)
      FROM transactions GROUP BY day, currency ORDER BY day, currency;
    INSERT INTO totals
      SELECT 2, month, currency, sum(income), sum(expense), sum(transfers), sum(count)
      FROM totals JOIN calendar ON day = period WHERE level = 3
      GROUP BY month, currency ORDER BY month, currency;
    INSERT INTO totals
      SELECT 1, period / 12, currency, sum(income), sum(expense), sum(transfers), sum(count)
      FROM totals WHERE level = 2 GROUP BY period / 12, currency ORDER BY period / 12, currency;
    INSERT INTO categoryTotals
      SELECT 3, day, counter, currency, sum(iif(kind = 1, 0, amount)),
        sum(iif(kind = 1, amount, 0)), count(*)
      FROM transactions WHERE kind <> 2 GROUP BY day, counter, currency
      ORDER BY day, counter, currency;
    INSERT INTO categoryTotals
      SELECT 2, month, category, currency, sum(inflow), sum(outflow), sum(count)
      FROM categoryTotals JOIN calendar ON day = period WHERE level = 3
      GROUP BY month, category, currency ORDER BY month, category, currency;
    INSERT INTO categoryTotals
      SELECT 1, period / 12, category, currency, sum(inflow), sum(outflow), sum(count)
      FROM categoryTotals WHERE level = 2
      GROUP BY period / 12, category, currency ORDER BY period / 12, category, currency;
    INSERT INTO categoryTotals
      SELECT 0, 0, category, currency, sum(inflow), sum(outflow), sum(count)
      FROM categoryTotals WHERE level = 1 GROUP BY category, currency ORDER BY category, currency;
    INSERT INTO balances
      SELECT account, 3, day, sum(inflow), sum(outflow), count(*) FROM (
        SELECT account, day, iif(kind = 1, amount, 0) AS inflow, iif(kind = 1, 0, amount) AS outflow
          FROM transactions
        UNION ALL SELECT counter, day, amount, 0 FROM transactions WHERE kind = 2)
      GROUP BY account, day ORDER BY account, day;
    INSERT INTO balances
      SELECT account, 2, month, sum(inflow), sum(outflow), sum(count)
      FROM balances JOIN calendar ON day = period WHERE level = 3
      GROUP BY account, month ORDER BY account, month;
    INSERT INTO balances
      SELECT account, 1, period / 12, sum(inflow), sum(outflow), sum(count)
      FROM balances WHERE level = 2 GROUP BY account, period / 12 ORDER BY account, period / 12;
    INSERT INTO balances
      SELECT account, 0, 0, sum(inflow), sum(outflow), sum(count)
      FROM balances WHERE level = 1 GROUP BY account ORDER BY account;
    INSERT INTO budgets
      SELECT (category - 61) / 5 + 1, currency, period, sum(inflow)
      FROM categoryTotals WHERE level = 2 AND category <= 300
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
    """
}

/// The statements, which are prepared once and reused.
enum SQLStatement: Int, CaseIterable, Sendable {
  case insertCommit
  case insertEvent
  case insertRow
  case findRow
  case updateRow
  case deleteRow
  case addTotals
  case addCategory
  case addBalance
  case addBudget
  case setCheckpoint
  case begin
  case commit
  case rollback
  case checkpoint
  case pageNewest
  case pageAfter
  case pageOffset
  case balance
  case months
  case breakdown
  case search

  /// The statements for the work of an event, which come first.
  static let writes = allCases.prefix(SQLStatement.begin.rawValue)

  /// The statements of a store without a text index.
  static let plain = allCases.prefix(SQLStatement.search.rawValue)

  private static let row = "seq, id, day, kind, account, counter, amount, description"

  var text: String {
    switch self {
    case .begin: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .insertCommit: "INSERT INTO commits VALUES(?, ?, ?, ?, ?, ?)"
    case .insertEvent: "INSERT INTO events VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    case .insertRow: "INSERT INTO transactions VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"
    case .findRow: "SELECT \(Self.row) FROM transactions WHERE id = ?"
    case .updateRow: "UPDATE transactions SET day = ?, counter = ?, amount = ? WHERE seq = ?"
    case .deleteRow: "DELETE FROM transactions WHERE seq = ?"
    case .addTotals:
      """
      INSERT INTO totals VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        income = income + excluded.income, expense = expense + excluded.expense,
        transfers = transfers + excluded.transfers, count = count + excluded.count
      """
    case .addCategory:
      """
      INSERT INTO categoryTotals VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        inflow = inflow + excluded.inflow, outflow = outflow + excluded.outflow,
        count = count + excluded.count
      """
    case .addBalance:
      """
      INSERT INTO balances VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        inflow = inflow + excluded.inflow, outflow = outflow + excluded.outflow,
        count = count + excluded.count
      """
    case .addBudget:
      """
      INSERT INTO budgets VALUES(?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET spent = spent + excluded.spent
      """
    case .setCheckpoint: "INSERT OR REPLACE INTO checkpoint VALUES(1, ?, ?, ?)"
    case .checkpoint: "SELECT \"commit\", event, link FROM checkpoint"
    case .pageNewest:
      "SELECT \(Self.row) FROM transactions ORDER BY day DESC, seq DESC LIMIT ?"
    case .pageAfter:
      """
      SELECT \(Self.row) FROM transactions WHERE (day, seq) < (?, ?)
        ORDER BY day DESC, seq DESC LIMIT ?
      """
    case .pageOffset:
      // The skipped rows are counted in the index only.
      """
      SELECT \(Self.row) FROM transactions WHERE seq IN
        (SELECT seq FROM transactions ORDER BY day DESC, seq DESC LIMIT ? OFFSET ?)
        ORDER BY day DESC, seq DESC
      """
    case .balance:
      """
      SELECT
        (SELECT coalesce(sum(inflow - outflow), 0) FROM balances
          WHERE account = ?1 AND level = 1 AND period < ?2)
        + (SELECT coalesce(sum(inflow - outflow), 0) FROM balances
          WHERE account = ?1 AND level = 2 AND period >= ?3 AND period < ?4)
        + (SELECT coalesce(sum(inflow - outflow), 0) FROM balances
          WHERE account = ?1 AND level = 3 AND period >= ?5 AND period <= ?6)
      """
    case .months:
      """
      SELECT period, currency, income, expense, transfers, count FROM totals
        WHERE level = 2 AND period >= ? AND period < ? ORDER BY period, currency
      """
    case .breakdown:
      """
      SELECT category, currency, inflow, outflow, count FROM categoryTotals
        WHERE level = 2 AND period = ? AND category BETWEEN ? AND ? ORDER BY category, currency
      """
    case .search:
      """
      SELECT \(Self.row) FROM transactions WHERE seq IN
        (SELECT rowid FROM texts WHERE description LIKE '%' || ? || '%')
        ORDER BY day DESC, seq DESC LIMIT ?
      """
    }
  }
}
