import Daybook
import DaybookEngine
import DaybookJournal
import DaybookLedgerScripts
/// Goal: mistakes that were made, or nearly, each by name. Method: see `Faulty`.
import DaybookProjections

/// When a row moves to another day, its key stays under the account on the old one too.
enum IndexEntryLeftBehind: Fault {
  typealias Original = Transactions
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    work.removing.removeAll { if case .remove(0, _) = $0 { true } else { false } }
  }
}

/// What went out of an account is taken away with the wrong sign.
enum SignTurned: Fault {
  typealias Original = Balances
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    work.removing = work.removing.map { operation in
      guard case .add(let table, let key, let sums) = operation else { return operation }
      return .add(table: table, key, Sums(sums[0], -sums[1], sums[2]))
    }
  }
}

/// The last day of a month has no bucket of its own in the balances.
enum DayBucketMissed: Fault {
  typealias Original = Balances
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) throws {
    let isLast = { (record: Record?, change: borrowing ProjectedChange) throws -> Bool in
      guard let day = try change.transaction(record)?.day else { return false }
      return day == day.monthOf.last
    }
    let isDay = { (operation: Operation) -> Bool in
      if case .add(_, let key, _) = operation { key[2] >> 6 == 3 } else { false }
    }
    if try isLast(change.before, change) { work.removing.removeAll(where: isDay) }
    if try isLast(change.after, change) { work.adding.removeAll(where: isDay) }
  }
}

/// An amendment forgets the month buckets of the totals.
enum MonthBucketMissed: Fault {
  typealias Original = MonthlyTotals
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    guard change.before != nil, change.after != nil else { return }
    let isMonth = { (operation: Operation) -> Bool in
      if case .add(_, let key, _) = operation { key[0] >> 6 == 2 } else { false }
    }
    work.removeAll(where: isMonth)
  }
}

/// A deletion takes the amounts away, but not the count.
enum CountNotDecremented: Fault {
  typealias Original = Transactions
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    guard change.after == nil else { return }
    work.removing = work.removing.map { operation in
      guard case .add(let table, let key, let sums) = operation else { return operation }
      return .add(table: table, key, Sums(0, sums[1]))
    }
  }
}

/// An amendment takes away what its caller believed (here: on the new day) instead of what is
/// stored.
enum CallersValueSubtracted: Fault {
  typealias Original = MonthlyTotals
  static func seen(_ change: borrowing ProjectedChange) throws -> ProjectedChange {
    var believed = try change.transaction(change.before)
    if let after = try change.transaction(change.after) { believed?.day = after.day }
    return change.with(before: believed?.record() ?? change.before, after: change.after)
  }
}

/// A transfer is listed under the account it leaves only.
enum TransferTargetNotListed: Fault {
  typealias Original = Transactions
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) throws {
    guard let transaction = try change.transaction(change.after), transaction.type == .transfer,
      let last = transaction.postings.last, case .account(let id) = last.account,
      let number = try state.number(of: id.rawValue, kind: .account)
    else { return }
    work.adding.removeAll { operation in
      if case .put(0, let key, _) = operation { UInt64(key.word(at: 0)) == number } else { false }
    }
  }
}

/// A row that moves to another category stays in the totals of the old one.
enum CategoryMoveNotFollowed: Fault {
  typealias Original = CategoryTotals
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) throws {
    guard let before = try change.transaction(change.before),
      let after = try change.transaction(change.after),
      before.day == after.day, before.postings.map(\.account) != after.postings.map(\.account)
    else { return }
    work.removing = []
    work.adding = []
  }
}

/// Opening balances count twice.
enum OpeningCountedTwice: Fault {
  typealias Original = Balances
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    guard change.kind == .account else { return }
    work.removing += work.removing
    work.adding += work.adding
  }
}

/// Rows after today count today.
enum FutureRowCounted: Fault {
  typealias Original = MonthlyTotals
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    let cut = { (operation: Operation) -> Operation in
      guard case .add(let table, let key, let sums) = operation, key[0] >> 6 == 3 else {
        return operation
      }
      // A period: its level in two bits, then its index.
      let today = 3 << 30 | UInt32(ScriptWriter.today.rawValue + 1 << 29)
      return .add(table: table, key.with(min(key.word(at: 0), today), at: 0), sums)
    }
    work.removing = work.removing.map(cut)
    work.adding = work.adding.map(cut)
  }
}

/// A row that changes its type is still listed under the old one.
enum TypeNotFollowed: Fault {
  typealias Original = Transactions
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) throws {
    guard let before = try change.transaction(change.before),
      let after = try change.transaction(change.after), before.type != after.type
    else { return }
    work.removing.removeAll { if case .remove(2, _) = $0 { true } else { false } }
  }
}

/// A rate that was removed goes on counting.
enum RateNotRemoved: Fault {
  typealias Original = Rates
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    work.removing = []
  }
}

/// A row that leaves its series, or goes, stays listed under it.
enum OccurrenceLeftBehind: Fault {
  typealias Original = Recurring
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    work.removing = []
  }
}
