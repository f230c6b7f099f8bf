/// The tables that a budget of Actual has, and a few names in them.
enum ActualSample {
  static let tables = """
    CREATE TABLE accounts (id TEXT PRIMARY KEY, name TEXT, offbudget INTEGER DEFAULT 0,
      closed INTEGER DEFAULT 0, tombstone INTEGER DEFAULT 0, sort_order REAL);
    CREATE TABLE category_groups (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0,
      sort_order REAL, tombstone INTEGER DEFAULT 0, hidden BOOLEAN NOT NULL DEFAULT 0);
    CREATE TABLE categories (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0,
      cat_group TEXT, sort_order REAL, tombstone INTEGER DEFAULT 0,
      hidden BOOLEAN NOT NULL DEFAULT 0);
    CREATE TABLE category_mapping (id TEXT PRIMARY KEY, transferId TEXT);
    CREATE TABLE payees (id TEXT PRIMARY KEY, name TEXT, category TEXT,
      tombstone INTEGER DEFAULT 0, transfer_acct TEXT);
    CREATE TABLE payee_mapping (id TEXT PRIMARY KEY, targetId TEXT);
    CREATE TABLE transactions (id TEXT PRIMARY KEY, isParent INTEGER DEFAULT 0,
      isChild INTEGER DEFAULT 0, acct TEXT, category TEXT, amount INTEGER, description TEXT,
      notes TEXT, date INTEGER, financial_id TEXT, type TEXT, location TEXT, error TEXT,
      imported_description TEXT, starting_balance_flag INTEGER DEFAULT 0, transferred_id TEXT,
      sort_order REAL, tombstone INTEGER DEFAULT 0, cleared INTEGER DEFAULT 1,
      pending INTEGER DEFAULT 0, parent_id TEXT, schedule TEXT, reconciled INTEGER DEFAULT 0);
    CREATE TABLE zero_budgets (id TEXT PRIMARY KEY, month INTEGER, category TEXT,
      amount INTEGER DEFAULT 0, carryover INTEGER DEFAULT 0);
    CREATE TABLE reflect_budgets (id TEXT PRIMARY KEY, month INTEGER, category TEXT,
      amount INTEGER DEFAULT 0, carryover INTEGER DEFAULT 0);
    CREATE TABLE rules (id TEXT PRIMARY KEY, stage TEXT, conditions TEXT, actions TEXT,
      tombstone INTEGER DEFAULT 0, conditions_op TEXT DEFAULT 'and');
    CREATE TABLE schedules (id TEXT PRIMARY KEY, rule TEXT, active INTEGER DEFAULT 0,
      completed INTEGER DEFAULT 0, posts_transaction INTEGER DEFAULT 0,
      tombstone INTEGER DEFAULT 0, name TEXT);
    CREATE TABLE schedules_next_date (id TEXT PRIMARY KEY, schedule_id TEXT,
      local_next_date INTEGER, local_next_date_ts INTEGER, base_next_date INTEGER,
      base_next_date_ts INTEGER);
    CREATE TABLE notes (id TEXT PRIMARY KEY, note TEXT);
    CREATE TABLE preferences (id TEXT PRIMARY KEY, value TEXT);
    INSERT INTO accounts (id, name) VALUES ('a1', 'Checking'), ('a2', 'Savings');
    INSERT INTO accounts (id, name, closed) VALUES ('a3', 'checking', 1);
    INSERT INTO category_groups (id, name, is_income) VALUES ('g1', 'Usual', 0), ('g2', 'Income', 1);
    INSERT INTO categories (id, name, cat_group, is_income) VALUES ('c1', 'Food', 'g1', 0),
      ('c2', 'Rent', 'g1', 0), ('c3', 'Salary', 'g2', 1);
    INSERT INTO category_mapping VALUES ('c1', 'c1'), ('c2', 'c2'), ('c3', 'c3'), ('old', 'c1');
    INSERT INTO payees (id, name) VALUES ('p1', 'Rewe'), ('p2', 'Employer');
    INSERT INTO payees (id, name, transfer_acct) VALUES ('p3', '', 'a2');
    INSERT INTO payee_mapping VALUES ('p1', 'p1'), ('p2', 'p2'), ('p3', 'p3'), ('merged', 'p1');
    """
}
