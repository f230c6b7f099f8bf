import Daybook
import Interchange
import Terminal

extension ImportSummary {
  /// Says what was imported, for people.
  func show() throws {
    let verb = isDryRun ? "Would import" : "Imported"
    var parts = ["\(verb) \(Figures.count(imported)) rows"]
    if duplicates > 0 {
      parts.append("\(Figures.count(duplicates)) were there already")
    }
    if leftOut > 0 {
      parts.append("\(Figures.count(leftOut)) left out by the mapping")
    }
    if !skipped.isEmpty {
      parts.append("\(Figures.count(skipped.count)) bad lines left out")
    }
    try Output.line(parts.joined(separator: "; ") + ".")
    let made = isDryRun ? "Would create" : "Created"
    let accounts = createdAccounts
    if !accounts.isEmpty {
      try Output.line("\(made) accounts: \(accounts.joined(separator: ", "))".printable)
    }
    let categories = createdCategories.map { $0.path.joined(separator: ":") }
    if !categories.isEmpty {
      try Output.line("\(made) categories: \(categories.joined(separator: ", "))".printable)
    }
    for line in skipped { try Output.line("Left out: \(line)".printable) }
    for mismatch in statedBalanceMismatches.prefix(50) {
      try Output.line("The bank's balance does not follow: \(mismatch)".printable)
    }
    if statedBalanceMismatches.count > 50 {
      try Output.line("… and \(statedBalanceMismatches.count - 50) more (--json has all)")
    }
    for (account, opening) in impliedOpenings.sorted(by: { $0.key < $1.key }).prefix(20) {
      try Output.line(
        "By the bank's balances \(account) began with \(opening): see `daybook opening`.".printable)
    }
  }

  /// The same for scripts.
  var json: JSON {
    .object([
      ("imported", .count(imported)), ("duplicates", .count(duplicates)),
      ("leftOut", .count(leftOut)), ("dryRun", .bool(isDryRun)),
      ("createdAccounts", .array(createdAccounts.map { .string($0) })),
      (
        "createdCategories",
        .array(
          createdCategories.map {
            .object([
              ("kind", .string("\($0.kind)")),
              ("path", .string($0.path.joined(separator: ":"))),
            ])
          })
      ),
      ("skipped", .array(skipped.map { .string("\($0)") })),
      ("balances", .array(statedBalanceMismatches.map { .string("\($0)") })),
      (
        "impliedOpenings",
        .object(
          impliedOpenings.sorted { $0.key < $1.key }.map { ($0.key, .money($0.value)) })
      ),
    ])
  }
}
