/// The description of a difference, shortened for long answers.
struct DifferenceText {
  let text: String

  private static let characterCountMax = 1_500

  /// Describes an answer of the ledger that differs from the expected one.
  ///
  /// If `known` is `nil`, the ledger should have refused the query.
  init<Value: Equatable>(_ what: String, told: Value, known: Value?) {
    guard let known else {
      text = "\(what):\n    the ledger answers \(Self.short(told)),\n    and should refuse"
      return
    }
    if let (told, known) = Self.lists(told, known) {
      text = what + ":\n    " + Self.firstDifference(told, known)
      return
    }
    text =
      "\(what):\n    the ledger answers \(Self.short(told)),\n    recomputed it is "
      + Self.short(known)
  }

  /// Describes a query that the ledger refused although an answer is expected.
  init<Value>(_ what: String, refused error: any Error, known: Value?) {
    let expected = known.map { "recomputed it is \(Self.short($0))" } ?? "and should say why"
    text = "\(what):\n    the ledger refuses with “\(error)”,\n    \(expected)"
  }

  private static func lists<Value>(_ told: Value, _ known: Value) -> ([Any], [Any])? {
    guard let told = told as? [Any], let known = known as? [Any], told.count + known.count > 2
    else { return nil }
    return (told, known)
  }

  private static func firstDifference(_ told: [Any], _ known: [Any]) -> String {
    let pairs = zip(told, known).enumerated()
    let first = pairs.first { "\($0.element.0)" != "\($0.element.1)" }
    let count = "\(told.count) of them; recomputed there are \(known.count)"
    guard let first else {
      let more = told.count > known.count ? told : known
      let others = min(told.count, known.count)
      guard more.count > others else { return "the ledger answers \(short(told)): see above" }
      let who = told.count > known.count ? "only the ledger has" : "the ledger lacks"
      return "the ledger answers \(count); \(who) \(short(more[others]))"
    }
    return
      "the ledger answers \(count); the first that differs is number \(first.offset + 1):\n    "
      + "\(short(first.element.0)),\n    recomputed \(short(first.element.1))"
  }

  private static func short(_ value: Any) -> String {
    let text = "\(value)"
    return text.count > characterCountMax ? text.prefix(characterCountMax) + "…" : text
  }
}
