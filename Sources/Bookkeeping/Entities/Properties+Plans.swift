extension Tag {
  /// Properties of a budget (kind 6).
  public enum Budget {
    /// The name: text (personal).
    public static let name: UInt8 = 1
    /// The categories it watches: list of ids.
    public static let categories: UInt8 = 2
    /// That subcategories do not count: flag.
    public static let excludesSubcategories: UInt8 = 3
    /// The amount for a period: money, always there.
    public static let amount: UInt8 = 4
    /// The period: code (0 monthly, 1 weekly, 2 yearly, 3 custom), then for monthly the reset day (one
    /// byte, 1 to 31), for custom two days (first, and the day after the last); always there.
    public static let period: UInt8 = 5
    /// What is carried into the next period: code; nothing by default.
    public static let rollover: UInt8 = 6
    /// The first day that counts: day; none by default.
    public static let start: UInt8 = 7
    /// The day from which it no longer counts: day; none by default.
    public static let end: UInt8 = 8
    /// Amounts that hold from a day on: list of (day, number), ascending by day.
    public static let steps: UInt8 = 9
    /// Whether it is put aside: flag.
    public static let isArchived: UInt8 = 10
    /// The note: text (personal).
    public static let note: UInt8 = 11
    /// The place in a list: number; 0 by default.
    public static let order: UInt8 = 12
  }

  /// Properties of a recurring series (kind 7).
  public enum Series {
    /// The name: text (personal).
    public static let name: UInt8 = 1
    /// What it generates: code of the transaction type; expense by default.
    public static let type: UInt8 = 2
    /// The amount: money, always there.
    public static let amount: UInt8 = 3
    /// The account: id.
    public static let account: UInt8 = 4
    /// The category: id.
    public static let category: UInt8 = 5
    /// The account a transfer goes to: id.
    public static let otherAccount: UInt8 = 6
    /// The amount in the account's (of a transfer, the target's) currency: number; by default computed.
    public static let accountUnits: UInt8 = 7
    /// The description of rows: text (personal).
    public static let description: UInt8 = 8
    /// The payee of rows: text (personal).
    public static let payee: UInt8 = 9
    /// The note of rows: text (personal).
    public static let note: UInt8 = 10
    /// The tags of rows: list of strings (personal).
    public static let tags: UInt8 = 11
    /// The schedule: code of the unit (0 day, 1 week, 2 month, 3 year), varint of how many, code of the
    /// month-end policy; always there.
    public static let schedule: UInt8 = 12
    /// The day from which steps are counted: day, always there.
    public static let anchor: UInt8 = 13
    /// The day from which nothing is due: day; none by default.
    public static let end: UInt8 = 14
    /// How many occurrences there are at most: number; 0, no such limit, by default.
    public static let countMax: UInt8 = 15
    /// The day from which it is paused: day; none by default.
    public static let pausedFrom: UInt8 = 16
    /// Due days that are not generated (skipped or deleted), and spans for which it was paused: list
    /// of (day, day after the last), ascending.
    public static let skipped: UInt8 = 17
    /// How many future rows are kept ahead: number; 1 by default.
    public static let ahead: UInt8 = 18
    /// Whether occurrences start out as pending: flag.
    public static let isPending: UInt8 = 19
  }

  /// Properties of a category rule (kind 8).
  public enum Rule {
    /// The name: text (personal).
    public static let name: UInt8 = 1
    /// The place in the order of rules: number; 0 by default.
    public static let order: UInt8 = 2
    /// Whether it is switched off: flag.
    public static let isDisabled: UInt8 = 3
    /// Whether one condition is enough: flag; by default all must hold.
    public static let matchesAny: UInt8 = 4
    /// The conditions: list of (code of the sort, its value); see `RuleCondition` (personal).
    public static let conditions: UInt8 = 5
    /// The category it gives: id.
    public static let category: UInt8 = 6
    /// The description it gives: text (personal).
    public static let description: UInt8 = 7
    /// The tags it adds: list of strings (personal).
    public static let tags: UInt8 = 8
    /// Whether later rules are tried too: flag.
    public static let continues: UInt8 = 9
  }

  /// Properties of a saved mapping (kind 12).
  public enum Mapping {
    /// The name: text (personal).
    public static let name: UInt8 = 1
    /// The mapping file, JSON: text (personal).
    public static let contents: UInt8 = 2
    /// What parts the columns: text; a comma by default.
    public static let delimiter: UInt8 = 3
    /// The names in the header: list of strings (personal); none by default.
    public static let header: UInt8 = 4
    /// How many columns a row has: number; 0 by default.
    public static let columnCount: UInt8 = 5
    /// The account of the rows: id.
    public static let account: UInt8 = 6
  }
}
