import Daybook
import DaybookInterchange
import DaybookTerminal

extension ImportSummary {
  /// The maximum number of items of a list that are shown without `--verbose`.
  private static let shownMax = 8

  /// Lines about rejected rows, balances, and created accounts and categories.
  ///
  /// Without `verbose`, long lists are truncated.
  func details(verbose: Bool) -> [String] {
    let most = verbose ? Int.max : Self.shownMax
    var lines: [String] = []
    let bad = skipped.filter { $0.code != .rate }
    lines += Self.first(most, of: bad.gathered.map { "Skipped: \($0)" }, "bad lines")
    lines += missingRates.map { "Skipped: \($0)" }
    lines += Self.first(
      most, of: statedBalanceMismatches.map { "The bank's balance doesn't match: \($0)" },
      "balances that don't match")
    lines += Self.first(
      most, of: notices.gathered.map { "Note: \($0)" }, "notes")
    lines += changes(verbose: verbose)
    let explained = Set(openings.map { $0.account })
    lines += Self.first(
      most,
      of: balances.flatMap { $0.sentences(explainsOpening: !explained.contains($0.account)) },
      "stated balances")
    lines += Self.first(most, of: openings.map { $0.sentence }, "opening balances")
    lines += created("account", "accounts", createdAccounts, verbose)
    lines += created(
      "category", "categories", createdCategories.map { "\($0.path)" }, verbose)
    return lines.map(\.printable)
  }

  /// Lines about the ledger's transactions that the file changes or doesn't contain.
  func changes(verbose: Bool) -> [String] {
    let most = verbose ? Int.max : Self.shownMax
    var lines = Self.first(
      most, of: missing.map(words), "transactions that are no longer in the books")
    if missing.contains(where: { $0.result == .listed }) {
      lines.append(
        "To delete transactions that are no longer in the books, add --follow-deletions.")
    }
    if completed > 0 {
      lines.append(
        "\(isDryRun ? "Would complete" : "Completed") "
          + "\(Figures.counted(completed, "transfer")) that a rule made.")
    }
    lines += Self.first(most, of: matches.map { $0.sentence(isDryRun: isDryRun) }, "matches")
    if isDryRun, !matches.isEmpty {
      lines.append("To import them as separate transactions, add --no-match.")
    }
    lines += Self.first(
      most, of: unsettled.map { $0.unsettledSentence(isDryRun: isDryRun) }, "other matches")
    lines += Self.first(
      most, of: stillPending.map(\.stillPendingSentence), "pending transactions")
    lines += Self.first(
      most,
      of: transfers.map {
        "May be a transfer: \($0.amount) from \($0.source) on \($0.day) to \($0.target) on "
          + "\($0.arrivalDay)."
      }, "transfers")
    if !transfers.isEmpty {
      lines.append(
        "To make transfers of such pairs, run `daybook transfers find`"
          + (isDryRun ? " after the import." : "."))
    }
    return lines.map(\.printable)
  }

  private func words(_ missing: MissingTransaction) -> String {
    switch missing.result {
    case .deleted: "\(isDryRun ? "Would delete" : "Deleted"): \(missing)"
    case .listed: "No longer in the books: \(missing)"
    case .changed: "No longer in the books, but changed in the ledger and kept: \(missing)"
    case .closed: "No longer in the books, but in the closed period and kept: \(missing)"
    }
  }

  /// The opening balances derived from the file's balances.
  ///
  /// They are shown only for new accounts and for imports without duplicates, so that monthly
  /// imports don't repeat them.
  private var openings: [(account: String, sentence: String)] {
    let created = Set(createdAccounts)
    return impliedOpenings.sorted { $0.key < $1.key }
      .filter { created.contains($0.key) || duplicates == 0 && imported > 0 }
      .map { account, opening in
        (
          account,
          "According to the bank's balances, the opening balance of \(account) was "
            + "\(Figures.withCode(Total(opening))). To set it, run `daybook opening \"\(account)\" "
            + "\(opening.text)`."
        )
      }
  }

  private static func first(_ most: Int, of lines: [String], _ what: String) -> [String] {
    guard lines.count > most else { return lines }
    return lines.prefix(most)
      + ["… and \(Figures.count(lines.count - most)) more \(what) (--verbose lists all)"]
  }

  private func created(
    _ one: String, _ several: String, _ names: [String], _ verbose: Bool
  ) -> [String] {
    if names.isEmpty { return [] }
    let made = isDryRun ? "Would create" : "Created"
    let count = "\(made) \(Figures.count(names.count)) \(names.count == 1 ? one : several)"
    guard verbose || names.count <= Self.shownMax else {
      return ["\(count) (--verbose lists them)."]
    }
    return ["\(count): \(names.joined(separator: ", "))."]
  }

  /// The counts in a sentence.
  func sentence(of file: String? = nil) -> String {
    let verb = isDryRun ? "Would import" : "Imported"
    var parts = ["\(verb) \(Figures.counted(imported, "transaction"))"]
    if let file { parts[0] += " from \(file)" }
    let settled = matches.count { $0.series == nil }
    if settled > 0 {
      parts.append(
        "\(isDryRun ? "would settle" : "settled") "
          + Figures.counted(settled, "pending transaction"))
    }
    let due = matches.count - settled
    if due > 0 {
      parts.append(
        "\(isDryRun ? "would match" : "matched") \(Figures.counted(due, "due date"))")
    }
    if replaced > 0 {
      parts.append(
        "\(isDryRun ? "would update" : "updated") "
          + Figures.counted(replaced, "edited transaction"))
    }
    let deleted = missing.count { $0.result == .deleted }
    if deleted > 0 {
      parts.append(
        "\(isDryRun ? "would delete" : "deleted") "
          + Figures.counted(deleted, "transaction"))
    }
    if duplicates > 0 {
      parts.append("skipped \(Figures.counted(duplicates, "duplicate"))")
    }
    if leftOut > 0 {
      parts.append("skipped \(Figures.counted(leftOut, "row")) excluded by the mapping")
    }
    if pendingLeftOut > 0 {
      parts.append(
        "skipped \(Figures.counted(pendingLeftOut, "pending transaction")) (to import them, add "
          + "--pending)")
    }
    if mirrored > 0 {
      parts.append("skipped \(Figures.count(mirrored)) as the other side of a transfer")
    }
    if !skipped.isEmpty {
      parts.append(
        "skipped \(Figures.counted(skipped.count, "bad line"))")
    }
    let count = statedBalanceMismatches.count
    if count > 0 {
      parts.append(
        "found \(Figures.counted(count, "balance")) that \(count == 1 ? "doesn't" : "don't") match")
    }
    // If nothing was imported, state the reason.
    if imported == 0, completed == 0, parts.count == 1 {
      parts.append("because the file has none to import")
    }
    return parts.joined(separator: ", ").printable + "."
  }

  /// Adds the results of another file.
  mutating func add(_ other: ImportSummary) {
    isDryRun = other.isDryRun
    imported += other.imported
    duplicates += other.duplicates
    matches += other.matches
    unsettled += other.unsettled
    stillPending += other.stillPending
    transfers += other.transfers
    replaced += other.replaced
    missing += other.missing
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
  ///
  /// - Parameter explainsOpening: Whether to mention a missing opening balance as a reason.
  fileprivate func sentences(explainsOpening: Bool) -> [String] {
    var found: [String] = []
    if let difference, difference.units != 0 {
      found.append(
        "The file's balances of \(account) don't match its transactions: they differ by "
          + "\(Figures.withCode(difference)).")
    }
    guard let closing, let inLedger else { return found }
    let stated = Figures.withCode(Total(closing.amount))
    let ledger =
      "On \(closing.day), the balance of \(account) is \(Figures.withCode(inLedger)) in the"
      + " ledger, but \(stated) according to the bank"
    guard let ledgerDifference else {
      found.append("\(ledger). The amounts were converted.")
      return found
    }
    if ledgerDifference.units != 0 {
      let size = Total(
        units: ledgerDifference.units < 0 ? -ledgerDifference.units : ledgerDifference.units,
        currency: ledgerDifference.currency)
      found.append(
        "\(ledger): \(Figures.withCode(size)) \(ledgerDifference.units < 0 ? "less" : "more").")
      if let pendingInLedger, pendingInLedger.units != 0 {
        found.append(
          "The ledger's balance includes pending transactions of "
            + "\(Figures.withCode(pendingInLedger)).")
      }
      if explainsOpening, let missingOpening {
        found.append(
          "\(account) has no opening balance. To set it to the balance before this statement, run "
            + "`daybook opening \"\(account)\" \(missingOpening.text)`.")
      }
    } else {
      found.append("On \(closing.day), the balance of \(account) is \(stated), as the bank states.")
    }
    return found
  }
}

extension RowMatch {
  /// Returns a sentence about the transaction that a row matches.
  fileprivate func sentence(isDryRun: Bool) -> String {
    if let series, let due {
      return "\(isDryRun ? "Would match" : "Matched") \(series.name), due \(due): \(row)."
    }
    let pending = transaction.map(\.shortName) ?? ""
    return "\(isDryRun ? "Would settle" : "Settled") the pending transaction \(pending): \(row)."
  }

  /// Returns a sentence about a row that matches a transaction which can't be updated with the
  /// row's values.
  fileprivate func unsettledSentence(isDryRun: Bool) -> String {
    let name = transaction.map(\.shortName) ?? ""
    let (reason, remedy) =
      switch obstacle {
      case .closedPeriod:
        (
          "its period is closed",
          "reopen the period with `daybook reopen`, and import the file again"
        )
      case .otherAmount:
        ("it is a transfer of another amount", "correct the transfer, and import the file again")
      case .changed, nil: ("it changed during the import", "import the file again")
      }
    return
      "\(isDryRun ? "Can't" : "Couldn't") settle \(name), because \(reason). "
      + (isDryRun
        ? "\(row) would be a new transaction. To settle it instead, \(remedy)."
        : "Imported \(row) as a new transaction. To settle it instead, run `daybook undo`, "
          + "\(remedy).")
  }

  /// The row's payee, amount and day.
  private var row: String {
    [payee, Figures.withCode(Total(amount))].filter { !$0.isEmpty }.joined(separator: " ")
      + " on \(day)"
  }
}

extension Transaction {
  /// The transaction's name in commands, with its payee or description.
  fileprivate var shortName: String {
    let words = details.payee.isEmpty ? details.description : details.payee
    return "\(key.day)#\(number)" + (words.isEmpty ? "" : " (\(words))")
  }

  fileprivate var stillPendingSentence: String {
    "Still pending, and not in the file: \(shortName). If the bank has cancelled it, run `daybook "
      + "delete \(key.day)#\(number)`."
  }
}

extension MissingRates {
  /// The command that adds the rate.
  var remedy: String {
    "`daybook rate add \(source) \(target) RATE --on \(days.lowerBound)`"
  }
}
