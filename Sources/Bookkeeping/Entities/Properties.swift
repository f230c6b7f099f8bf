/// The tags of every property of every kind, with their encodings.
///
/// A property that has its default is absent. "day" is four bytes: days since 1970-01-01 with the
/// sign bit turned, big-endian. "id" is 16 bytes. "text" is UTF-8. "code" and "flag" are one byte.
/// "number" is a zigzag LEB128. "currency" is one byte of length (upper 3 bits) and decimals (lower
/// 5 bits), then the code in ASCII. "money" is a number of minor units, then a currency. "list" is a
/// varint count, then the elements; "string" inside of a value is a varint byte count, then UTF-8;
/// "optional" is 0, or 1 and the value.
public enum Tag {
  /// Properties of the ledger's settings (kind 1).
  public enum Settings {
    /// The base currency: currency; none by default.
    public static let baseCurrency: UInt8 = 1
    /// The week's first day: code 2 (Tuesday) to 7; Monday by default.
    public static let firstWeekday: UInt8 = 2
    /// The last day of the closed period: day; none by default.
    public static let closedThrough: UInt8 = 3
    /// The merge policy: code; last writer by default.
    public static let mergePolicy: UInt8 = 4
  }

  /// Properties of an account (kind 2).
  public enum Account {
    /// The name: text (personal).
    public static let name: UInt8 = 1
    /// The kind: code; asset by default.
    public static let kind: UInt8 = 2
    /// The currency: currency, always there.
    public static let currency: UInt8 = 3
    /// The opening balance in minor units: number; 0 by default.
    public static let openingBalance: UInt8 = 4
    /// The opening's day: day; by default it counts on every day.
    public static let openingDay: UInt8 = 5
    /// Whether it is closed: flag.
    public static let isClosed: UInt8 = 6
    /// Whether it is hidden: flag.
    public static let isHidden: UInt8 = 7
    /// Whether it was deleted and its rows kept: flag.
    public static let isDeleted: UInt8 = 8
    /// The note: text (personal).
    public static let note: UInt8 = 9
    /// The place in a list: number; 0 by default.
    public static let order: UInt8 = 10
  }

  /// Properties of a category (kind 3).
  public enum Category {
    /// The name: text (personal).
    public static let name: UInt8 = 1
    /// The kind: code; expense by default.
    public static let kind: UInt8 = 2
    /// The category above: id; none by default.
    public static let parent: UInt8 = 3
    /// Whether it is hidden: flag.
    public static let isHidden: UInt8 = 4
    /// Whether it was deleted and its rows kept: flag.
    public static let isDeleted: UInt8 = 5
    /// The note: text (personal).
    public static let note: UInt8 = 6
    /// The place in a list: number; 0 by default.
    public static let order: UInt8 = 7
  }

  /// Properties of a transaction (kind 4).
  public enum Transaction {
    /// The day: day, always there; State keeps transactions in its order.
    public static let day: UInt8 = 1
    /// The type: code; expense by default.
    public static let type: UInt8 = 2
    /// The status: code; cleared by default.
    public static let status: UInt8 = 3
    /// The postings, one after the other, without a count.
    ///
    /// Each has a header byte (bits 0 to 2: 0 an
    /// account, 1 a category, 2 Opening, 3 Exchange, 4 Outside, 5 uncategorised expense, 6
    /// uncategorised income; bit 3: the currency is that of the posting before; other bits 0), an id
    /// where the code is 0 or 1, the minor units as a number, and a currency unless bit 3 is set.
    public static let postings: UInt8 = 4
    /// The description: text (personal).
    public static let description: UInt8 = 5
    /// The payee: text (personal).
    public static let payee: UInt8 = 6
    /// The note: text (personal).
    public static let note: UInt8 = 7
    /// The tags: list of strings (personal).
    public static let tags: UInt8 = 8
    /// Notes of postings: list of (varint index of the posting, string) (personal).
    public static let postingNotes: UInt8 = 9
    /// That it was imported: code 1, or, once it no longer looks as it was imported, code 2 and the id
    /// of the `Fingerprint` that counts for it; by default it was not.
    public static let importState: UInt8 = 10
    /// The id that the file it came from gives it: text (personal).
    public static let importReference: UInt8 = 11
    /// The series it belongs to: id.
    public static let series: UInt8 = 12
    /// The due day in its series: day.
    public static let occurrence: UInt8 = 13
    /// The rule that chose its category: id; by default a person did.
    public static let categorizedBy: UInt8 = 14
  }

  /// Properties of an exchange rate (kind 5).
  public enum Rate {
    /// The currency of which one unit is quoted: currency, always there.
    public static let base: UInt8 = 1
    /// The currency it is quoted in: currency, always there.
    public static let quote: UInt8 = 2
    /// The day: day, always there.
    public static let day: UInt8 = 3
    /// The rate: number of the digits, then one byte of the decimals; always there.
    public static let value: UInt8 = 4
  }

  /// Properties of a stated balance (kind 9).
  public enum Assertion {
    /// The account: id, always there.
    public static let account: UInt8 = 1
    /// The day at whose end it holds: day, always there.
    public static let day: UInt8 = 2
    /// The balance in minor units: number; 0 by default.
    public static let units: UInt8 = 3
    /// The note: text (personal).
    public static let note: UInt8 = 4
  }

  /// Properties of a fingerprint (kind 10); its id is the fingerprint.
  public enum Fingerprint {
    /// How many rows imported with it have been changed since: number; 0 by default.
    public static let changed: UInt8 = 1
    /// How many rows imported with it have been deleted since: number; 0 by default.
    public static let deleted: UInt8 = 2
  }

  /// Properties of a currency the ledger defines (kind 11).
  public enum CurrencyDefinition {
    /// The currency: currency, always there.
    public static let currency: UInt8 = 1
    /// The name: text (personal).
    public static let name: UInt8 = 2
  }
}
