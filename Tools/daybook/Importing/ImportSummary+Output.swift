import Daybook
import Interchange
import Terminal

extension ImportSummary {
  /// The maximum number of items of a list that are shown without `--verbose`.
  private static let shownMax = 8

  /// Lines about rejected rows, balances, and created accounts and categories.
  ///
  /// Without `verbose`, long lists are cut.
  func details(verbose: Bool) -> [String] {
    let most = verbose ? Int.max : Self.shownMax
    var lines: [String] = []
    let bad = skipped.filter { $0.code != .rate }
    lines += Self.first(most, of: bad.map { "Left out: \($0)" }, "bad lines")
    lines += missingRates.map { "Left out: \($0)" }
    lines += Self.first(
      most, of: statedBalanceMismatches.map { "The bank's balance does not follow: \($0)" },
      "balances that do not follow")
    lines += Self.first(
      most, of: notices.map { "Not taken, or otherwise: \($0)" }, "such lines")
    lines += Self.first(most, of: balances.flatMap(\.sentences), "stated balances")
    lines += Self.first(most, of: openings, "such accounts")
    lines += created("account", "accounts", createdAccounts, verbose)
    lines += created(
      "category", "categories", createdCategories.map { "\($0.path)" }, verbose)
    return lines.map(\.printable)
  }

  /// The opening balances that follow from the file's balances.
  ///
  /// They are shown for new accounts and for imports without duplicates, so that monthly imports
  /// don't repeat them.
  private var openings: [String] {
    let created = Set(createdAccounts)
    return impliedOpenings.sorted { $0.key < $1.key }
      .filter { created.contains($0.key) || duplicates == 0 && imported > 0 }
      .map { account, opening in
        "By the bank's balances \(account) began with \(Figures.withCode(Total(opening))): "
          + "`daybook opening \"\(account)\" \(opening.text)` records it."
      }
  }

  private static func first(_ most: Int, of lines: [String], _ what: String) -> [String] {
    guard lines.count > most else { return lines }
    return lines.prefix(most)
      + ["… and \(Figures.count(lines.count - most)) more \(what) (--verbose has all)"]
  }

  private func created(
    _ one: String, _ several: String, _ names: [String], _ verbose: Bool
  ) -> [String] {
    if names.isEmpty { return [] }
    let made = isDryRun ? "Would create" : "Created"
    let count = "\(made) \(Figures.count(names.count)) \(names.count == 1 ? one : several)"
    guard verbose || names.count <= Self.shownMax else {
      return ["\(count) (--verbose names them)."]
    }
    return ["\(count): \(names.joined(separator: ", "))."]
  }

  /// The counts in a sentence.
  func sentence(of file: String? = nil) -> String {
    let verb = isDryRun ? "Would import" : "Imported"
    var parts = ["\(verb) \(Figures.count(imported)) row\(imported == 1 ? "" : "s")"]
    if let file { parts[0] += " from \(file)" }
    if duplicates > 0 {
      parts.append("\(Figures.count(duplicates)) \(duplicates == 1 ? "was" : "were") there already")
    }
    if leftOut > 0 { parts.append("\(Figures.count(leftOut)) left out by the mapping") }
    if pendingLeftOut > 0 {
      parts.append(
        "\(Figures.count(pendingLeftOut)) not booked yet left out (--pending takes them)")
    }
    if mirrored > 0 {
      parts.append("\(Figures.count(mirrored)) left out as the other side of a transfer")
    }
    if !skipped.isEmpty {
      parts.append(
        "\(Figures.count(skipped.count)) bad line\(skipped.count == 1 ? "" : "s") left out")
    }
    let count = statedBalanceMismatches.count
    if count > 0 {
      parts.append("\(Figures.count(count)) balance\(count == 1 ? " does" : "s do") not follow")
    }
    return parts.joined(separator: "; ").printable + "."
  }

  /// Adds the results of another file.
  mutating func add(_ other: ImportSummary) {
    isDryRun = other.isDryRun
    imported += other.imported
    duplicates += other.duplicates
    leftOut += other.leftOut
    pendingLeftOut += other.pendingLeftOut
    mirrored += other.mirrored
    notices += other.notices
    balances += other.balances
    // A dry run creates nothing, so later files report the same accounts and categories again.
    createdAccounts += other.createdAccounts.filter { !createdAccounts.contains($0) }
    createdCategories += other.createdCategories.filter { !createdCategories.contains($0) }
    skipped += other.skipped
    missingRates = (missingRates + other.missingRates).gathered
    statedBalanceMismatches += other.statedBalanceMismatches
    impliedOpenings.merge(other.impliedOpenings) { first, _ in first }
    transactions += other.transactions
  }
}

extension BalanceReport {
  /// Sentences about the file's stated balances.
  fileprivate var sentences: [String] {
    var found: [String] = []
    if let difference, difference.units != 0 {
      found.append(
        "The balances that the file states of \(account) do not follow from its rows: they differ by "
          + "\(Figures.withCode(difference)).")
    }
    guard let closing, let inLedger else { return found }
    let stated = Figures.withCode(Total(closing.amount))
    if let ledgerDifference, ledgerDifference.units != 0 {
      found.append(
        "On \(closing.day) \(account) holds \(Figures.withCode(inLedger)) here, \(stated) by the bank."
      )
    } else {
      found.append("On \(closing.day) \(account) holds \(stated), as the bank says.")
    }
    return found
  }
}

extension MissingRates {
  /// The command that adds the rate.
  var remedy: String {
    "`daybook rate add \(source) \(target) RATE --on \(days.lowerBound)`"
  }
}
