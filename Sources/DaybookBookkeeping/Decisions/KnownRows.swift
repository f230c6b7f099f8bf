import DaybookEntities

/// The rows recorded before an import, and the matches so far.
struct KnownRows {
  struct Place: Hashable {
    var day: Day
    var account: AccountID
  }

  /// The attributes that identify a row if its reference doesn't match.
  struct Text: Hashable {
    /// The fingerprint of the row's text and figures.
    var print: EntityID
    /// The format of the row's reference; empty if it has no reference.
    var format = ""
  }

  /// The attributes that identify a row of the file.
  struct Mark {
    /// The fingerprint and the format.
    var text: Text
    /// The day and account of the existing rows that the row may match.
    var place: Place
    /// The id derived from the row's reference.
    var id: EntityID?
    /// The id derived from the row's text, if no row has that id.
    var key: TransactionID?
    /// Whether the row is to be recorded under `key`.
    var takesKey: Bool
    /// The prefix of references from the same books, if their rows have no ids.
    var books: Substring = ""
    /// Whether the row with the id `key` was deleted.
    var isDeleted = false
    /// The id by which the row was recognised, unless it was recognised by an equal transaction.
    var known: EntityID?
  }

  /// Whether rules make transfers; `nil` if that isn't known yet.
  var makesTransfers: Bool?
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
  /// The number of rows of the file so far, by fingerprint and by the id derived from the
  /// reference.
  var ordinals: [EntityID: Int] = [:]
}
