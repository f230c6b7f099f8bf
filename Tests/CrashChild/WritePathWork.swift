// Goal: work of a process whose projectors are held up, or that writes without a pause, beside another one.
// Method: see WritePathTrials. Files say how far it is, and that it may go on.

import Daybook
import DaybookPlatform
import LedgerFixture

struct WritePathWork {
  let path: String

  /// Appends five rows with its projectors held, makes the file `appended`, and when there is a file `go` is
  /// killed, or lets the projectors go on and closes.
  func holdProjectors(until go: String, appended: String, isKilled: Bool) async throws {
    var options = Ledger.Options()
    options.adjustsEngine = { engine in
      engine.trace = { name in
        guard name == "before projecting" else { return }
        while access(go, F_OK) != 0 || isKilled { usleep(2_000) }
      }
    }
    let ledger = try await Ledger.open(at: path, options: options)
    for index in 0..<5 { try await record("held \(index)", in: ledger) }
    CrashChild.make(appended)
    while access(go, F_OK) != 0 { usleep(2_000) }
    if isKilled { kill(getpid(), SIGKILL) }
    try await ledger.close()
    exit(0)
  }

  /// Appends from three tasks without a pause, makes the file `there` when it has begun, and closes when there is
  /// a file `stop`.
  func neverPause(there: String, until stop: String) async throws {
    let ledger = try await Ledger.open(at: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          while access(stop, F_OK) != 0 {
            try await record("busy", in: ledger)
            CrashChild.make(there)
          }
        }
      }
      try await group.waitForAll()
    }
    try await ledger.close()
    exit(0)
  }

  /// Records a row, and does not read it.
  private func record(_ text: String, in ledger: Ledger) async throws {
    guard let euro = Currency.iso("EUR"), let day = Day(year: 2026, month: 1, day: 1) else {
      exit(64)
    }
    try await ledger.append(
      .record(
        .expense(
          Money(100, euro), from: AccountID(EntityID(high: 77, low: 1)), on: day,
          description: text)))
  }
}
