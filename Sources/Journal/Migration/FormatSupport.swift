package import LMDB

/// Which formats of a ledger's folder a program can open: the one it writes, and the steps from older ones.
///
/// A later version of Daybook with another format adds a step to ``current``. Tests bring steps of their
/// own.
package struct FormatSupport: Sendable {
  /// The version of the format that is written, and the newest that is understood.
  package let version: UInt32
  /// The oldest version that can be read as it is, if it cannot be brought up.
  package let oldestReadable: UInt32
  /// What brings an older version up, one after the other.
  package let steps: [FormatStep]

  /// What this version of Daybook supports: format 1 is the first, so there is no step.
  package static let current = FormatSupport(
    version: StoreFolder.formatVersion, oldestReadable: StoreFolder.formatVersion, steps: [])

  /// - Precondition: the steps lead from the oldest version to `version` without a gap.
  package init(version: UInt32, oldestReadable: UInt32, steps: [FormatStep]) {
    for (step, next) in zip(steps, steps.dropFirst()) {
      precondition(step.from + 1 == next.from, "the steps between formats have a gap")
    }
    precondition(steps.last.map { $0.from + 1 == version } ?? true, "the last step leads elsewhere")
    self.version = version
    self.oldestReadable = oldestReadable
    self.steps = steps
  }

  /// The steps that bring a version up.
  ///
  /// - Throws: `JournalError` with `newerFormat` where there are none.
  func steps(from version: UInt32, path: String) throws(JournalError) -> [FormatStep] {
    let needed = steps.filter { $0.from >= version }
    guard needed.first?.from == version else {
      throw JournalError(
        .newerFormat,
        "The ledger at “\(path)” has format \(version), which this version of Daybook cannot bring up to "
          + "\(self.version): open it once with a version in between.", path: path)
    }
    return needed
  }
}

/// What makes a journal of one format version into one of the next.
package struct FormatStep: Sendable {
  /// The version it begins with.
  package let from: UInt32
  /// Changes a copy of the journal that nobody else has open, in as many transactions as it likes.
  ///
  /// Links of commits must stay what they are: tokens are to stay valid. What it throws leaves the ledger as
  /// it was.
  package let apply: @Sendable (Environment) throws -> Void

  package init(from: UInt32, apply: @escaping @Sendable (Environment) throws -> Void) {
    self.from = from
    self.apply = apply
  }
}
