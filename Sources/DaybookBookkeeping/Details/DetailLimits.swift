import DaybookEntities

extension BookkeepingState {
  /// Refuses a transaction's details that exceed their limits.
  func check(
    _ details: TransactionDetails, of what: @autoclosure () -> String
  ) throws(Refusal) {
    var transaction = Transaction.blank
    transaction.details = details
    try check(transaction, of: what())
  }

  /// Refuses a transaction whose details exceed their limits.
  func check(_ transaction: Transaction, of what: @autoclosure () -> String) throws(Refusal) {
    try check(transaction.excess, of: what())
    try check(tags: transaction.details.tags, of: what())
    try check(transaction.attachments, of: what())
    let distinctCount = transaction.distinctFrom.count
    guard distinctCount <= Limits.distinctCountMax else {
      throw Refusal(
        .limit,
        "\(what()) is distinct from \(distinctCount) transactions, and the limit is "
          + "\(Limits.distinctCountMax); leave some out")
    }
  }

  /// Refuses a text that is longer than the entity's table allows, or a day outside the range.
  func check(_ excess: DetailExcess?, of what: @autoclosure () -> String) throws(Refusal) {
    switch excess {
    case nil: break
    case .text(let text, let label, let max):
      try check(text, "the \(label) of \(what())", max: max)
    case .day(let day, let label): try check(day, "the \(label) \(day) of \(what())")
    }
  }
}

/// A detail that exceeds its limit.
enum DetailExcess {
  case text(String, label: String, max: Int)
  case day(Day, label: String)
}

extension LedgerEntity where Self: Detailed {
  /// The first detail that exceeds its limit.
  ///
  /// This is a member of the entity so that the optimiser can specialise it, because decisions are
  /// generic over State.
  var excess: DetailExcess? {
    var limits = LimitVisitor<Details>()
    _ = visit(&limits)
    return limits.excess
  }
}

private struct LimitVisitor<Details: EntityDetails>: DetailVisitor {
  typealias Failure = Never
  // A visitor without stored properties would be passed as an address shared by all threads,
  // which ThreadSanitizer reports as a race.
  var excess: DetailExcess?

  @inline(__always)
  mutating func property<C: PropertyCoding>(
    _ line: PropertyLine, _ path: WritableKeyPath<Details, C.Value>, _ value: C.Value,
    _ coding: C.Type
  ) -> C.Value {
    if excess == nil, C.isBeyond(line.traits.byteCountMax, value) { note(value, line) }
    return value
  }

  @inline(never)
  private mutating func note(_ value: Any, _ line: PropertyLine) {
    if let text = value as? String {
      excess = .text(text, label: line.label, max: line.traits.byteCountMax)
    }
    if let day = value as? Day { excess = .day(day, label: line.label) }
  }
}
