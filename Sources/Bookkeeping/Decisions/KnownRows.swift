import Entities

/// What an import knows of the rows that were there before it.
struct KnownRows {
  struct Place: Hashable {
    var day: Day
    var account: AccountID
  }

  /// What a row is recognised by that its reference does not tell of.
  struct Text: Hashable {
    /// Its text and figures.
    var print: EntityID
    /// The format that gave its reference; empty where it has none.
    var format = ""
  }

  /// What a row of the file is recognised by.
  struct Mark {
    /// Its text and figures.
    var text: Text
    /// Where rows stand that it may be.
    var place: Place
    /// The id that its reference makes.
    var id: EntityID?
    /// The id that its text makes, where no row has it.
    var key: TransactionID?
    /// Whether it is recorded under that.
    var takesKey: Bool
    /// Whether the row that had that id was deleted.
    var isDeleted = false
  }

  /// Days and accounts that were looked at.
  var seen: Set<Place> = []
  /// How many rows without a reference have a fingerprint by their present values.
  var present: [EntityID: Int] = [:]
  /// The same of rows with a reference, by the format that gave it.
  var referenced: [EntityID: [String: Int]] = [:]
  /// How many rows are there that a row of the file may be, and not yet matched by one.
  var remaining: [Text: Int] = [:]
  /// How many rows of a fingerprint were deleted.
  var deleted: [EntityID: Int] = [:]
  /// How many rows of the file have had the same text, or the same reference, account, day and amount so far.
  var ordinals: [EntityID: Int] = [:]
}
