import DaybookSyncWire

/// A fault of a relay, or of whoever stands before it, that one device sees.
///
/// Links are counted anew over what the device is shown, as somebody would who means it; no key is known.
enum RelayFault: String, CaseIterable, Sendable {
  /// An entry is left out.
  case leavesOut
  /// Two entries have changed places.
  case swaps
  /// An entry is there twice.
  case repeats
  /// An entry was taken a second later than the others were told.
  case redates
  /// A byte of what is sealed is another.
  case alters
  /// An entry is said to be another device's.
  case renames
  /// An entry of another ledger stands in the place of one.
  case mixesUp
  /// Nothing that was placed after a certain entry is ever shown.
  case withholds
  /// The log ends before what was shown already: a copy of the relay was restored.
  case rollsBack
  /// What another device recorded after a certain entry is not in the log at all.
  case forks
  /// A page is answered with the one that begins an entry earlier.
  case answersStale
  /// A push is acknowledged, and forgotten.
  case forgets

  /// Whether the log is what is wrong, and not an answer.
  private var isOfLog: Bool { self != .answersStale && self != .forgets && self != .rollsBack }

  /// The log that the device is shown.
  ///
  /// - Parameters:
  ///   - log: what it is.
  ///   - pivot: the entry with which the fault began, counted from 0.
  ///   - foreign: entries of another ledger.
  func view(_ log: [PlacedEntry], pivot: Int, foreign: [PlacedEntry]) -> [PlacedEntry] {
    guard isOfLog, log.count > pivot + 1 else { return log }
    var log = log
    let entry = log[pivot]
    let replica = entry.entry.header.replica
    switch self {
    case .leavesOut: log.remove(at: pivot)
    case .swaps:
      log[pivot].entry = log[pivot + 1].entry
      log[pivot + 1].entry = entry.entry
    case .repeats: log.insert(entry, at: pivot)
    case .redates:
      for index in pivot..<log.count { log[index].received += 1_000_000 }
    case .alters: log[pivot].entry = changed(entry.entry, at: 80)
    case .renames: log[pivot].entry = changed(entry.entry, at: 9)
    case .mixesUp: if let other = foreign.first { log[pivot].entry = other.entry }
    case .withholds: log.removeSubrange((pivot + 1)...)
    case .forks:
      log =
        Array(log[...pivot])
        + log[(pivot + 1)...].filter { $0.entry.header.replica != replica }
    case .rollsBack, .answersStale, .forgets: break
    }
    for index in log.indices { log[index].position = UInt64(index) + 1 }
    return log
  }

  private func changed(_ entry: SealedEntry, at place: Int) -> SealedEntry {
    var bytes = entry.bytes
    bytes[place] ^= 1
    return (try? SealedEntry(bytes: bytes)) ?? entry
  }
}
