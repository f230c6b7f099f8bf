/// Goal: the past answers as it was, and what is taken back is gone. Method: what the oracle knew after
/// each commit is kept; a ledger as of that commit, or with everything since taken back, must answer
/// like it.
import Daybook

@testable import DaybookTesting

extension Player {
  /// Asks everything as of an earlier commit.
  func travel(_ which: Int, _ index: Int) throws {
    guard !moments.isEmpty else { return }
    let moment = moments[abs(which) % moments.count]
    let seed = script.seed &* 1_000 &+ UInt64(index)
    let differences = try ledger.read(asOf: moment.token) { snapshot throws in
      var comparison = Comparison(moment.oracle, seed: seed, isFull: false)
      comparison.run(snapshot)
      return comparison.differences
    }
    guard differences.isEmpty else {
      throw Difference(
        step: index, lines: ["as of commit \(moment.token.sequence):"] + differences)
    }
  }

  /// Erases the text of some transaction, account or category: what it was is gone from the past too.
  mutating func erase(_ which: Int) async throws {
    let which = abs(which)
    switch which % 4 {
    case 0 where !oracle.accounts.isEmpty:
      let index = which / 4 % oracle.accounts.count
      let id = oracle.accounts[index].id
      try await ledger.erase(.account, id.rawValue)
      oracle.accounts[index].name = "Erased \(id.description.suffix(8))"
      oracle.accounts[index].note = ""
      oracle.accounts[index].identifiers = []
    case 1 where !oracle.categories.isEmpty:
      let index = which / 4 % oracle.categories.count
      let id = oracle.categories[index].id
      try await ledger.erase(.category, id.rawValue)
      oracle.categories[index].name = "Erased \(id.description.suffix(8))"
      oracle.categories[index].note = ""
      oracle.categories[index].origins = []
    case 2, 3:
      guard !oracle.transactions.isEmpty else { return }
      let index = which / 4 % oracle.transactions.count
      try await ledger.erase(.transaction, oracle.transactions[index].id.rawValue)
      oracle.eraseTransaction(index)
    default: return
    }
    moments.removeAll()
  }

  /// Deletes some transaction, if nothing locks it, and brings it back: nothing has changed.
  mutating func deleteAndRestore(_ which: Int) async throws {
    guard !oracle.transactions.isEmpty else { return }
    let row = oracle.transactions[abs(which) % oracle.transactions.count]
    do { try await ledger.append(.delete(row.id)) } catch {
      guard error.refusal != nil else { throw error }
      return
    }
    try await ledger.restore(entity: row.id.rawValue)
  }

  /// Takes back the newest commit: everything is as before it, except for the numbers it used up.
  mutating func undoNewest(_ index: Int) async throws {
    let newest = try ledger.token.sequence
    // A script that is being shortened may begin with this step.
    guard newest > 0 else { return }
    // Commits that several appends made at once have no moment between them.
    guard let before = moments.last(where: { $0.token.sequence == newest - 1 }) else { return }
    do {
      try await ledger.undo(commit: newest)
    } catch {
      guard let code = error.refusal?.code else {
        guard error.code == .expiredToken, newest <= floor else { throw error }
        return
      }
      // The newest commit may be the record of a purge.
      guard Self.locks.contains(code) || code == .builtin else { throw error }
      return
    }
    var after = before.oracle
    after.lastNumber = oracle.lastNumber
    after.keepRecords(of: oracle)
    oracle = after
  }

  /// Takes back some commit, if it can be, and then that again: everything is as it was.
  mutating func undoTwice(_ which: Int, _ index: Int) async throws {
    let newest = try ledger.token.sequence
    guard newest > 0 else { return }
    do {
      try await ledger.undo(commit: UInt64(abs(which)) % newest + 1)
    } catch {
      guard error.refusal != nil || error.code == .expiredToken else { throw error }
      return
    }
    let token = try ledger.token.sequence
    if token == newest { return }
    do {
      try await ledger.undo(commit: token)
    } catch {
      guard let code = error.refusal?.code, Self.locks.contains(code) else { throw error }
      throw Difference(step: index, lines: ["what was undone cannot be done again: \(error)"])
    }
  }

  /// Why even the newest commit may have to stay: it locked what it did itself.
  private static let locks: Set<Refusal.Code> = [.closedPeriod, .reconciled, .closed]
}

extension Oracle {
  /// Of accounts and categories whose making was taken back, the records stay, with the flag of what was deleted.
  mutating func keepRecords(of undone: Oracle) {
    for var account in undone.accounts where !accounts.contains(where: { $0.id == account.id }) {
      account.isClosed = true
      account.isHidden = true
      account.isDeleted = true
      account.openingBalance = 0
      account.openingDay = nil
      accounts.append(account)
    }
    for var category in undone.categories
    where !categories.contains(where: { $0.id == category.id }) {
      category.isHidden = true
      category.isDeleted = true
      categories.append(category)
    }
  }

  /// A transaction without its texts, and no longer known as a row of a file.
  mutating func eraseTransaction(_ index: Int) {
    transactions[index].description = ""
    transactions[index].payee = ""
    transactions[index].note = ""
    transactions[index].tags = []
    transactions[index].attachments = []
    transactions[index].code = ""
    transactions[index].importIdentity = nil
    transactions[index].halves = []
    transactions[index].statedPayee = nil
    for posting in transactions[index].postings.indices {
      transactions[index].postings[posting].note = ""
    }
    imported[transactions[index].id] = nil
    if let row = fileRows.removeValue(forKey: transactions[index].id) {
      erasedFileRows[transactions[index].id] = row
    }
  }
}
