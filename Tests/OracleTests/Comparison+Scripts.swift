import Daybook
import DaybookLedgerScripts

@testable import DaybookTesting

extension Comparison {
  /// A comparison after a step of a script, around the days and in the currencies of scripts.
  init(_ oracle: Oracle, seed: UInt64, isFull: Bool) {
    self.init(
      oracle, around: ScriptWriter.today, in: ScriptWriter.currencies, seed: seed, isFull: isFull)
  }
}
