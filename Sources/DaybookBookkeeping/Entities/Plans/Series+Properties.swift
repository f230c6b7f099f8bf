import DaybookEntities

extension Series {
  /// A monthly series without a name and with an amount of zero.
  public static let blank = Series(
    id: SeriesID(EntityID(high: 0, low: 0)), name: "",
    template: SeriesTemplate(type: .expense, amount: MoneyCoding.blank),
    schedule: ScheduleCoding.blank, anchor: DayCoding.blank)

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> Series {
    let name = try p(1, "name", name, .text, .name)
    let made = template
    let template = SeriesTemplate.init(
      type:amount:account:category:otherAccount:accountAmount:description:payee:note:tags:
      isPending:parts:)
    let type = try p(2, "type", made.type, .choice(), .plain.register(2))
    let amount = try p(3, "amount", made.amount, .money, .plain.register(2))
    let account = try p(4, "account", made.account, .optional(.id()), .plain.register(2))
    let category = try p(5, "category", made.category, .optional(.id()), .plain.register(2))
    let other = try p(
      6, "otherAccount", made.otherAccount, .optional(.id()), .plain.register(2))
    let moved = try p(
      7, "accountAmount", made.accountAmount, .optional(.money), .plain.register(2))
    let description = try p(8, "description", made.description, .text, .personal)
    let payee = try p(9, "payee", made.payee, .text, .personal)
    let note = try p(10, "note", made.note, .text, .personal)
    let tags = try p(11, "tags", made.tags, .list(), .personal)
    let schedule = try p(12, "schedule", schedule, .schedule, .plain.register(12))
    let anchor = try p(13, "anchor", anchor, .day, .plain.register(12))
    let end = try p(14, "end", end, .optional(.day), .plain.register(12))
    let countMax = try p(15, "countMax", countMax, .number, .plain.register(12))
    let pausedFrom = try p(16, "pausedFrom", pausedFrom, .optional(.day), .plain)
    var days: [Range<Day>] = []
    for span in try p(17, "skipped", skipped.map { DaySpan($0) }, .list(), .plain) {
      guard let skipped = span.days else {
        try p.refuse("skipped days end before they start")
        continue
      }
      days.append(skipped)
    }
    let ahead = try p(18, "ahead", ahead, .numberUnlessOne, .plain)
    let isPending = try p(19, "isPending", made.isPending, .flag, .json("pending"))
    let tolerance = try p(20, "tolerance", tolerance, .number, .plain)
    let weekends = try p(21, "weekends", weekends, .choice(), .plain)
    var parts = try p(22, "parts", made.parts, .list(), .plain.register(2))
    // The notes are a separate property, so that they can be erased.
    let notes = try p(
      23, "partNotes", made.partNotes, .list(), .personal.outsideJSON.register(2))
    for note in notes {
      guard note.posting < UInt64(parts.count) else {
        try p.refuse("a note belongs to no part")
        continue
      }
      parts[Int(note.posting)].note = note.note
    }
    return Series.init(
      id:number:name:template:schedule:anchor:end:countMax:pausedFrom:skipped:ahead:
      tolerance:weekends:
    )(
      SeriesID(p.id), p.number, name,
      template(
        type, amount, account, category, other, moved, description, payee, note, tags, isPending,
        parts),
      schedule, anchor, end, countMax, pausedFrom, days, ahead, tolerance, weekends)
  }
}
