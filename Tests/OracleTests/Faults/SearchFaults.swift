/// Goal: mistakes of the index of texts and of payees and tags, each by name. Method: see `Faulty`.
import Daybook
import DaybookEngine
import DaybookJournal
import DaybookProjections

/// An amendment flips what the new text has, and leaves what the old one had.
enum OldTextLeft: Fault {
  typealias Original = Search
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    work.removing.removeAll { if case .flip(0, _, _) = $0 { true } else { false } }
  }
}

/// A payee that a row no longer has is still counted.
enum PayeeLeftBehind: Fault {
  typealias Original = PayeesAndTags
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    work.removing.removeAll { if case .add(0, _, _) = $0 { true } else { false } }
  }
}

/// A row that moves to another day stays where it was in the index.
enum DayNotIndexed: Fault {
  typealias Original = Search
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    guard change.before != nil, change.after != nil else { return }
    let isOfDay = { (operation: Operation) -> Bool in
      switch operation {
      case .flip(1, _, _), .add(2, _, _): true
      default: false
      }
    }
    work.removeAll(where: isOfDay)
  }
}

/// A row whose status changes is still found by the old one.
enum StatusNotFollowed: Fault {
  typealias Original = Search
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    guard change.before != nil, change.after != nil else { return }
    work.removeAll { operation in
      // The codes of statuses begin with 2 in their upper ten bits.
      guard case .flip(0, let key, _) = operation else { return false }
      return key[4] == 0 && key[5] == 0x80
    }
  }
}

/// The greatest amount of a row is not indexed.
enum GreatestAmountMissed: Fault {
  typealias Original = Search
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    leaveOut(&work.removing)
    leaveOut(&work.adding)
  }

  private static func leaveOut(_ operations: inout [Operation]) {
    // The codes of amounts begin with 1 in their upper ten bits, and come in ascending order.
    let greatest = operations.lastIndex { operation in
      guard case .flip(0, let key, _) = operation else { return false }
      return key[4] == 0 && 0x40..<0x80 ~= key[5]
    }
    if let greatest { operations.remove(at: greatest) }
  }
}

/// What follows the second letter from the end is not indexed.
enum LastLettersMissed: Fault {
  typealias Original = Search
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) {
    // The lowest 14 bits of a gram are those of the second and third letter: 0 past the end.
    let isLast = { (operation: Operation) -> Bool in
      guard case .flip(0, let key, _) = operation else { return false }
      return key[5] & 0x3f == 0 && key[6] == 0
    }
    work.removeAll(where: isLast)
  }
}
