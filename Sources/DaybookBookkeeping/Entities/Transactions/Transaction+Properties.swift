public import DaybookEntities

extension Transaction {
  /// An expense without postings.
  public static let blank = Transaction(
    id: TransactionID(EntityID(high: 0, low: 0)), day: DayCoding.blank, type: .expense, postings: []
  )

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> Transaction {
    let from = origin.first
    let day = try p(Tag.Transaction.day, "day", day, .day, .plain)
    let type = try p(
      Tag.Transaction.type, "type", type, .choice(), .plain.register(Tag.Transaction.postings))
    let status = try p(
      Tag.Transaction.status, "status", \TransactionDetails.status, details.status, .choice(),
      .plain)
    let postings = try p(Tag.Transaction.postings, "postings", self.postings, .postings, .plain)
    let description = try p(
      Tag.Transaction.description, "description", \TransactionDetails.description,
      details.description, .text,
      .searched.max(Limits.descriptionByteCountMax))
    let payee = try p(
      Tag.Transaction.payee, "payee", \TransactionDetails.payee, details.payee, .text,
      .searched.max(Limits.payeeByteCountMax))
    let note = try p(
      Tag.Transaction.note, "note", \TransactionDetails.note, details.note, .text,
      .searched.max(Limits.noteByteCountMax))
    let tags = try p(
      Tag.Transaction.tags, "tags", \TransactionDetails.tags, details.tags, .list(), .searched)
    // The notes are decoded into the postings, so there is no separate value.
    _ = try p(
      Tag.Transaction.postingNotes, "postingNotes", self.postings, .postingNotes,
      .searched.outsideJSON.register(Tag.Transaction.postings))
    let mark = from?.importIdentity.map { ImportMark(original: $0.original) }
    let imported = try p(
      Tag.Transaction.importMark, "imported", mark, .optional(.importMark), .plain)
    let reference = try p(
      11, "importReference", from?.importIdentity?.reference ?? "", .text,
      .personal.register(Tag.Transaction.importMark))
    let series = try p(Tag.Transaction.series, "series", from?.series, .optional(.id()), .plain)
    let occurrence = try p(
      Tag.Transaction.occurrence, "occurrence", from?.occurrence, .optional(.day),
      .plain.register(Tag.Transaction.series))
    // The rule is merged together with the postings, because choosing another category clears it.
    let rule = try p(
      14, "categorizedBy", from?.categorizedBy, .optional(.id()),
      .plain.register(Tag.Transaction.postings))
    let valueDay = try p(
      Tag.Transaction.valueDay, "valueDay", \TransactionDetails.valueDay, details.valueDay,
      .optional(.day),
      .plain.since(2))
    let code = try p(
      16, "code", \TransactionDetails.code, details.code, .text,
      .personal.since(2).max(Limits.codeByteCountMax))
    // Merged with the postings, because it tells how one of their amounts was determined.
    let isConverted = try p(
      17, "isConverted", from?.isConverted ?? false, .flag,
      .json("converted").since(3).register(Tag.Transaction.postings))
    let halves = try p(
      Tag.Transaction.halves, "halves", from?.halves ?? [], .halves, .personal.since(3))
    let isExcluded = try p(
      Tag.Transaction.isExcludedFromTotals, "isExcludedFromTotals",
      \TransactionDetails.isExcludedFromTotals, details.isExcludedFromTotals, .flag,
      .json("excludedFromTotals").since(4).called("exclusion from totals"))
    // Merged with the payee, because it tells who chose it.
    let stated = try p(
      20, "statedPayee", from?.statedPayee.first, .optional(.statedPayee),
      .personal.since(4).register(Tag.Transaction.payee))
    let distinctFrom = try p(
      21, "distinctFrom", \TransactionDetails.distinctFrom, details.distinctFrom, .list(),
      .plain.since(5).called("list of distinct transactions"))
    let attachments = try p(
      Tag.Transaction.attachments, "attachments", \TransactionDetails.attachments,
      details.attachments, .list(), .personal.since(5))
    if imported == nil, !reference.isEmpty {
      try p.refuse("it has an import reference, but was not imported")
    }
    var origin: [TransactionOrigin] = []
    if imported != nil || series != nil || occurrence != nil || rule != nil || isConverted
      || !halves.isEmpty || stated != nil
    {
      origin = [
        TransactionOrigin.init(
          importIdentity:series:occurrence:categorizedBy:isConverted:halves:statedPayee:
        )(
          imported.map { ImportIdentity(reference: reference, original: $0.original) }, series,
          occurrence, rule, isConverted, halves, stated.map { [$0] } ?? [])
      ]
    }
    let details = TransactionDetails.init(
      status:description:payee:note:tags:valueDay:code:isExcludedFromTotals:distinctFrom:
      attachments:
    )(
      status, description, payee, note, tags, valueDay, code, isExcluded, distinctFrom,
      attachments)
    return Transaction.init(details:type:day:id:number:postings:origin:)(
      details, type, day, TransactionID(p.id), p.number, postings, origin)
  }

  /// The packed properties.
  public func record() -> Record {
    packed(
      reserving: 64 + 28 * postings.count + details.description.utf8.count
        + details.payee.utf8.count + details.note.utf8.count)
  }

  /// Reads a packed record.
  ///
  /// - Throws: `DecodingFault` if the record is damaged.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var postings: [Posting] = []
    postings.reserveCapacity(2)
    self = try Transaction.unpacked(bytes, id: id, number: number, postings: &postings)
    self.postings.share(postings)
  }
}

/// A page of transactions under construction; they share one list of postings.
package struct TransactionPage {
  private var rows: [Transaction] = []
  private var postings: [Posting] = []

  /// Creates an empty page with capacity for `count` transactions, up to a thousand.
  package init(reserving count: Int) {
    let count = min(max(count, 0), 1_000)
    rows.reserveCapacity(count)
    postings.reserveCapacity(2 * count)
  }

  /// The number of transactions added so far.
  package var count: Int { rows.count }

  /// Adds a transaction from its packed record.
  package mutating func append(
    _ record: RawSpan, id: EntityID, number: UInt64
  ) throws(DecodingFault) {
    rows.append(try Transaction.unpacked(record, id: id, number: number, postings: &postings))
  }

  /// Returns the transactions in the order in which they were added.
  package consuming func finish() -> [Transaction] {
    for index in rows.indices { rows[index].postings.share(postings) }
    return rows
  }
}
