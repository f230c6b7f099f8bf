import DaybookEntities

/// The rows that existed before an import, and the matches so far.
struct KnownRows {
  struct Place: Hashable {
    var day: Day
    var account: AccountID
  }

  /// The attributes by which a row is recognized when its reference doesn't match.
  struct Text: Hashable {
    /// The fingerprint of its text and figures.
    var print: EntityID
    /// The format of its reference; empty if it has none.
    var format = ""
  }

  /// The attributes by which a row of the file is recognized.
  struct Mark {
    /// The fingerprint and the format.
    var text: Text
    /// The day and account of the existing rows that it may match.
    var place: Place
    /// The id derived from its reference.
    var id: EntityID?
    /// The id derived from its text, if no row has that id.
    var key: TransactionID?
    /// Whether the row is to be recorded under `key`.
    var takesKey: Bool
    /// The beginning of the references of the same books, if their rows have no ids.
    var books: Substring = ""
    /// Whether the row with the id `key` was deleted.
    var isDeleted = false
    /// The id by which the row was recognized, unless it was recognized by an equal transaction.
    var known: EntityID?
  }

  /// The days and accounts whose existing rows have been counted.
  var seen: Set<Place> = []
  /// The number of rows without a reference, by the fingerprint of their current values.
  var present: [EntityID: Int] = [:]
  /// The number of rows with a reference, by fingerprint and format.
  var referenced: [EntityID: [String: Int]] = [:]
  /// The number of existing rows that rows of the file can still match.
  var remaining: [Text: Int] = [:]
  /// The number of deleted rows, by fingerprint.
  var deleted: [EntityID: Int] = [:]
  /// The number of rows of the file so far, by fingerprint and by the id derived from their
  /// reference.
  var ordinals: [EntityID: Int] = [:]
}
