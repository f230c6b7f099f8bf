import ArgumentParser
import Daybook
import DaybookTerminal

extension ReconcileCommand {
  /// Lets the user tick the transactions of an account on the terminal, then locks them.
  func executeOnTerminal(account name: String) async throws {
    try await ledger.withLedger { opened in
      let (first, names) = try opened.read { snapshot in
        (try reconciliation(of: name, snapshot), try Names(snapshot))
      }
      if first.rows.isEmpty {
        try Output.line(
          "Nothing to reconcile: all transactions of \(first.account.name) through \(first.day) "
            + "are locked."
        )
        return try tellDifference(first)
      }
      var sheet = ReconcileSheet(first, names)
      while true {
        switch try ask(&sheet) {
        case .quit: return try Output.line("Nothing was recorded.")
        case .interrupted:
          // Ignore an error: if the terminal is gone, the line can't be shown anyway.
          _ = try? Output.line("Nothing was recorded.")
          throw ExitCode(130)
        case .goesOn: continue
        case .finish:
          // If the ledger has changed since the screen was drawn, the user reviews it again.
          let now = try opened.read { try reconciliation(of: name, $0) }
          if sheet.refresh(now) { continue }
          let receipt = try await opened.append(sheet.reconciliation.command)
          return try tell(sheet.reconciliation, receipt)
        }
      }
    }
  }

  private func reconciliation(
    of name: String, _ snapshot: borrowing Snapshot
  ) throws -> Reconciliation {
    let found = try Lookup.account(name, in: snapshot)
    let day = through?.day(today: today.day) ?? today.day
    let stated = try balance.map { try Amounts.money($0, in: found.currency, snapshot) }
    if let stated, stated.currency != found.currency {
      throw CommandFailure.usage(
        "Couldn't reconcile: \(found.name) is in \(found.currency.code), not in "
          + "\(stated.currency.code).",
        remedy: "Give the statement's balance in \(found.currency.code).")
    }
    return try snapshot.reconciliation(of: found.id, through: day, statement: stated)
  }

  /// Handles keys until the user has decided, then restores the terminal.
  private func ask(_ sheet: inout ReconcileSheet) throws -> ReconcileSheet.Outcome {
    guard let keyboard = Keyboard() else {
      throw CommandFailure.usage(
        "Couldn't show transactions to tick: there is no terminal.",
        remedy: "Leave out --interactive to lock all transactions if the balance matches.")
    }
    defer { keyboard.leave() }
    while true {
      let (rows, columns) = Keyboard.size
      keyboard.draw(
        sheet.lines(rows: rows, columns: columns, inColour: Terminal.output.inColour))
      let outcome = sheet.take(
        keyboard.next(), rowsShown: max(rows - ReconcileSheet.frameCount, 1))
      if outcome != .goesOn { return outcome }
    }
  }

  private func tell(_ done: Reconciliation, _ receipt: Receipt) throws {
    let count = done.ticked.count
    try Output.line(
      "Reconciled \(Figures.counted(count, "transaction")) of \(done.account.name) "
        + "through \(done.day) (commit \(receipt.token.sequence)).")
    try tellDifference(done)
  }

  private func tellDifference(_ done: Reconciliation) throws {
    guard let difference = done.difference, difference.units != 0 else { return }
    try Output.line("The remaining difference is \(Figures.withCode(difference)).")
  }
}
