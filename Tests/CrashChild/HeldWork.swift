// Goal: work of a process that is held at a named point until another has done its own.
// Method: see PairTests. Files say that it is there, and that it may go on.

import Daybook
import DaybookPlatform
import LedgerFixture

struct HeldWork {
  let path: String
  let work: PairWork
  let point: String
  let there: String
  let go: String

  func run() async throws {
    let (point, there, go) = (point, there, go)
    var options = Ledger.Options()
    options.adjustsEngine = { engine in
      engine.idleSeconds = 3_600
      engine.trace = { name in
        guard name == point, access(there + ".armed", F_OK) == 0, access(there, F_OK) != 0 else {
          return
        }
        CrashChild.make(there)
        while access(go, F_OK) != 0 { usleep(2_000) }
      }
    }
    let ledger = try await Ledger.open(at: path, options: options)
    try await PairWork.record("child before", in: ledger)
    CrashChild.make(there + ".armed")
    try await work.perform(on: ledger, "held")
    if work != .close {
      try await PairWork.record("child after", in: ledger)
      let findings = try await ledger.verify().findings
      guard findings.isEmpty else {
        print("pair \(work) held at “\(point)”: \(findings)")
        exit(1)
      }
      try await ledger.close()
    }
    exit(0)
  }
}
