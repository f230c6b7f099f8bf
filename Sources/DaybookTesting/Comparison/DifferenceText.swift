/// The description of a difference, shortened for long answers.
struct DifferenceText {
  let text: String

  private static let characterCountMax = 1_500

  /// Describes an answer of the ledger that differs from the expected one.
  ///
  /// If `known` is `nil`, the ledger should have refused the query.
  init<Value: Equatable>(_ what: String, actual: Value, known: Value?) {
    guard let known else {
      text = "\(what):\n    the ledger returned \(Self.short(actual)),\n    and should refuse"
      return
    }
    if let (actual, known) = Self.lists(actual, known) {
      text = what + ":\n    " + Self.firstDifference(actual, known)
      return
    }
    text =
      "\(what):\n    the ledger returned \(Self.short(actual)),\n    recomputed it is "
      + Self.short(known)
  }

  /// Describes a query that the ledger refused although an answer was expected.
  init<Value>(_ what: String, refused error: any Error, known: Value?) {
    let expected = known.map { "recomputed it is \(Self.short($0))" } ?? "and should say why"
    text = "\(what):\n    the ledger refuses with “\(error)”,\n    \(expected)"
  }

  private static func lists<Value>(_ actual: Value, _ known: Value) -> ([Any], [Any])? {
    guard let actual = actual as? [Any], let known = known as? [Any], actual.count + known.count > 2
    else { return nil }
    return (actual, known)
  }

  private static func firstDifference(_ actual: [Any], _ known: [Any]) -> String {
    let pairs = zip(actual, known).enumerated()
    let first = pairs.first { "\($0.element.0)" != "\($0.element.1)" }
    let count = "\(actual.count) of them; recomputed there are \(known.count)"
    guard let first else {
      let more = actual.count > known.count ? actual : known
      let others = min(actual.count, known.count)
      guard more.count > others else { return "the ledger returned \(short(actual)): see above" }
      let who = actual.count > known.count ? "only the ledger has" : "the ledger lacks"
      return "the ledger returned \(count); \(who) \(short(more[others]))"
    }
    return
      "the ledger returned \(count); the first difference is number \(first.offset + 1):\n    "
      + "\(short(first.element.0)),\n    recomputed \(short(first.element.1))"
  }

  private static func short(_ value: Any) -> String {
    let text = "\(value)"
    return text.count > characterCountMax ? text.prefix(characterCountMax) + "…" : text
  }
}
